"""Finding what rows should tell: candidates, each as coarse as suits it, by the error to expect."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tokumei.anonymizers.tells import Subsets, grid_of
from tokumei.arrays import Floats
from tokumei.mechanism.expected_errors import Errors, Part, expected_errors
from tokumei.table.axis import axis_of
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

STRETCHES = (4, 6, 8, 12, 16, 24, 36, 48)  # cells that a number may be told in
BLUR = 0.8  # what a number told in c cells loses, times c: its shape within a cell
MERGED = 0.4  # what a category loses whose labels are all merged
FINEST = 1000  # weights are rounded to shares of this


@dataclass(frozen=True)
class Picked:
    """What rows tell, and the error to expect of tables in the cells that are told."""

    parts: tuple[Subsets, ...]
    errors: Errors


class Option(NamedTuple):
    """One way to tell a column: how many cells are asked for, how many there are, a missing one included, and what is lost."""

    asked: int
    cells: int
    blur: float


Objective = Callable[[Errors, Floats], float]  # of the errors and the cells of each column


def options_of(attribute: Attribute) -> tuple[Option, ...]:
    """List the ways to tell a column, the coarsest first."""
    grid_of(attribute, 2)  # a column without a domain is refused
    domain = attribute.domain
    assert domain is not None
    size, axis = domain.size, axis_of(replace(attribute, missing=False))
    if attribute.hierarchy is not None:
        counts = {len(np.unique(level)) for level in axis.first}
    elif axis.free == size:
        counts = set(STRETCHES)
    else:
        counts = set()
    if isinstance(domain, Categories) or size <= max(STRETCHES) or (attribute.hierarchy is not None):
        counts.add(size)
    each = sorted(count for count in counts if 1 < count <= size) or [size]
    return tuple(Option(max(count, 2), count + attribute.missing, _blur(attribute, count)) for count in each)


def _blur(attribute: Attribute, cells: int) -> float:
    """Return what is lost within cells: all of it, for a category; the shape of a number, which is smooth."""
    assert attribute.domain is not None
    size = attribute.domain.size
    return MERGED * (1 - cells / size) if isinstance(attribute.domain, Categories) else BLUR * (1 / cells - 1 / size)


class Search:
    """Tries candidates, each with the coarseness that suits it best."""

    def __init__(
        self,
        attributes: Sequence[Attribute],
        options: Sequence[tuple[Option, ...]],
        rows: int,
        swap: float,
        objective: Objective,
    ) -> None:
        self.attributes, self.options = attributes, options
        self.rows, self.swap, self.objective = rows, swap, objective
        alike: dict[tuple[Option, ...], list[int]] = {}
        for place, each in enumerate(options):
            alike.setdefault(each, []).append(place)
        self.alike = list(alike.values())  # columns of which nothing public differs are told alike

    def best(self, candidates: Sequence[tuple[Subsets, ...]]) -> Picked:
        """Return the candidate with the least error, the first of several."""
        found = [self._coarsened(parts) for parts in candidates]
        return self._picked(min(found, key=lambda each: each[1])[0])

    def weighted(self, picked: Picked) -> Picked:
        """Let columns that rows tell alone weigh what makes the sum of their errors least."""
        (part,) = picked.parts
        t = 1 / math.sqrt(self.swap) - 1
        if t <= 0:
            return picked
        cells = self._made([part])[0].cells
        raw = (np.sqrt(np.maximum(cells - 1, 1e-12)) * (t + cells) / t) ** (2 / 3)
        weights = np.maximum(1, np.rint(raw / raw.max() * FINEST)).astype(int).tolist()
        if len(set(weights)) == 1:
            return picked
        shrink = math.gcd(*weights)
        return self._picked(
            tuple(
                replace(part, columns=(a.name,), cells=_only(part.cells, (a.name,)), weight=weight // shrink)
                for a, weight in zip(self.attributes, weights, strict=True)
            )
        )

    def _picked(self, parts: tuple[Subsets, ...]) -> Picked:
        return Picked(parts, expected_errors(self._made(parts), self.rows, self.swap))

    def _coarsened(self, parts: tuple[Subsets, ...]) -> tuple[tuple[Subsets, ...], float]:
        """Find the coarseness of columns, those alike together, until no change of one helps."""
        made = self._made(parts)
        free = [np.array([part.cells_of(a.name) is None for a in self.attributes]) for part in parts]
        told = [np.isin(np.arange(len(self.attributes)), part.clusters) for part in made]
        given = [np.array([self._lost(a, part) for a in self.attributes]) for part in parts]

        def loss(choice: Sequence[Option]) -> float:
            cells, blur = np.array([each.cells for each in choice]), np.array([each.blur for each in choice])
            tried = [replace(p, cells=np.where(f, cells, p.cells)) for p, f in zip(made, free, strict=True)]
            lost = [np.where(t, np.where(f, blur, g), np.inf) for t, f, g in zip(told, free, given, strict=True)]
            least = np.min(lost, axis=0)
            finest = np.max([np.where(t, p.cells, 1) for t, p in zip(told, tried, strict=True)], axis=0)
            least = np.where(np.isinf(least), 0, least)  # a column that no row tells is refused later
            return self.objective(expected_errors(tried, self.rows, self.swap, least), finest)

        choice = [each[len(each) // 2] for each in self.options]
        best, before = loss(choice), math.inf
        while best < before:
            before = best
            for places in self.alike:
                for option in self.options[places[0]]:
                    tried = [option if place in places else each for place, each in enumerate(choice)]
                    if (found := loss(tried)) < best:
                        choice, best = tried, found
        return tuple(self._said(part, choice) for part in parts), best

    def _said(self, part: Subsets, choice: Sequence[Option]) -> Subsets:
        """Return a part with the cells that were chosen, where they are not those that it has anyway."""
        if isinstance(part.cells, int):
            return part
        cells = dict(part.cells or {})
        for attribute, option in zip(self.attributes, choice, strict=True):
            whole = isinstance(attribute.domain, Categories) and option.blur == 0
            if part.cells_of(attribute.name) is None and not whole:
                cells[attribute.name] = option.asked
        named = part.columns if isinstance(part.columns, tuple) else tuple(a.name for a in self.attributes)
        return replace(part, cells=_only(cells, named))

    def _made(self, parts: Sequence[Subsets]) -> list[Part]:
        """Return parts as the formula takes them."""
        at = {a.name: place for place, a in enumerate(self.attributes)}
        made = []
        for part in parts:
            clusters = np.array([[at[name] for name in each] for each in part.clusters(list(at))])
            weights = np.full(len(clusters), part.weight / len(clusters))
            made.append(Part(clusters, weights, np.array([self._cells(a, part) for a in self.attributes], dtype=float)))
        return made

    def _cells(self, attribute: Attribute, part: Subsets) -> int:
        return _count(attribute, part.cells_of(attribute.name)) + attribute.missing

    def _lost(self, attribute: Attribute, part: Subsets) -> float:
        return _blur(attribute, _count(attribute, part.cells_of(attribute.name)))


def _count(attribute: Attribute, cells: int | None) -> int:
    """Count the cells of a column, given how many it may have at most."""
    starts = grid_of(attribute, cells)
    assert attribute.domain is not None
    return attribute.domain.size if starts is None else len(starts)


def _only(cells: int | Mapping[str, int] | None, names: Sequence[str]) -> int | dict[str, int] | None:
    """Return the cells of some columns; nothing where none are given."""
    if cells is None or isinstance(cells, int):
        return cells
    return {name: count for name, count in cells.items() if name in names} or None
