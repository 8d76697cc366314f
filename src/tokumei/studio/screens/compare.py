"""Before and after: the utility of the release, next to the original."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from nicegui import background_tasks, ui

from tokumei import plots
from tokumei.progress import Progress, Stop
from tokumei.reports.charts import picture
from tokumei.reports.numbers import percent, whole
from tokumei.studio.parts import box, button, card, choice, figure, no_method, note, number, paragraph, table
from tokumei.studio.session.before_after import BeforeAfter, Marginal, Scores
from tokumei.studio.session.drawn import Played

if TYPE_CHECKING:
    from tokumei.studio.frame import View
    from tokumei.words import Words

MOST_BARS = 40
MOST_CELLS = 12


async def compare(view: View) -> None:
    """Show the release next to the original."""
    words, session = view.words, view.session
    if session.state.method is None:
        no_method(words)
        return

    def work(progress: Progress, cancelled: Stop) -> tuple[BeforeAfter, str, bool]:
        perturbed = bool(session.release(progress, cancelled).mechanism.perturbed)
        found = session.before_after(reconstruct=perturbed, progress=progress, cancelled=cancelled)
        return found, _correlations(view, found), perturbed

    await view.fill("compare", work, partial(_compare, view))


def _correlations(view: View, found: BeforeAfter) -> str:
    if found.released is None:
        return ""
    original, released = found.associations, found.released.associations
    if len(found.columns) < 2:
        return ""
    return "".join(
        str(
            picture(
                plots.correlations(found.columns, original, released, dark=dark),
                view.words("caption_correlations"),
                view.words,
                follows=False,
                class_="by-night" if dark else "by-day",
            )
        )
        for dark in (False, True)
    )


def _compare(view: View, made: tuple[BeforeAfter, str, bool]) -> None:
    words, (found, drawn, perturbed) = view.words, made
    with box("grid"):
        for key, side in (("side_released", found.released), ("side_reconstructed", found.reconstructed)):
            if side is not None:
                with card(words(key), level=2), box("row"):
                    number(percent(side.marginal_distance), words("utility_marginals"))
                    if side.pair_distance is not None:
                        number(percent(side.pair_distance), words("utility_pairs"))
        with card(words("compare_score"), level=2):
            place = box("filled")
            _ask_score(view, found, place, perturbed)
        if perturbed:
            with card(words("compare_attack"), level=2):
                _ask_attack(view)
    with card(words("compare_column")):
        names = {name: name for name in found.columns}
        start = view.column if view.column in names else found.columns[0]
        choice(words("tree_column"), names, start, lambda name: _marginal(view, found, name, place_of_chart))
        place_of_chart = box("filled")
        background_tasks.create(_marginal(view, found, start, place_of_chart))
    if len(found.columns) > 1:
        with card(words("compare_cross")):
            _cross(view, found)
    if drawn:
        with card(words("compare_associations")):
            figure(drawn)
    for each in found.notes:
        note(view.say(each))


async def _marginal(view: View, found: BeforeAfter, name: str, place: ui.element) -> None:
    view.column = name
    words, each = view.words, found.marginal(name)
    shown = range(min(len(each.labels), MOST_BARS))

    def work(progress: Progress, cancelled: Stop) -> str:
        if each.released is None:
            return ""
        labels = _told_apart([_labels(words, each)[at] for at in shown])
        undone = None if each.reconstructed is None else [each.reconstructed[at] for at in shown]
        chart = plots.marginals(
            labels, [each.original[at] for at in shown], [each.released[at] for at in shown], undone, name=name
        )
        return str(picture(chart, words("caption_marginals", column=name), words))

    def draw(svg: str) -> None:
        if svg:
            figure(svg)
            if each.values is not None:
                note(words("compare_binned", values=f"{each.values:,}", count=f"{len(each.labels):,}"))
        else:
            note(words("compare_not_there"))

    await view.fill("marginal", work, draw, place)


def _labels(words: Words, each: Marginal) -> tuple[str, ...]:
    """Return what the cells of a column are called; a missing cell has a name in every language."""
    return (*each.labels[:-1], words("records_missing")) if each.missing else each.labels


def _told_apart(labels: list[str]) -> list[str]:
    """Return labels short enough for a chart, and each of them once."""
    short = [label if len(label) <= 40 else label[:38] + "…" for label in labels]
    return [label if short.count(label) == 1 else f"{label} ({place + 1})" for place, label in enumerate(short)]


def _cross(view: View, found: BeforeAfter) -> None:
    words = view.words
    names = {name: name for name in found.columns}
    pair = [found.columns[0], found.columns[1]]
    with box("row bottom"):
        for at in (0, 1):
            choice(
                words("compare_first" if at == 0 else "compare_second"),
                names,
                pair[at],
                partial(_turn, view, found, pair, at),
            )
    view.cross = box("filled")
    _draw_cross(view, found, pair)


def _turn(view: View, found: BeforeAfter, pair: list[str], at: int, name: str) -> None:
    pair[at] = name
    _draw_cross(view, found, pair)


def _draw_cross(view: View, found: BeforeAfter, pair: list[str]) -> None:
    words, place = view.words, view.cross
    place.clear()
    with place:
        if pair[0] == pair[1]:
            note(words("lattice_two"))
            return
        cross = found.cross(*pair)
        rows, columns = cross.original.shape
        shown = (
            np.argsort(-cross.first.original, kind="stable")[:MOST_CELLS],
            np.argsort(-cross.second.original, kind="stable")[:MOST_CELLS],
        )
        down, across = (np.sort(each) for each in shown)
        names = _labels(words, cross.first), _labels(words, cross.second)
        last = cross.reconstructed if cross.reconstructed is not None else cross.released
        table(
            ("", *(names[1][at] for at in across)),
            [
                (
                    names[0][row],
                    *(
                        f"{cross.original[row, at]:.1%} → {'–' if last is None else f'{last[row, at]:.1%}'}"
                        for at in across
                    ),
                )
                for row in down
            ],
            words("compare_cross"),
            numbers=range(1, len(across) + 1),
        )
        note(words("compare_cross_about" if cross.reconstructed is None else "compare_cross_undone"))
        for each in (cross.first, cross.second):
            if each.values is not None:
                told = words("compare_binned", values=f"{each.values:,}", count=f"{len(each.labels):,}")
                note(f"{words.names([each.name])}{words('colon')}{told}")
        if rows > len(down) or columns > len(across):
            note(words("compare_some", count=str(MOST_CELLS)))


def _ask_score(view: View, found: BeforeAfter, place: ui.element, perturbed: bool) -> None:
    words, session = view.words, view.session
    aim = {"target": found.columns[-1]}

    async def ask() -> None:
        await view.fill(
            "score",
            lambda progress, cancelled: session.scores(
                aim["target"], reconstruct=perturbed, progress=progress, cancelled=cancelled
            ),
            partial(_score, view),
            result,
        )

    with place:
        with box("row bottom"):
            choice(
                words("compare_target"),
                {name: name for name in found.columns},
                aim["target"],
                partial(aim.__setitem__, "target"),
            )
            button(words("compare_learn"), ask)
        result = box("filled")


def _score(view: View, found: Scores) -> None:
    words = view.words
    rows = [
        (words(key), f"{each.score:.3f}")
        for key, each in (("side_released", found.released), ("side_reconstructed", found.reconstructed))
        if each is not None
    ]
    base = found.released or found.reconstructed
    if base is not None:
        rows.insert(0, (words("compare_original"), f"{base.learned_from_original:.3f}"))
    table((words("compare_learned"), words("compare_score_of")), rows, words("compare_score"), numbers=(1,))
    for each in found.notes:
        note(view.say(each))


def _ask_attack(view: View) -> None:
    words, session = view.words, view.session
    paragraph(words("compare_attack_about"))

    async def ask() -> None:
        await view.fill("attack", session.attack, partial(_attacked, view), result)

    with box("row"):
        button(words("compare_attack_play"), ask)
    result = box("filled")


def _attacked(view: View, found: Played) -> None:
    words, played = view.words, found.attack
    if played is not None:
        if played.linked is not None and played.interval is not None:
            low, high = (percent(each) for each in played.interval)
            linked, people = whole(played.linked), whole(played.people)
            paragraph(words("attack_linked", linked=linked, people=people, low=low, high=high))
        belief = percent(min(played.largest_belief, 1.0))
        paragraph(words("attack_belief", belief=belief, expected=f"{played.expected:,.1f}"))
        if played.promised < 1:
            paragraph(words("attack_promised", promised=percent(played.promised)))
    for each in found.notes:
        note(view.say(each))
