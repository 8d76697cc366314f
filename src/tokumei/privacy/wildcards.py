"""Rows that agree if a suppressed cell agrees with anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.arrays import Booleans, Integers
from tokumei.mechanism.recoding import Recoding
from tokumei.progress import stage
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable


def smallest_agreement(rows: CodedTable, columns: Sequence[str], recoding: Recoding) -> int:
    """Count the rows that agree with the row which fewest agree with, itself included."""
    classes = class_of((rows.codes(name) for name in columns), rows.rows)
    sizes, examples = _of_classes(classes)
    cells = [rows.codes(name)[examples].astype(np.int64) for name in columns]
    stars = [recoding.columns[name].starred[codes] for name, codes in zip(columns, cells, strict=True)]
    return int(_agreeing(np.stack(cells, axis=1), np.stack(stars, axis=1), sizes, every=False).min())


def agreements(cells: Integers, stars: Booleans, every: bool = False) -> Integers:
    """Count for each row the rows that agree with it in every column where neither is suppressed, itself included.

    The smallest number is exact, the others may be lower bounds: a class of rows that are equal, stars included, has as
    many agreements as rows at least, and is not looked at if that cannot be the smallest. With ``every`` all numbers are
    exact. Rows with the same suppressed columns are counted together, one pair of such sets at a time.
    """
    rows, columns = cells.shape
    shown = np.where(stars, cells.max(axis=0) + 1, cells)
    classes = class_of([shown[:, column] for column in range(columns)], rows)
    sizes, examples = _of_classes(classes)
    return _agreeing(cells[examples], stars[examples], sizes, every=every)[classes]


def _of_classes(classes: Integers) -> tuple[Integers, Integers]:
    """Return how many rows each class has, and one of them."""
    sizes = np.bincount(classes)
    examples = np.empty(len(sizes), dtype=np.int64)
    examples[classes] = np.arange(len(classes))
    return sizes, examples


def _agreeing(cells: Integers, stars: Booleans, sizes: Integers, *, every: bool) -> Integers:
    """Count for each of different rows, each of which stands for some, how many agree with it."""
    patterns = class_of(stars.T.astype(np.int64), len(sizes))
    members = [np.flatnonzero(patterns == pattern) for pattern in range(int(patterns.max()) + 1)]
    found = sizes.astype(np.int64)
    fewest = np.iinfo(np.int64).max
    with stage("Comparing rows with suppressed cells", total=len(members)) as bar:
        for mine in sorted(members, key=lambda some: int(sizes[some].min())):
            bar.advance()
            some = mine if every else mine[sizes[mine] < fewest]
            if not len(some):
                continue
            found[some] = 0
            for theirs in members:
                common = ~(stars[mine[0]] | stars[theirs[0]])
                found[some] += _matches(cells[some][:, common], cells[theirs][:, common], sizes[theirs])
            fewest = min(fewest, int(found[some].min()))
    return found


def _matches(mine: Integers, theirs: Integers, counts: Integers) -> Integers:
    """Count for each of some rows how many of others are equal to it."""
    both = np.concatenate([mine, theirs])
    labels = class_of([both[:, column] for column in range(both.shape[1])], len(both))
    totals = np.bincount(labels[len(mine) :], weights=counts, minlength=int(labels.max()) + 1)
    return totals[labels[: len(mine)]].astype(np.int64)
