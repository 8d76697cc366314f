"""The error that `tokumei reconstruct RELEASE` states from public numbers, beside the one that is measured.

    python -m benchmarks.expected [SEEDS]

Releases of the example census (5,000 and 50,000 rows) are reconstructed, and tables of one and of two columns are compared with those of
the original rows: the mean total variation over the columns that have an error, beside `tokumei.reconstruction.quality`. Numbers are
counted in 20 intervals of equal width, also where rows tell them in fewer cells, which is stated for these cells only.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

import tokumei as tk
from benchmarks.stored import Table, store
from tokumei.engines.local import prepared_table
from tokumei.reconstruction.quality import expected_quality
from tokumei.utility.quick import Quick

SIZES = (5_000, 50_000)
METHODS: dict[str, Any] = {
    "`PkPerturbation(k=3)`": tk.PkPerturbation(k=3),
    "`PkPerturbation(k=10)`": tk.PkPerturbation(k=10),
    "`PkPerturbation(k=50)`": tk.PkPerturbation(k=50),
    "`PkPerturbation(k=10, tells=1)`": tk.PkPerturbation(k=10, tells=1),
    '`PkPerturbation(k=2, tells="all")`': tk.PkPerturbation(k=2, tells="all"),
    '`PkPerturbation(k=10, tells="all")`': tk.PkPerturbation(k=10, tells="all"),
    "`PkPerturbation(k=10, sample=0.2)`": tk.PkPerturbation(k=10, sample=0.2),
}
HEADS = ["release", "rows", "one-way, stated", "one-way", "two-way, stated", "two-way"]


def main(seeds: int) -> None:
    warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
    rows: list[list[Any]] = []
    for count in SIZES:
        people, schema = tk.example_census(rows=count), tk.example_schema()
        quick = Quick(prepared_table(people, schema, ()))
        for name, method in METHODS.items():
            found = []
            for seed in range(seeds):
                release = tk.anonymize(people, schema, method, seed=seed)
                stated, side = expected_quality(release), quick.undone(release).side
                one = np.mean([side.marginals[each.name].total_variation for each in stated.uncertain])
                two = np.mean([each.total_variation for pair, each in side.pairs.items() if stated.pairs[pair]])
                found.append([stated.one, one, stated.two, two])
            rows.append([name, count, *np.mean(found, axis=0).tolist()])
            print(rows[-1], flush=True)
    made = np.array([row[2:] for row in rows])
    off = [float(np.sqrt(np.mean(np.log(made[:, at] / made[:, at + 1]) ** 2))) for at in (0, 2)]
    store(
        "expected",
        {
            "errors": Table(HEADS, rows, dict.fromkeys(HEADS[2:], ".3f")),
            "fit": Table(
                ["tables of", "stated is off by"],
                [["one column", off[0]], ["two columns", off[1]]],
                {"stated is off by": ".0%"},
            ),
        },
        command=f"python -m benchmarks.expected {seeds}",
        seeds=list(range(seeds)),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
