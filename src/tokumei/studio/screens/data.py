"""Data and roles: which table it is, and what each of its columns is for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from tokumei.studio.parts import Text, bars, box, button, card, choice, note, tick
from tokumei.studio.screens.opening import projects, ways_to_open
from tokumei.studio.session.columns import is_quantity, may_be_quantity
from tokumei.studio.session.noticed import takes_markers
from tokumei.studio.session.wording import ROLES
from tokumei.table.domain import Categories, Dates, Domain, Numbers, number_text
from tokumei.table.schema import DROPPED

if TYPE_CHECKING:
    from tokumei.studio.frame import View
    from tokumei.studio.session.columns import Bar, ColumnCard
    from tokumei.words import Words

MOST = 60  # columns on one page
LONGEST = 90  # letters of a domain


async def data(view: View) -> None:
    """Show the table's columns, and the ways to another table."""
    session = view.session
    with box("row"):
        Text(
            "strong",
            view.words(
                "data_what",
                name=session.name,
                rows=f"{session.n_rows:,}",
                columns=f"{len(session.state.schema.names()):,}",
            ),
        )
        with box("menu", "details"):
            Text("summary", view.words("data_other"), "button")
            with box("sheet wide-sheet"):
                ways_to_open(view)
                kept = box("filled")
    await view.fill("columns", lambda progress, cancelled: session.columns(), partial(_columns, view))
    await projects(view, kept)


def _columns(view: View, found: list[ColumnCard], shown: int = MOST) -> None:
    with box("grid") as grid:
        for each in found[:shown]:
            _card(view, each)
    if len(found) > shown:
        more = button(view.words("data_more", count=f"{len(found) - shown:,}"))

        def show_all() -> None:
            with grid:
                for each in found[shown:]:
                    _card(view, each)
            more.delete()

        more.on("click", show_all)


def domain_words(words: Words, domain: Domain) -> str:
    """Say what a domain is, its numbers whole."""
    if isinstance(domain, Categories):
        return words("domain_categories", count=f"{domain.size:,}")
    if isinstance(domain, Numbers) and domain.step is not None:
        low, high, step = (number_text(each) for each in (domain.low, domain.high, domain.step))
        return words("domain_numbers", low=low, high=high, step=step)
    if isinstance(domain, Dates) and domain.step == 1 and domain.unit == "day":
        return words("domain_dates", low=str(domain.low), high=str(domain.high))
    return domain.describe()


def _card(view: View, found: ColumnCard) -> None:
    words = view.words
    attribute = found.attribute
    with card(classes=f"column-card {found.role}") as made:
        Text("h2", found.name)
        with box("meta"):
            Text("span", words(f"holds_{found.holds}" if words.knows(f"holds_{found.holds}") else "holds_other"), "tag")
            Text("span", words("data_distinct", count=f"{found.distinct:,}"), "tag")
            if found.missing:
                Text("span", words("data_missing", count=f"{found.missing:,}"), "tag")
            if found.flag is not None:
                Text("span", words(f"flag_{found.flag}"), "tag flag")
        if found.bars:
            rows = max(sum(each.rows for each in found.bars), 1)
            bars(
                [each.rows / rows for each in found.bars],
                [_label(words, each) for each in found.bars],
                words("data_bars", name=found.name),
            )
            if found.binned:
                note(words("data_binned", count=f"{len(found.bars):,}"))
        roles = {role: words(f"role_name_{role}") for role in ROLES}
        choice(words("data_role"), roles, found.role, partial(_role, view, found.name))
        note(words(f"role_why_{found.role}"))
        why = words.join(words(each) for each in found.reason)
        note(words("data_suggested", role=words(f"role_short_{found.suggested}"), why=why))
        if found.flag is not None and found.role not in DROPPED:
            Text("p", words("flag_kept"), "problem")
        _noticed(view, found)
        if attribute.domain is not None:
            told = domain_words(words, attribute.domain)
            seen = words("data_observed") if attribute.observed else words("data_declared")
            note(words("data_domain", domain=told if len(told) <= LONGEST else told[:LONGEST] + "…", how=seen))
        if may_be_quantity(attribute):
            tick(words("data_quantity"), is_quantity(attribute), partial(_quantity, view, found.name))
        if found.role == "quasi_identifier":
            with box("row"):
                Text(
                    "span",
                    words("data_levels", count=str(found.levels)) if found.levels else words("data_no_hierarchy"),
                    "note",
                )
                button(
                    words("data_edit"), partial(_edit, view, found.name), "quiet", f"{words('data_edit')}: {found.name}"
                )
    made.props["data-column"] = found.name


def _label(words: Words, bar: Bar) -> str:
    if bar.others:
        return words("data_others", count=bar.others)
    return words("records_missing") if bar.missing else bar.label


def _noticed(view: View, found: ColumnCard) -> None:
    """Point out what seems to stand for no answer, with a button that makes it missing."""
    words = view.words
    for marker, rows in found.noticed.markers.items():
        with box("row noticed"):
            Text("span", words("data_noticed", marker=marker, rows=rows), "note")
            if takes_markers(view.session.state.source):
                label = words("data_as_missing_label", marker=marker, column=found.name)
                button(words("data_as_missing"), partial(_as_missing, view, marker), label=label)
    if found.noticed.stray:
        note(words("data_stray", cells=found.noticed.stray))


async def _as_missing(view: View, marker: str) -> None:
    await view.attempt(lambda: view.session.treat_as_missing(marker))


def _edit(view: View, name: str) -> None:
    view.column = name
    ui.navigate.to("/hierarchies")


async def _quantity(view: View, name: str, quantity: bool) -> None:
    await view.attempt(lambda: view.session.declare_quantity(name, quantity))


async def _role(view: View, name: str, role: str) -> None:
    await view.attempt(lambda: view.session.give_role(name, role))  # type: ignore[arg-type]
