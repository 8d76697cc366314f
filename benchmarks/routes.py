"""Two ways to a model at the same k, on Adult in five columns: rows made alike and encoded, or perturbed and reconstructed.

python -m benchmarks.routes [--quick] [--ks K ...]
"""

from __future__ import annotations

import argparse
import warnings

import tokumei as tk
from benchmarks.five_columns import LEVELS, TARGET, adult, bare


def main() -> None:
    parser = argparse.ArgumentParser(description="Two ways to a model at the same k, on Adult.")
    parser.add_argument("--quick", action="store_true", help="two folds in place of five")
    parser.add_argument("--ks", nargs="+", type=int, default=[2, 5, 10, 20], help="these k only")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    frame = adult()
    print(
        tk.comparisons.compare_routes(
            frame, bare(frame), TARGET, ks=asked.ks, hierarchies=LEVELS, cv=2 if asked.quick else 5
        )
    )


if __name__ == "__main__":
    main()
