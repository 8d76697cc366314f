"""Hierarchies: how the values of a column may be made coarser, level by level.

Level 0 is the value itself; each level above merges groups of the level below. A hierarchy is declared, like a
domain: it is read from a file, given as groups or intervals, or made from a domain by a rule. One that was learned from
rows says so, and every release that uses it discloses it.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import itertools
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pydantic

from tokumei.arrays import Integers
from tokumei.bounds import LARGEST_TREE, MOST_LEVELS, finite
from tokumei.errors import InvalidParameter
from tokumei.files import atomic_file, read_text
from tokumei.plain_values import plain_arguments
from tokumei.table.domain import Categories, Dates, Domain, Numbers, number_text
from tokumei.table.levels import Period, check_levels, date_rows, mask_rows, order_rows
from tokumei.text import names
from tokumei.values import value

Edge = int | float | dt.date


class Hierarchy(ABC):
    """Levels of coarser values over a domain.

    Make one with `read_csv`, `groups` or `intervals`, or from a domain with `masks`, `dates` or `order`.
    """

    learned: bool = False

    @property
    @abstractmethod
    def depth(self) -> int:
        """How many levels lie above the values themselves."""

    @abstractmethod
    def coarsen(self, domain: Domain, level: int) -> tuple[Categories, Integers]:
        """Return the domain of a level, and for each code of ``domain`` its code there."""

    @abstractmethod
    def uncovered(self, domain: Domain) -> list[str]:
        """Name the values of a domain that the hierarchy does not have."""

    def check_level(self, level: int) -> None:
        """Refuse a level that the hierarchy does not have."""
        if not 0 <= level <= self.depth:
            raise InvalidParameter("level must be between 0 and {depth}. Got {level}.", depth=self.depth, level=level)

    def above(self, domain: Domain, level: int) -> Tree | None:
        """Return what is left of the hierarchy once the column has been recoded to ``level``."""
        if level >= self.depth:
            return None
        groups, codes = self.coarsen(domain, level)
        first = [int(np.argmax(codes == group)) for group in range(groups.size)]
        columns = [groups.labels()]
        for higher in range(level + 1, self.depth + 1):
            parents, places = self.coarsen(domain, higher)
            columns.append([parents.labels()[places[leaf]] for leaf in first])
        return Tree(tuple(zip(*columns, strict=True)), learned=self.learned)

    @staticmethod
    def read_csv(path: str | Path, delimiter: str | None = None) -> Tree:
        """Read the form that ARX uses: one value per line, then its coarser labels, most specific first.

        Without ``delimiter`` it is a semicolon where the first line has one, else a comma.
        """
        text = read_text(Path(path))
        if delimiter is None:
            delimiter = ";" if ";" in text.partition("\n")[0] else ","
        if text.count(delimiter) + text.count("\n") > LARGEST_TREE:
            raise InvalidParameter(
                "{path} has more than {largest_tree:,} labels, the most that a hierarchy may have.",
                path=path,
                largest_tree=LARGEST_TREE,
            )
        try:
            rows = [tuple(cell.strip() for cell in row) for row in csv.reader(io.StringIO(text), delimiter=delimiter)]
        except csv.Error as error:
            raise InvalidParameter("{path} is not a hierarchy file: {error}.", path=path, error=error) from None
        try:
            return Tree(tuple(row for row in rows if row))
        except InvalidParameter as error:
            raise InvalidParameter("{path}: {error}", path=path, error=error) from None

    @staticmethod
    @plain_arguments
    def groups(*levels: Mapping[str, Iterable[object]]) -> Tree:
        """Build a tree from groups: the first level groups the values, each further one the labels below it.

        >>> Hierarchy.groups({"north": ["A", "B"], "south": ["C"]}, {"all": ["north", "south"]}).rows
        (('A', 'north', 'all'), ('B', 'north', 'all'), ('C', 'south', 'all'))
        """
        if not levels:
            raise InvalidParameter("groups needs at least one level.")
        parents: list[dict[str, str]] = []
        for groups in levels:
            if not isinstance(groups, Mapping) or any(not _listed(members) for members in groups.values()):
                raise InvalidParameter(
                    "groups takes a mapping for each level: each label with the list of what it joins."
                )
            parent: dict[str, str] = {}
            for label, members in groups.items():
                for each in members:
                    member = number_text(each) if isinstance(each, float) else str(each)
                    if member in parent:
                        raise InvalidParameter("{member!r} is in two groups of one level.", member=member)
                    parent[member] = str(label)
            parents.append(parent)
        rows = []
        for leaf in parents[0]:
            row = [leaf]
            for parent in parents:
                if row[-1] not in parent:
                    raise InvalidParameter("the label {label!r} is in no group of the next level.", label=row[-1])
                row.append(parent[row[-1]])
            rows.append(tuple(row))
        return Tree(tuple(rows))

    @staticmethod
    @plain_arguments
    def intervals(*levels: Sequence[Edge]) -> Intervals:
        """Build a hierarchy of intervals from the edges of each level, finest first.

        An interval holds its lower edge and not its upper one, except the last, which holds both. Each coarser level
        must use edges of the finer one.

        >>> ages = Hierarchy.intervals([0, 18, 30, 65, 120], [0, 18, 120])
        >>> ages.coarsen(Numbers(0, 120, step=1), 1)[0].values
        ('0-17', '18-29', '30-64', '65-120')
        """
        if not all(isinstance(level, Sequence) and not isinstance(level, str) for level in levels):
            raise InvalidParameter("intervals takes the edges of each level as a list.")
        return Intervals(tuple(tuple(level) for level in levels))

    @staticmethod
    @plain_arguments
    def masks(domain: Categories, keep: Sequence[int] | None = None, mask: str = "*") -> Tree:
        """Hide the ends of codes such as postal ones; ``keep`` says how many characters each level keeps.

        Without ``keep`` each level hides one more character.

        >>> Hierarchy.masks(Categories(["60310", "60594", "10115"]), keep=[2, 0]).rows[0]
        ('60310', '60***', '*****')
        """
        if not isinstance(domain, Categories):
            raise InvalidParameter("masks needs a domain of categories; write codes as text.")
        return Tree(mask_rows(domain, keep, mask))

    @staticmethod
    @plain_arguments
    def dates(domain: Dates, periods: Sequence[Period] = ("month", "quarter", "year")) -> Tree:
        """Join dates by ``"day"``, ``"month"``, ``"quarter"``, ``"half"``, ``"year"`` or ``"decade"``, shortest first.

        >>> Hierarchy.dates(Dates(dt.date(2024, 2, 28), dt.date(2024, 3, 1))).rows[0]
        ('2024-02-28', '2024-02', '2024-Q1', '2024')
        """
        if not isinstance(domain, Dates):
            raise InvalidParameter("dates needs a domain of dates.")
        return Tree(date_rows(domain, periods))

    @staticmethod
    @plain_arguments
    def order(domain: Domain, fanout: Sequence[int] = (5,)) -> Tree:
        """Join neighbours of an ordered domain: this many values, then this many of these groups, and so on up to ``*``.

        >>> Hierarchy.order(Numbers(0, 9, step=1), fanout=[2, 3]).rows[7]
        ('7', '[6, 7]', '[6, 9]', '*')
        """
        return Tree(order_rows(domain, fanout))


@value
class Tree(Hierarchy):
    """A hierarchy given value by value: each row is a value followed by its labels, most specific first.

    ``learned`` says that it was made from rows; it then is part of what a release discloses.
    """

    rows: tuple[tuple[str, ...], ...]
    learned: bool = field(default=False, kw_only=True, repr=False)
    kind: Literal["tree"] = field(default="tree", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not self.rows:
            raise InvalidParameter("a hierarchy needs at least one row.")
        check_levels(len(self.rows), len(self.rows[0]) - 1)
        widths = {len(row) for row in self.rows}
        if len(widths) > 1:
            short = next(i for i, row in enumerate(self.rows) if len(row) != len(self.rows[0]))
            raise InvalidParameter(
                "every row needs as many levels as the first one; row {row} does not.", row=short + 1
            )
        if widths <= {0, 1}:
            raise InvalidParameter("a hierarchy needs at least one level above its values.")
        leaves = [row[0] for row in self.rows]
        doubled = [leaf for leaf, count in Counter(leaves).items() if count > 1]
        if doubled:
            raise InvalidParameter(
                "each value may occur once; these occur twice: {doubled}.", doubled=names(doubled[:5])
            )
        for level in range(1, self.depth):
            parent: dict[str, str] = {}
            for row in self.rows:
                if parent.setdefault(row[level], row[level + 1]) != row[level + 1]:
                    raise InvalidParameter(
                        "levels must be nested, but {label!r} of level {level} lies under two labels of level {above}.",
                        label=row[level],
                        level=level,
                        above=level + 1,
                    )

    @property
    def depth(self) -> int:
        """How many levels lie above the values themselves."""
        return len(self.rows[0]) - 1

    def uncovered(self, domain: Domain) -> list[str]:
        """Name the values of a domain that the hierarchy does not have."""
        known = {row[0] for row in self.rows}
        return [label for label in domain.labels() if label not in known]

    def coarsen(self, domain: Domain, level: int) -> tuple[Categories, Integers]:
        """Return the domain of a level, and for each code of ``domain`` its code there."""
        self.check_level(level)
        label_of = {row[0]: row[level] for row in self.rows}
        lacking = self.uncovered(domain)
        if lacking:
            raise InvalidParameter("the hierarchy lacks {values:value|values} of the domain.", values=len(lacking))
        place: dict[str, int] = {}
        codes = np.array([place.setdefault(label_of[leaf], len(place)) for leaf in domain.labels()], dtype=np.int64)
        sorted_domain = not isinstance(domain, Categories) or domain.ordered
        return Categories(tuple(place), ordered=sorted_domain and bool(np.all(np.diff(codes) >= 0))), codes

    def write_csv(self, path: str | Path, delimiter: str = ";") -> None:
        """Write the form that `read_csv` reads. It does not say whether a tree was learned from rows; one that was, only you may read."""
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(self.rows)
        with atomic_file(Path(path), overwrite=True, private=self.learned) as temporary:
            temporary.write_text(text.getvalue(), encoding="utf-8")


@value
class Intervals(Hierarchy):
    """A hierarchy of intervals of numbers or dates, given by the edges of each level, finest first."""

    edges: tuple[tuple[Edge, ...], ...]
    kind: Literal["intervals"] = field(default="intervals", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not self.edges:
            raise InvalidParameter("intervals need the edges of at least one level.")
        if len(self.edges) > MOST_LEVELS:
            raise InvalidParameter("a hierarchy may have at most {most_levels} levels.", most_levels=MOST_LEVELS)
        if len({_kind(edge) for level in self.edges for edge in level}) > 1:
            raise InvalidParameter("edges must be all numbers, all dates or all times, not a mixture.")
        if any(not isinstance(edge, dt.date) and not finite(edge) for level in self.edges for edge in level):
            raise InvalidParameter("edges must be finite numbers.")
        for number, level in enumerate(self.edges, start=1):
            if len(level) < 2:
                raise InvalidParameter("level {number} needs at least two edges.", number=number)
            if any(not low < high for low, high in itertools.pairwise(level)):  # type: ignore[operator]
                raise InvalidParameter("the edges of level {number} must increase.", number=number)
            if number > 1:
                stray = [edge for edge in level if edge not in self.edges[number - 2]]
                if stray:
                    raise InvalidParameter(
                        "levels must be nested, but the edge {stray} of level {number} is missing below it.",
                        stray=stray[0],
                        number=number,
                    )

    @property
    def depth(self) -> int:
        """How many levels lie above the values themselves."""
        return len(self.edges)

    def uncovered(self, domain: Domain) -> list[str]:
        """Name the values of a domain that lie outside the outermost edges."""
        if isinstance(domain, Categories):
            return domain.labels()
        lacking: list[str] = []
        if any(domain.first_code(level[0]) > 0 for level in self.edges):
            lacking.append(str(domain.low))
        if any(domain.first_code(level[-1]) < domain.size - 1 for level in self.edges):
            lacking.append(str(domain.high))
        return lacking

    def coarsen(self, domain: Domain, level: int) -> tuple[Categories, Integers]:
        """Return the domain of a level, and for each code of ``domain`` its code there."""
        self.check_level(level)
        if isinstance(domain, Categories):
            raise InvalidParameter("intervals need a domain of numbers or dates.")
        if self.uncovered(domain):
            raise InvalidParameter("the intervals do not cover the whole domain.")
        if level == 0:
            return Categories(tuple(domain.labels()), ordered=True), np.arange(domain.size)
        edges = self.edges[level - 1]
        starts = np.array([domain.first_code(edge) for edge in edges[:-1]])
        codes = np.searchsorted(starts, np.arange(domain.size), side="right") - 1
        used, codes = np.unique(codes, return_inverse=True)
        labels = [_interval_label(domain, edges, int(i)) for i in used]
        return Categories(tuple(labels), ordered=True), codes.astype(np.int64)


def _kind(edge: Edge) -> str:
    """Say what an edge may be compared with."""
    if not isinstance(edge, dt.datetime):
        return "date" if isinstance(edge, dt.date) else "number"
    return "time" if edge.tzinfo is None else "time with a zone"


AnyHierarchy = Annotated[Tree | Intervals, pydantic.Field(discriminator="kind")]


def _listed(members: object) -> bool:
    return isinstance(members, Iterable) and not isinstance(members, Mapping)


def _interval_label(domain: Numbers | Dates, edges: Sequence[Edge], place: int) -> str:
    low, high, last = edges[place], edges[place + 1], place == len(edges) - 2
    if isinstance(domain, Numbers) and domain.whole and all(float(edge).is_integer() for edge in (low, high)):  # type: ignore[arg-type]
        bottom, top = int(low), int(high) - (0 if last else 1)  # type: ignore[arg-type]
        return str(bottom) if bottom == top else f"{bottom}-{top}"
    shown = [number_text(edge) if isinstance(edge, float) else str(edge) for edge in (low, high)]
    return f"[{shown[0]}, {shown[1]}{']' if last else ')'}"
