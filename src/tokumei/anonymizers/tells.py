"""What each row tells: subsets of the columns, how coarse, and how often; from public numbers alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
from pydantic import Field, StrictInt, StrictStr

from tokumei.anonymizers.notes import ExpectedErrors, NeverTogether, RowsTell, ToldByAll, ToldInCells
from tokumei.bounds import LARGEST_DOMAIN
from tokumei.errors import InvalidParameter
from tokumei.mechanism.expected_errors import Errors
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.telling import LABEL, MOST_CLUSTERS, WORDS, Cluster, Telling
from tokumei.mechanism.told_column import Grid, ToldColumn
from tokumei.partition.notes import Note
from tokumei.table.axis import axis_of
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute, Schema
from tokumei.text import free_name, nearest
from tokumei.text import names as listed
from tokumei.values import described, value

NUMBERS = 12  # cells of a number or date that is told, where nobody says how many
Cells = Annotated[StrictInt, Field(ge=2)]


@value
class Subsets:
    """Rows that tell some columns, whole or coarser.

    Parameters
    ----------
    columns
        How many columns such a row tells, every subset of that size being equally likely; or the names of those that it
        tells.
    cells
        How many different cells a column may have at most: numbers, dates and ordered categories are cut into stretches of
        equal length, or told at the finest level of their hierarchy that has as few; unordered categories without a
        hierarchy are told as they are. Or a number for each column that is named. Where none is given, categories have all
        of theirs, and numbers and dates as many as make the error to expect smallest (`tokumei.tells.Auto`).
    weight
        How many rows do so, relative to the other parts.

    Examples
    --------
    Half of the rows tell three columns coarsely, the others one in full:

    >>> import tokumei as tk
    >>> tk.PkPerturbation(k=10, tells=[tk.tells.Subsets(3, cells=4), tk.tells.Subsets(1)]).tells
    (Subsets(columns=3, cells=4, weight=1), Subsets(columns=1, cells=None, weight=1))
    """

    columns: Annotated[StrictInt, Field(ge=1)] | tuple[StrictStr, ...]
    cells: Cells | dict[str, Cells] | None = None
    weight: Annotated[StrictInt, Field(ge=1, le=10**6)] = 1

    def __post_init__(self) -> None:
        if isinstance(self.columns, tuple) and len(set(self.columns)) != max(1, len(self.columns)):
            raise InvalidParameter("Subsets: columns must name at least one column, each once.")

    def cells_of(self, name: str) -> int | None:
        """Return how many cells a column may have, where that is given."""
        return self.cells.get(name) if isinstance(self.cells, dict) else self.cells

    def clusters(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """List the clusters of these columns."""
        for name in self.cells if isinstance(self.cells, dict) else ():
            if name not in names:
                raise InvalidParameter(
                    "tells gives cells of {name!r}, which is not perturbed.{hint}", name=name, hint=nearest(name, names)
                )
        if isinstance(self.columns, tuple):
            for name in self.columns:
                if name not in names:
                    raise InvalidParameter(
                        "tells names {name!r}, which is not perturbed.{hint}", name=name, hint=nearest(name, names)
                    )
            return [self.columns]
        if self.columns > len(names):
            raise InvalidParameter(
                "a row cannot tell {columns} columns, since only {perturbed} are perturbed; tell fewer.",
                columns=self.columns,
                perturbed=len(names),
            )
        if math.comb(len(names), self.columns) > MOST_CLUSTERS:
            raise InvalidParameter(
                "there are {subsets:,} subsets of {columns} of {perturbed} columns, "
                "and at most {most_clusters:,} can be told apart; tell fewer columns, or name them.",
                subsets=math.comb(len(names), self.columns),
                columns=self.columns,
                perturbed=len(names),
                most_clusters=MOST_CLUSTERS,
            )
        return list(itertools.combinations(names, self.columns))


def solve_telling(parts: Sequence[Subsets], attributes: Sequence[Attribute], swap: Fraction, schema: Schema) -> Telling:
    """Return the telling whose clusters all have a swap of at least the one asked for, and hardly more."""
    names = [a.name for a in attributes]
    by_part = [part.clusters(names) for part in parts]
    check_all_told(names, by_part)
    common = math.lcm(*map(len, by_part))
    by_name = {a.name: a for a in attributes}
    wanted = {
        name: sorted(
            {
                grid_of(by_name[name], part.cells_of(name))
                for part, clusters in zip(parts, by_part, strict=True)
                if any(name in cluster for cluster in clusters)
            },
            key=lambda grid: (grid is not None, -len(grid or ())),  # the finest first
        )
        for name in names
    }
    made: list[tuple[tuple[str, ...], tuple[int, ...], int]] = []
    for part, clusters in zip(parts, by_part, strict=True):
        grids = {name: grid_of(by_name[name], part.cells_of(name)) for cluster in clusters for name in cluster}
        for cluster in clusters:
            at = tuple(wanted[name].index(grids[name]) for name in cluster)
            made.append((cluster, at, part.weight * common // len(clusters)))
    shrink = math.gcd(*(weight for *_, weight in made))
    if sum(weight for *_, weight in made) // shrink > WORDS:
        raise InvalidParameter("the weights in tells have no common unit that is large enough; use smaller weights.")
    columns = {name: ToldColumn(by_name[name], tuple(grids)) for name, grids in wanted.items()}
    solved: dict[int, Retention] = {}

    def channel(together: Sequence[str], at: Sequence[int]) -> Retention:
        size = math.prod(columns[n].cells(g) for n, g in zip(together, at, strict=True))
        check_tuples(together, size)
        if size not in solved:
            solved[size] = Retention.solve(size, swap, 64)
        return solved[size]

    solved_for = tuple(Cluster(together, at, weight // shrink, channel(together, at)) for together, at, weight in made)
    return Telling(free_name(LABEL, schema.names()), columns, solved_for)


def check_all_told(names: Sequence[str], by_part: Sequence[Sequence[tuple[str, ...]]]) -> None:
    """Refuse clusters in which a column is never told."""
    lacking = set(names) - {name for clusters in by_part for cluster in clusters for name in cluster}
    if lacking:
        lost = next(name for name in names if name in lacking)
        raise InvalidParameter("no row would tell {lost!r}; name it in tells, or drop the column.", lost=lost)


def check_tuples(together: Sequence[str], size: int) -> None:
    """Refuse a cluster with more combinations of values than could be read."""
    if size > LARGEST_DOMAIN:
        raise InvalidParameter(
            "{columns} have {size:,} combinations of values together, and a row can tell one of at most {most:,}; tell fewer "
            "columns, or coarser ones (cells=).",
            columns=listed(together),
            size=size,
            most=LARGEST_DOMAIN,
        )


def grid_of(attribute: Attribute, cells: int | None) -> Grid:
    """Return where the cells of a column begin, so that there are at most this many; none where every value is one."""
    domain = attribute.domain
    if domain is None:
        raise InvalidParameter("{column!r} has no declared domain; declare one to perturb it.", column=attribute.name)
    if cells is None:
        if isinstance(domain, Categories):
            return None
        cells = NUMBERS
    if domain.size <= cells:
        return None
    axis = axis_of(replace(attribute, missing=False))
    if attribute.hierarchy is not None:
        levels = [tuple(np.unique(first).tolist()) for first in axis.first]
        fitting = [starts for starts in levels if len(starts) <= cells]
        starts = fitting[0] if len(fitting[0]) > 1 else [starts for starts in levels if len(starts) > 1][-1]
        return None if len(starts) == domain.size else starts
    if axis.free < domain.size:
        return None
    return tuple(-(-place * domain.size // cells) for place in range(cells))


def describe_tells(tells: Any) -> Any:
    """Return what rows tell, as it was asked for, as it appears in a manifest."""
    if isinstance(tells, tuple):
        return [described(part) for part in tells]
    return tells if isinstance(tells, str | int) else described(tells)


def released_schema(telling: Telling, schema: Schema) -> Schema:
    """Return the schema of the released columns."""
    for column in telling.columns.values():
        schema = schema.replacing(column.released)
    return Schema((*schema, telling.attribute))


def solved_with(
    parts: Sequence[Subsets],
    attributes: Sequence[Attribute],
    schema: Schema,
    swap: Fraction,
    keeps: Callable[[Telling], bool],
) -> Telling:
    """Return the telling for a swap, or for a little more where rounding asks for it."""
    for more in (0, 2**-60, 2**-50, 2**-40, 2**-30, 2**-22):
        telling = solve_telling(parts, attributes, min(Fraction(1), swap * (1 + Fraction(more))), schema)
        if keeps(telling):
            return telling
    raise InvalidParameter("k is so near to the number of rows that no noise achieves it; ask for a smaller k.")


def notes_of(telling: Telling, errors: Errors) -> tuple[Note, ...]:
    """Say what rows tell, how coarsely, and what error to expect."""
    told = [set(cluster.columns) for cluster in telling.clusters]
    sizes = [len(each) for each in told]
    made: list[Note] = [RowsTell(fewest=min(sizes), most=max(sizes), columns=len(telling.columns), clusters=len(told))]
    always = set.intersection(*told)
    if len(told) > 1 and always:
        made.append(ToldByAll(columns=tuple(name for name in telling.columns if name in always)))
    coarse = {
        n: max(len(starts or ()) for starts in c.grids) for n, c in telling.columns.items() if None not in c.grids
    }
    if coarse:
        made.append(ToldInCells(columns=tuple(coarse), counts=tuple(coarse.values())))
    made.append(ExpectedErrors(one=errors.mean_one, two=errors.mean_two))
    return (*made, NeverTogether()) if max(sizes) == 1 < len(telling.columns) else tuple(made)
