"""The ladder of a release: its rungs as a table, a card, a text and data, and duties held against them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.markup.card import card, folded, grid, said
from tokumei.privacy.duties import Duties, Kept, hold, read_duties
from tokumei.privacy.rungs import RUNGS, ClassesTellNothing, Rung, RungName, number_of
from tokumei.results import Result
from tokumei.shown import shown
from tokumei.words import Words, spoken
from tokumei.words.catalogue import Brief


@dataclass(frozen=True)
class Ladder(Result):
    """What a release promises against every kind of attacker.

    Attributes
    ----------
    rungs
        The five rungs: linking by those who know the quasi-identifiers, linking by those who know the whole table, inference,
        differencing, and membership. Each is proved, counted, or nothing.
    seeded
        Whether the release was drawn with a seed, so that nothing that needs secret draws holds.
    """

    rungs: tuple[Rung, ...]
    seeded: bool = False

    def __getitem__(self, name: str) -> Rung:
        return self.rungs[RUNGS.index(name)]

    def duties(self, duties: str | Duties | None) -> tuple[Kept, ...]:
        """Hold duties against the rungs, one by one; see `holds`."""
        return hold(self.rungs, read_duties(duties))

    def holds(self, duties: str | Duties | None) -> bool:
        """Say whether every duty holds: the number of its rung is no larger than what is allowed.

        Parameters
        ----------
        duties
            What is allowed at most on some rungs, such as ``"linking 1/10, inference 3/4"`` or
            ``{"linking": 1/10, "differencing": 1.0}``. Where nothing is promised, no duty holds.
        """
        return not (self.seeded and read_duties(duties)) and all(each.holds for each in self.duties(duties))

    def table(self, words: Words | None = None) -> list[tuple[str, ...]]:
        """Return a line of titles and one line per rung: its name, the number of the original where it is known, that of the release, how."""
        words = words or Words("en")
        before = any(rung.original is not None for rung in self.rungs)
        titles = ("rung", *(("original",) if before else ()), "release", "how")
        lines = [tuple(words(f"ladder.{title}") for title in titles)]
        for rung in self.rungs:
            was = () if not before else (_was(rung, words),)
            lines.append((words(f"ladder.name.{rung.name}"), *was, value_of(rung, words), words(f"ladder.{rung.how}")))
        return lines

    def lines(self, words: Words | None = None) -> list[str]:
        """Say in a few lines per rung whom it is about, and what holds."""
        words, told = words or Words("en"), []
        brief = Brief(words.language, first_in_full=True)
        for place, rung in enumerate(self.rungs, start=1):
            told.append(
                f"{place}. {words(f'ladder.name.{rung.name}')}{words('colon')}{words(f'ladder.who.{rung.name}')}"
            )
            told += [f"   {bound.sentence(brief)}" for bound in rung.bounds]
        return told

    def assumed(self, words: Words) -> list[str]:
        """Say what the rungs assume, each assumption once, with the places of the rungs that it belongs to."""
        every = [each for rung in self.rungs for bound in rung.bounds for each in bound.assumes]
        columns = [name for each in every if isinstance(each, ClassesTellNothing) for name in each.columns]
        together = ClassesTellNothing(columns=tuple(dict.fromkeys(columns)))
        places: dict[str, list[int]] = {}
        for place, rung in enumerate(self.rungs, start=1):
            for bound in rung.bounds:
                for each in bound.assumes:
                    of = places.setdefault(words.say(together if isinstance(each, ClassesTellNothing) else each), [])
                    if place not in of:
                        of.append(place)
        return [f"{said} ({', '.join(map(str, of))})" for said, of in places.items()]

    def bars(self, words: Words | None = None) -> list[dict[str, Any]]:
        """Return what `tokumei.plots.ladder` draws: for each rung a probability, before and after, with its number and how."""
        words, made = words or Words("en"), []
        for rung in self.rungs:
            called = words(f"ladder.name.{rung.name}")
            if rung.original is not None:
                made.append(_bar(called, words("ladder.original"), rung.name, rung.original.value, "", words))
            how = words(f"ladder.{rung.how}")
            made.append(_bar(called, words("ladder.release"), rung.name, rung.value, how, words))
        return made

    def describe(self) -> dict[str, Any]:
        """Return the ladder as data, for JSON: keys and numbers, no sentence."""
        return {"rungs": [rung.describe() for rung in self.rungs], "seeded": self.seeded}

    def __str__(self) -> str:
        return "\n".join(map(shown, [*written_table(self.table()), "", *self.lines(), "", Words("en")("ladder.lower")]))

    def _repr_html_(self) -> str:
        words = spoken()
        head, *rows = self.table(words)
        return card(
            words("ladder.title"),
            said(words("cli.seeded"), loud=True) if self.seeded else "",
            grid(head, rows),
            *(said(line) for line in self.lines(words)),
            folded(words("ladder.assumes"), self.assumed(words)),
            said(words("ladder.lower")),
        )


def value_of(rung: Rung, words: Words) -> str:
    """Write the number of a rung; of a sample with that for those who know who was drawn."""
    return number_of(rung.name, rung.value, words)


def _was(rung: Rung, words: Words) -> str:
    return words("ladder.none") if rung.original is None else number_of(rung.name, rung.original.value, words)


def _bar(rung: str, when: str, name: RungName, value: float | None, how: str, words: Words) -> dict[str, Any]:
    return {
        "rung": rung,
        "when": when,
        "value": as_belief(name, value),
        "label": number_of(name, value, words),
        "how": how,
        "told": words("in_brackets", text=number_of(name, value, words), aside=how)
        if how
        else number_of(name, value, words),
    }


def as_belief(name: RungName, value: float | None) -> float:
    """Put the number of a rung on the scale of probabilities: of epsilon, what becomes of a belief of one half.

    >>> as_belief("linking", 0.1), as_belief("differencing", None), as_belief("differencing", 0.0)
    (0.1, 1.0, 0.5)
    """
    if name != "differencing":
        return 1.0 if value is None else value
    return 1.0 if value is None else 1 / (1 + math.exp(-value))


def written_table(lines: Sequence[Sequence[str]]) -> list[str]:
    """Write lines of cells below each other.

    >>> written_table([("a", "bb"), ("ccc", "d")])
    ['a    bb', 'ccc  d']
    """
    wide = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    return ["  ".join(cell.ljust(size) for cell, size in zip(line, wide, strict=True)).rstrip() for line in lines]
