"""How alike the rows of a table are, as it stands: no plan, no schema, and no cell in the answer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.errors import DataError, InvalidParameter, names, nearest, plural
from tokumei.privacy import diversity
from tokumei.privacy.constraints import Bound, LDiversity, TCloseness
from tokumei.progress import stage
from tokumei.table.classes import class_of
from tokumei.table.coded import encode, numbered
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Attribute, Schema

SHOWN = 10  # combinations in the text of a check


@dataclass(frozen=True)
class Combination:
    """Columns that single people out together, while none of them can be spared; ``rows`` counts these people."""

    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class SensitiveCheck:
    """The least diverse class of a sensitive column.

    Attributes
    ----------
    distinct
        The fewest different values in any class.
    entropy
        The fewest evenly spread values that any class is worth: exp of its entropy.
    t
        The largest distance of any class from the whole table, all values being equally far apart.
    disclosed
        How many rows lie in classes that agree in one value.
    """

    distinct: int
    entropy: float
    t: float
    disclosed: int


@dataclass(frozen=True)
class Check:
    """What `check` found: counts only.

    Attributes
    ----------
    rows, classes
        How many rows there are, and how many classes of rows that agree in all columns.
    k
        The smallest class.
    unique
        How many rows are alone in their class.
    at_risk, threshold
        How many rows lie in classes of fewer than ``threshold`` rows.
    sensitive
        For each sensitive column how diverse the classes are.
    singled_out
        How many rows are alone already in some so many columns: for each number of columns, those that are not in fewer.
    combinations
        Sets of columns in which rows are alone, and in no smaller set of them, those with most rows first.
    largest
        Up to how many columns were put together.
    """

    columns: tuple[str, ...]
    rows: int
    classes: int
    k: int
    unique: int
    at_risk: int
    threshold: int
    sensitive: Mapping[str, SensitiveCheck]
    singled_out: Mapping[int, int]
    combinations: tuple[Combination, ...]
    largest: int

    def __str__(self) -> str:
        lines = [
            f"{plural(self.rows, 'row')} in {self.classes:,} classes that agree in {names(self.columns)}: k = {self.k:,}.",
            f"{self.unique:,} rows ({self.unique / self.rows:.1%}) are alone in their class; {self.at_risk:,} "
            f"({self.at_risk / self.rows:.1%}) are in classes of fewer than {self.threshold}.",
            f"Whoever knows these columns of everybody links {self.classes / self.rows:.1%} of the rows rightly on average.",
        ]
        for name, found in self.sensitive.items():
            lines.append(
                f"{name!r} has at least l = {found.distinct} different values in a class (worth {found.entropy:.3g} evenly "
                f"spread ones), is up to t = {found.t:.3f} away from the whole table, and is given away for "
                f"{plural(found.disclosed, 'row')}."
            )
        if self.combinations:
            lines.append("Rows are alone already")
            for size, rows in self.singled_out.items():
                lines.append(f"  {rows:>9,} by {plural(size, 'column')}" + ("" if size == 1 else " together"))
            lines.append("Most rows are singled out, none of the columns to spare, by")
            for each in self.combinations[:SHOWN]:
                lines.append(f"  {each.rows:>9,} {', '.join(each.columns)}")
        return "\n".join(lines)


def check(
    frame: Any,
    columns: Sequence[str],
    sensitive: str | Sequence[str] = (),
    threshold: int = 5,
    largest: int = 3,
) -> Check:
    """Count how alike the rows of a table are in some columns, and which columns single people out.

    Parameters
    ----------
    frame
        A pandas or polars frame or a pyarrow table, one row a person. A missing cell counts as a value.
    columns
        What an attacker may know of a person.
    sensitive
        Columns whose diversity in the classes is counted.
    threshold
        Rows in smaller classes count as at risk.
    largest
        Put up to so many columns together when looking for what singles people out.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.check(tk.example_census(rows=500), ["age", "sex"], sensitive="income")
    >>> found.rows, found.columns
    (500, ('age', 'sex'))
    """
    arrow = to_arrow(frame)[0]
    known = [columns] if isinstance(columns, str) else list(columns)
    secret = [sensitive] if isinstance(sensitive, str) else list(sensitive)
    _check_arguments(arrow, known, secret, threshold, largest)
    bare = Schema(tuple(Attribute(name, "insensitive", missing=True) for name in (*known, *secret)))
    table = encode(arrow.select([*known, *secret]), bare)
    codes = {name: numbered(table.columns[name].cells) for name in bare.names()}
    labels = class_of([codes[name] for name in known], table.rows)
    sizes = np.bincount(labels)
    combinations, singled_out = _singled_out(known, [codes[name] for name in known], labels, largest)
    return Check(
        columns=tuple(known),
        rows=table.rows,
        classes=len(sizes),
        k=int(sizes.min()),
        unique=int(np.count_nonzero(sizes == 1)),
        at_risk=int(sizes[sizes < threshold].sum()),
        threshold=threshold,
        sensitive={name: _diversity(name, codes[name], labels, sizes) for name in secret},
        singled_out=singled_out,
        combinations=combinations,
        largest=largest,
    )


def _check_arguments(
    table: pa.Table, known: Sequence[str], secret: Sequence[str], threshold: int, largest: int
) -> None:
    if not known:
        raise InvalidParameter("columns must name at least one column.")
    for name in (*known, *secret):
        if name not in table.column_names:
            raise InvalidParameter(f"There is no column {name!r} in the table.{nearest(name, table.column_names)}")
    if len({*known, *secret}) < len(known) + len(secret):
        raise InvalidParameter("a column is named twice.")
    if threshold < 2:
        raise InvalidParameter(f"threshold must be at least 2. Got {threshold}.")
    if largest < 1:
        raise InvalidParameter(f"largest must be at least 1. Got {largest}.")
    if table.num_rows == 0:
        raise DataError("The table has no rows.")


def _diversity(name: str, codes: Any, labels: Any, sizes: Any) -> SensitiveCheck:
    share = np.bincount(codes) / len(codes)
    values = len(share)
    l_diversity = LDiversity(name, 1)
    distinct = Bound(l_diversity, codes, values, diversity.distinct).numbers(labels, len(sizes))
    entropy = Bound(l_diversity, codes, values, diversity.effective).numbers(labels, len(sizes))
    distance = Bound(TCloseness(name, 1), codes, values, lambda counts: diversity.variation(counts, share))
    return SensitiveCheck(
        distinct=int(distinct.min()),
        entropy=float(entropy.min()),
        t=float(distance.numbers(labels, len(sizes)).max()),
        disclosed=int(sizes[distinct == 1].sum()),
    )


def _singled_out(
    columns: Sequence[str], codes: Sequence[Any], labels: Any, largest: int
) -> tuple[tuple[Combination, ...], dict[int, int]]:
    """Find the sets of columns in which rows are alone and in none of their smaller sets, small sets first.

    A row that is alone in a set is alone in every larger one, so a set is the smallest for a row if the row is alone in it
    and in none of the sets with one column less.
    """
    counts = np.bincount(labels)
    examples = np.empty(len(counts), dtype=np.int64)
    examples[labels] = np.arange(len(labels))
    distinct = [each[examples] for each in codes]
    alone: dict[tuple[int, ...], npt.NDArray[np.bool_]] = {(): np.zeros(len(counts), dtype=np.bool_)}
    met = np.zeros(len(counts), dtype=np.bool_)
    found, by_size = [], {}
    largest = min(largest, len(columns))
    work = sum(math.comb(len(columns), size) for size in range(1, largest + 1))
    with stage("Looking for columns that single people out", total=work) as shown:
        for size in range(1, largest + 1):
            here = {}
            before = met.copy()
            for some in itertools.combinations(range(len(columns)), size):
                classes = class_of([distinct[at] for at in some], len(counts))
                here[some] = np.bincount(classes, weights=counts)[classes] == 1
                already = np.zeros(len(counts), dtype=np.bool_)
                for left in itertools.combinations(some, size - 1):
                    already |= alone[left]
                rows = int(np.count_nonzero(here[some] & ~already))
                met |= here[some]
                if rows:
                    found.append(Combination(tuple(columns[at] for at in some), rows))
                shown.advance()
            by_size[size] = int(np.count_nonzero(met & ~before))
            alone = here
    found.sort(key=lambda each: (-each.rows, len(each.columns), each.columns))
    return tuple(found), by_size
