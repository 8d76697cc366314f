"""Groups with noise, by the number of columns and k: two-way tables of released rows as they are, and after reconstruction.

    python -m benchmarks.wide_groups [SEEDS] [--minutes M]

The table is that of `benchmarks/jobs.py`, made up, 10,000 rows; all columns but the last are quasi-identifiers. *Error* is the mean total variation distance from
the original's table over at most 30 pairs of columns, numbers in the bins of the model. *Power* is how far the model is believed about cells in boxes: 1 where it agrees with
what single columns say and fits agree with each other. *Believed* is the error if it were believed altogether, and *at most* the largest ratio
of the model's error to that of the released rows among the seeds.
"""

from __future__ import annotations

import itertools
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import tokumei as tk
from benchmarks.jobs import names, sizes, table
from benchmarks.pieces import Pieces, minutes_of
from benchmarks.stored import Table, store
from tokumei.reconstruction._model_columns import ModelColumn
from tokumei.reconstruction._observed import modelled
from tokumei.reconstruction._some_rows import settled
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.table.coded import encode

ROWS, PAIRS, FITS, FIRST = 10_000, 30, 2, 50
COLUMNS, KS = (4, 8, 16, 30), (3, 10, 50)
Codes = Callable[[str], Any]


def schema_of(columns: int) -> tk.Schema:
    made = []
    for name, size in zip(names(columns), sizes(columns), strict=True):
        domain = tk.Numbers(0, size - 1, step=1) if size > 30 else tk.Categories([f"v{at:02}" for at in range(size)])
        made.append(tk.Attribute(name, "sensitive" if name == names(columns)[-1] else "quasi_identifier", domain))
    return tk.Schema(made)


def in_bins(one: ModelColumn, other: ModelColumn, codes: Codes) -> Any:
    """Count a pair of columns."""
    first, second = one.bins[codes(one.name)], other.bins[codes(other.name)]
    made = np.bincount(first * other.size + second, minlength=one.size * other.size) / len(first)
    return made.reshape(one.size, other.size)


def estimated(model: ReleaseModel, one: ModelColumn, other: ModelColumn) -> Any:
    """Return the model's table of a pair of columns, in bins."""
    found = model.estimated_table((one.name, other.name)).pmf_
    return (np.arange(one.size)[:, None] == one.bins) @ found @ (np.arange(other.size)[:, None] == other.bins).T


def errors(columns: int, k: int, seed: int) -> list[float]:
    """Return the errors of the rows, of the model that is believed altogether and of the model, and how far it is believed."""
    rows, schema = table(ROWS, columns), schema_of(columns)
    release = tk.anonymize(rows, schema, tk.GroupedPkPerturbation(k=k), seed=seed)
    model, seen = ReleaseModel(n_init=FITS).fit(release), modelled(release)
    every = list(itertools.combinations(seen.columns, 2))
    pairs = [every[at] for at in np.random.default_rng(0).permutation(len(every))[:PAIRS]]
    true = [in_bins(*pair, encode(rows, schema).codes) for pair in pairs]

    def off(tables: list[Any]) -> float:
        return float(np.mean([np.abs(made - each).sum() / 2 for made, each in zip(tables, true, strict=True)]))

    power, found = model._observed.trust, off([estimated(model, *pair) for pair in pairs])
    model._observed = settled(replace(seen.observed, trust=1.0), model._mixture)
    believed = off([estimated(model, *pair) for pair in pairs])
    return [off([in_bins(*pair, release.coded.codes) for pair in pairs]), believed, found, power]


def main() -> None:
    warnings.filterwarnings("ignore")
    given, minutes = minutes_of(sys.argv[1:])
    seeds, pieces = range(FIRST, FIRST + int(given[0] if given else 1)), Pieces("wide_groups", minutes)
    lines = []
    for columns, k in itertools.product(COLUMNS, KS):
        found = [pieces.piece(f"{columns}, {k}, {seed}", partial(errors, columns, k, seed)) for seed in seeds]
        numbers = np.mean(found, axis=0).tolist()
        ratios = [model / released for released, _, model, _ in found]
        lines.append([columns, k, *numbers, numbers[2] / numbers[0], max(ratios)])
        print(*lines[-1], flush=True)
    heads = ["columns", "k", "as released", "believed", "model", "power", "model / as released", "at most"]
    formats = {**dict.fromkeys(heads[2:5], ".3f"), "power": ".2f", "model / as released": ".2f", "at most": ".2f"}
    command = f"python -m benchmarks.wide_groups {len(seeds)}"
    store("wide_groups", {"errors": Table(heads, lines, formats)}, command=command, seeds=list(seeds))
    pieces.finish()


if __name__ == "__main__":
    main()
