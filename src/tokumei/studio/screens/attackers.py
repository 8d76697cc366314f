"""Who might try, before and after, and what is known of the population in which they would have to look."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tokumei.progress import Progress, Stop
from tokumei.reports.numbers import percent
from tokumei.studio.drop import Drop
from tokumei.studio.parts import Text, box, card, choice, field, note, paragraph, problem, table
from tokumei.studio.session.attackers import Chance, Tries
from tokumei.studio.session.filling import number_of
from tokumei.studio.session.population import Population

if TYPE_CHECKING:
    from tokumei.studio.frame import View

UPLOAD = "/studio/upload"
TOLD = ("none", "size", "share", "weights", "table")
Both = tuple[Tries, Tries | None]


async def attackers(view: View, tell: Callable[[Tries], None]) -> None:
    """Show what is known of the population, and what each attacker can do; ``tell`` is told of the release."""
    words, session = view.words, view.session
    Text("h2", words("risk_attackers"))
    with card(words("population"), level=3):
        _population(view)

    def before(progress: Progress, cancelled: Stop) -> Both:
        return session.tries_before(progress, cancelled), None

    def both(progress: Progress, cancelled: Stop) -> Both:
        return session.tries_before(progress, cancelled), session.tries_after(progress, cancelled)

    place = box("filled")
    chosen = session.state.method is not None
    if await view.fill("attackers", before, partial(_attackers, view, tell), place) and chosen:
        await view.fill("attackers after", both, partial(_attackers, view, tell), place)


def _attackers(view: View, tell: Callable[[Tries], None], found: Both) -> None:
    words, (before, after) = view.words, found
    with card():
        head = [words("attacker_who"), words("attacker_most_before"), words("attacker_mean_before")]
        rows = []
        for place, chance in enumerate(before.chances):
            row: list[str | list[str]] = [[words(f"attacker_named_{chance.attacker}")], *_told(view, chance)]
            if after is not None:
                row += _told(view, after.chances[place])
            rows.append(row)
        if after is not None:
            head += [words("attacker_most_after"), words("attacker_mean_after")]
        table(head, rows, words("risk_attackers"), numbers=range(1, len(head)))
        with box("", "ul"):
            for chance in before.chances:
                named = words(f"attacker_named_{chance.attacker}")
                with box("note", "li"):
                    Text("b", f"{named}{words('colon')}")
                    who, knows = words(f"attacker_{chance.attacker}"), words(f"attacker_{chance.attacker}_knows")
                    Text("span", view.said(words.join([who, knows])))
        if before.unique is not None:
            found_by = before.unique
            paragraph(
                words(
                    "population_unique",
                    people=f"{found_by.people:,.0f}",
                    population=f"{found_by.population:,}",
                    share=percent(found_by.share),
                    how=words("grounds_counted" if found_by.chosen == "counted" else "grounds_estimated"),
                )
            )
        for tries in (before, after):
            if tries is not None and tries.problem is not None:
                problem(view.say(tries.problem))
    if after is not None:
        tell(after)


def _told(view: View, chance: Chance) -> list[str | list[str]]:
    """Return the largest and the mean probability; who links as many as possible is judged by the mean alone."""
    grounds = view.words(f"grounds_{chance.grounds}")

    def known(said: str) -> str:
        return view.words("in_brackets", text=said, aside=grounds)

    highest, mean = percent(chance.highest), "–" if chance.average is None else percent(chance.average)
    if chance.attacker == "marketer":
        return ["–", known(highest if chance.average is None else mean)]
    return [known(highest), mean]


def _population(view: View) -> None:
    words, told = view.words, view.session.state.population
    paragraph(words("population_about"))
    now = view.population or ("none" if told is None else told.told)
    with box("row bottom"):
        choice(
            words("population_told"), {each: words(f"population_{each}") for each in TOLD}, now, partial(_turn, view)
        )
        if now == "size":
            people = "" if told is None or told.people is None else str(told.people)
            field(words("population_people"), people, partial(_size, view), inputmode="numeric")
        elif now == "share":
            share = "" if told is None or told.share is None else f"{100 * told.share:g}"
            field(words("population_percent"), share, partial(_share, view), inputmode="decimal")
        elif now == "weights":
            columns = {"": words("form_choose"), **{name: name for name in view.session.state.schema.names()}}
            column = "" if told is None or told.column is None else told.column
            choice(words("population_column"), columns, column, partial(_weights, view))
    if now == "table":
        if told is not None and told.name is not None and view.session.population_table is not None:
            note(words("population_given", name=told.name))
        Drop(
            UPLOAD,
            partial(_table, view),
            invitation=words("population_drop"),
            choose=words("data_choose"),
            failed=words("data_failed"),
        )
    elif now != "none":
        note(words("population_random"))
    if view.session.state.schema.names("person") and now != "none":
        note(words("population_several"))


async def _turn(view: View, name: str) -> None:
    """Ask for something else of the population; nothing is known of it until that is filled in."""
    view.population = "" if name == "none" else name
    if name == "none" and view.session.state.population is not None:
        await view.attempt(lambda: view.session.change(population=None))
    else:
        view.redraw()


async def _size(view: View, given: str) -> None:
    number = number_of(given.replace(",", ""))
    if isinstance(number, str) or number != int(number):
        view.tell(view.words("population_number"))
        return
    await _take(view, lambda: Population("size", people=int(number)))


async def _share(view: View, given: str) -> None:
    number = number_of(given.removesuffix("%"))
    if isinstance(number, str):
        view.tell(view.words("population_number"))
        return
    await _take(view, lambda: Population("share", share=number / 100))


async def _weights(view: View, column: str) -> None:
    if column:
        await _take(view, lambda: Population("weights", column=column))


async def _take(view: View, make: Callable[[], Population]) -> None:
    view.population = ""
    await view.attempt(lambda: view.session.change(population=make()))


async def _table(view: View, ticket: str) -> None:
    place, name = view.studio.file(ticket)
    view.population = ""
    await view.attempt(lambda: view.session.give_population(place, name))
    view.studio.forget(ticket)
