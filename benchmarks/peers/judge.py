"""What a released table is worth and whether it keeps its promise, counted by us and alike for every package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import tokumei as tk
from benchmarks.peers.inputs import Input
from benchmarks.peers.sides import ours
from tokumei.table.loss import average_class_size, discernibility, mean_loss, open_share
from tokumei.table.reading import CellReader


@dataclass(frozen=True)
class Judged:
    """The smallest class, the worst l and t, rows missing, mean loss of a cell, classes, mean class over k, and pairs not told apart.

    ``t`` is the distance if all values are equally far apart, half the sum of the differences of shares; ``share`` is the largest of
    these differences, which some packages take for t.
    """

    k: int
    l: int  # noqa: E741 - its name in the field
    t: float
    share: float
    missing: int
    loss: float
    classes: int
    average: float
    discernibility: int

    def broken(self, asked: dict[str, Any]) -> str | None:
        """Say which promise is not kept."""
        if self.k < asked["k"]:
            return f"not kept: k is {self.k}"
        if "l" in asked and self.l < asked["l"]:
            return f"not kept: l is {self.l}"
        if "t" in asked and self.t > asked["t"] + 1e-9:
            own = ", though no share differs by more" if self.share <= asked["t"] + 1e-9 else ""
            return f"not kept: t is {self.t:.3f}{own}"
        return None


def judged(path: Path, given: Input, asked: dict[str, Any], *, listed: bool) -> Judged:
    """Count what a released file holds.

    Parameters
    ----------
    path
        A CSV file: the columns, the sensitive one, and a count where a row stands for several.
    given
        The table as it was handed over.
    asked
        k, and l, t and trees where they were asked for.
    listed
        Cells are lists of values and ranges such as ``17-30``; else what tokumei's columns can say.
    """
    request = {**given.request, "trees": asked.get("trees", False)}
    columns, secret = request["columns"], request["sensitive"]
    frame = pd.read_csv(path, keep_default_na=False, dtype=dict.fromkeys([*columns, secret], str))
    weight = frame["count"].to_numpy() if "count" in frame else np.ones(len(frame), dtype=np.int64)
    labels = frame.groupby(columns, sort=False).ngroup().to_numpy()
    sizes = np.bincount(labels, weights=weight).astype(np.int64)
    first = np.unique(labels, return_index=True)[1]
    known = ours.schema(request)
    losses = np.stack([_loss(frame[name].to_numpy()[first], known[name], listed=listed) for name in columns], axis=1)
    gone = given.rows - int(sizes.sum())
    l, t, share = _diversity(labels, frame[secret].to_numpy(), weight)  # noqa: E741
    return Judged(
        k=int(sizes.min()),
        l=l,
        t=t,
        share=share,
        missing=gone,
        loss=mean_loss(losses, sizes, gone),
        classes=len(sizes),
        average=average_class_size(sizes, asked["k"]),
        discernibility=discernibility(sizes, gone),
    )


def _diversity(labels: Any, secret: Any, weight: Any) -> tuple[int, float, float]:
    codes = np.unique(secret, return_inverse=True)[1]
    counts = np.zeros((labels.max() + 1, codes.max() + 1))
    np.add.at(counts, (labels, codes), weight)
    share = counts.sum(axis=0) / counts.sum()
    apart = np.abs(counts / counts.sum(axis=1, keepdims=True) - share)
    fewest = np.count_nonzero(counts, axis=1).min()
    return int(fewest), float(apart.sum(axis=1).max() / 2), float(apart.max())


def _loss(cells: Any, attribute: tk.Attribute, *, listed: bool) -> Any:
    """Loss of the cells of a column: the share of its other values that they leave open."""
    reader = CellReader(attribute)
    if not listed:
        found = reader.read(pa.array(cells.astype(str)))
        return open_share(found.low, found.high, reader.axis.size)[found.which]
    if isinstance(attribute.domain, tk.Numbers):
        ends = [cell.split("-") for cell in cells]
        low, high = (np.array([float(end[at]) for end in ends]) for at in (0, -1))
        return open_share(low, high, reader.axis.size)
    values = np.array([len(cell.split(",")) for cell in cells])
    return open_share(0, values - 1, reader.axis.size)
