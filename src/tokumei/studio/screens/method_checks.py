"""Checks of the method that is applied: whether groups can be resolved to original rows, and which route gives the better model."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokumei.progress import Progress, Stop, listening
from tokumei.risk.collation import Collation, collation_check
from tokumei.studio.parts import Text, box, button, choice, note, table
from tokumei.table.domain import Categories

if TYPE_CHECKING:
    from nicegui import ui

    from tokumei.studio.frame import View
    from tokumei.utility.routes import Routes

STATISTICS = ("rates", "counts", "moments")
MOST_GROUPS = 500
ROUTES_K = (2, 5, 10)
FOLDS = 3
MOST_ROWS = 20_000


def checks(view: View) -> None:
    """Offer the checks; each is run when it is asked for."""
    words, session = view.words, view.session
    chosen: dict[str, str] = {"statistics": STATISTICS[0]}
    with box("", "details"):
        Text("summary", words("collation"))
        note(words("collation_about"))
        options = {each: words(f"collation_{each}") for each in STATISTICS}
        choice(words("collation_published"), options, STATISTICS[0], partial(chosen.__setitem__, "statistics"))
        button(
            words("check_run"),
            lambda: _collate(view, chosen["statistics"], result),
            label=f"{words('check_run')}: {words('collation')}",
        )
        result = box("filled")
    targets = [
        each.name for each in session.state.schema if each.role == "sensitive" and isinstance(each.domain, Categories)
    ]
    with box("", "details"):
        Text("summary", words("routes"))
        note(words("routes_about", rows=f"{MOST_ROWS:,}"))
        if not targets:
            note(words("routes_no_target"))
            return
        chosen["target"] = targets[0]
        choice(
            words("routes_target"), {each: each for each in targets}, targets[0], partial(chosen.__setitem__, "target")
        )
        button(
            words("check_run"),
            lambda: _routes(view, chosen["target"], found),
            label=f"{words('check_run')}: {words('routes')}",
        )
        found = box("filled")


async def _collate(view: View, statistics: Any, place: ui.element) -> None:
    session = view.session

    def work(progress: Progress, cancelled: Stop) -> Collation:
        with listening(progress, cancelled):
            state, plan = session.state, session.plan()
            rows = session.rows.table(state.schema)
            return collation_check(
                rows, plan.method, state.schema, state.prepare, statistics, groups=MOST_GROUPS, random_state=0
            )

    await view.fill("collation", work, partial(_collated, view), place)


def _collated(view: View, found: Collation) -> None:
    words = view.words
    rows = [
        (words(f"collation_row_{name}"), f"{getattr(found, name):,}")
        for name in ("groups", "looked_at", "resolved", "ambiguous", "undecided", "pinned")
    ]
    table([words("collation_what"), words("collation_count")], rows, words("collation"), numbers=(1,))


async def _routes(view: View, target: str, place: ui.element) -> None:
    session = view.session

    def work(progress: Progress, cancelled: Stop) -> Routes:
        from tokumei.utility.routes import compare_routes

        with listening(progress, cancelled):
            schema = session.state.schema
            rows = session.rows.table(schema).slice(0, MOST_ROWS)
            return compare_routes(rows, schema, target, ks=ROUTES_K, cv=FOLDS)

    await view.fill("routes", work, partial(_routed, view), place)


def _routed(view: View, found: Routes) -> None:
    from tokumei.utility.routes import AS_IT_IS, ENCODE, RECONSTRUCT

    words = view.words
    means = found.means.to_pylist()
    names = {AS_IT_IS: "routes_original", ENCODE: "routes_encoded", RECONSTRUCT: "routes_reconstructed"}
    rows = []
    for each in sorted(means, key=lambda each: (each["k"], each["route"])):
        score = "" if each["auc"] is None else f"{each['auc']:.3f}"
        rows.append(
            (words(names[each["route"]]), "" if each["k"] == 1 else f"{each['k']}", f"{each['accuracy']:.1%}", score)
        )
    head = [words(f"routes_{each}") for each in ("route", "k", "accuracy", "auc")]
    table(head, rows, words("routes"), numbers=(1, 2, 3))
    for k in ROUTES_K:
        note(words("routes_best", k=k, route=words(names[found.better(k)])))
