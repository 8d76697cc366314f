"""What every method costs on the same table: CPU time, and how far the released rows are from the original ones.

    python -m benchmarks.methods [METHOD ...]    only those whose name begins so; the others stay as they are stored

10,000 rows of the example census; PRAM without the columns of numbers. Time is that of making a release, over that of checking and coding the same rows, which every
method does first; medians over rounds in which both are timed one after the other. Distances are means over all pairs of columns
of the total variation distance from the original table, of the released rows (of those that tell both columns, where rows
tell some only) and, where the noise can be undone, of what is reconstructed; nothing where rows differ from the original in number only.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import tokumei as tk
from benchmarks.stored import Table, read, store
from tokumei.table.coded import encode

ROWS, K, ROUNDS = 10_000, 5, 3
HEADS = ["method", "CPU, times coding", "distance", "distance, reconstructed", "rows left out"]


def methods() -> dict[str, Any]:
    schema = tk.example_schema()
    labels = [name for name in schema.names("quasi_identifier") if isinstance(schema[name].domain, tk.Categories)]
    return {
        f"PkPerturbation(k={K})": tk.PkPerturbation(k=K),
        f'PkPerturbation(k={K}, tells="all")': tk.PkPerturbation(k=K, tells="all"),
        f"GroupedPkPerturbation(k={K})": tk.GroupedPkPerturbation(k=K),
        "PRAM, each label kept with .5": tk.PRAM({name: tk.transitions.KeepOrReplace(0.5) for name in labels}),
        "Sampling of half the rows": tk.Sampling(ROWS // 2, known=100),
        f"Generalization(k={K})": tk.Generalization(k=K),
        f"Generalization(k={K}, partition=Mondrian())": tk.Generalization(k=K, partition=tk.partitions.Mondrian()),
        f"Microaggregation(k={K})": tk.Microaggregation(k=K),
        f"Swapping(k={K})": tk.Swapping(k=K),
        f"RecordSuppression(k={K})": tk.RecordSuppression(k=K),
        f"LocalSuppression(k={K})": tk.LocalSuppression(k=K),
    }


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    warnings.filterwarnings("ignore")
    schema = tk.example_schema()
    people = tk.example_census(rows=ROWS, frame="pyarrow")
    only = tuple(sys.argv[1:])
    stored = {row[0]: row for row in read("methods")[1]["cost"].rows} if only else {}
    rows = []
    for name, method in methods().items():
        title = f"`{name}`" if "(" in name else name
        if only and not name.startswith(only):
            rows.append(stored[title])
            continue
        prepare = [tk.prepare.Drop("age"), tk.prepare.Drop("hours")] if isinstance(method, tk.PRAM) else []

        def make(method: Any = method, prepare: Any = prepare) -> tk.Release:
            return tk.anonymize(people, schema, method, prepare, seed=1)

        release = make()
        pairs = [(seconds(make), seconds(lambda: encode(people, schema))) for _ in range(ROUNDS)]
        found = tk.measure_utility(people, release, schema, prepare, reconstruct=release.mechanism.perturbed)
        undone = found.reconstructed.pair_distance if found.reconstructed is not None else None
        rows.append(
            [
                title,
                statistics.median(ours / other for ours, other in pairs),
                found.released.pair_distance,
                undone,
                ROWS - release.rows,
            ]
        )
        print(rows[-1], flush=True)
    formats = {HEADS[1]: ".1f", HEADS[2]: ".3f", HEADS[3]: ".3f"}
    store("methods", {"cost": Table(HEADS, rows, formats)}, command="python -m benchmarks.methods", seeds=[1])


if __name__ == "__main__":
    main()
