"""Which groups of a release of Adult its holder can resolve, and which rows that pins.

    TOKUMEI_DATA=folder-with-adult.csv python benchmarks/collation.py [--k 10] [--groups 150]

Five columns with trees learned from all rows; the default grouping. Without ``--groups`` every group is looked at.
"""

from __future__ import annotations

import argparse
import time
import warnings

import tokumei as tk
from five_columns import TARGET, adult, bare, with_trees


def main() -> None:
    parser = argparse.ArgumentParser(description="The collation check on Adult.")
    parser.add_argument("--k", type=int, nargs="+", default=[3, 5, 10, 20])
    parser.add_argument("--groups", type=int, default=None, help="look at so many groups only")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    frame = adult()
    schema = with_trees(frame, bare(frame), TARGET)
    print("|  k | published | groups | resolved | one set of rows | ambiguous | undecided | pinned rows | seconds |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|---:|")
    tk.collation_check(frame[:200], tk.Generalization(k=2), schema, statistics="moments")  # compiles the loops
    for k in asked.k:
        for statistics in ("rates", "moments", "counts"):
            start = time.perf_counter()
            found = tk.collation_check(
                frame, tk.Generalization(k=k), schema, statistics=statistics, groups=asked.groups, seed=1
            )
            took = time.perf_counter() - start
            print(
                f"| {k} | {statistics} | {found.looked_at:,} | {found.resolved:,} | {found.whole:,} | {found.ambiguous:,} "
                f"| {found.undecided:,} | {found.pinned:,} | {took:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
