"""What every method costs on large tables: CPU seconds, peak memory over that of the table, and loss, each in a process of its own.

    python -m benchmarks.large [ROWSxCOLUMNS] [METHOD ...]    only those whose name begins so; the others stay as they are stored

The example census at a million rows (8 columns, of which 7 are quasi-identifiers) and at 100,000 rows with 22 columns more, which depend on
those. An Arrow table in memory, k = 5, seed 1; loops were compiled before by a small table. Time is that of ``tk.anonymize``. Memory is the
largest resident size while it works, less that before, over the bytes of the table (``table.nbytes``, without the identifier); what Python and the libraries
take is not counted. Loss is that which the method itself reports, where it does.
"""

from __future__ import annotations

import ctypes
import json
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.stored import Table, read, store

K = 5
SIZES = ((1_000_000, 8), (100_000, 30))
HEADS = ["rows", "columns", "method", "CPU, s", "memory, times the table", "loss"]
FORMATS = {"CPU, s": ".1f", "memory, times the table": ".1f", "loss": ".4f"}


def table_of(rows: int, columns: int) -> tuple[pa.Table, Any]:
    """Make a census of this many rows, and of 8 columns or more: the others are answers that depend on two of the first each."""
    import tokumei as tk

    people, attributes = (
        tk.example_census(rows=rows, frame="pyarrow").drop(["person_id"]),
        list(tk.example_schema())[1:],
    )
    rng = np.random.default_rng(0)
    for number in range(columns - 8):
        name, values = f"answer_{number + 1}", 2 + number % 5
        first, second = (
            people.column((number + shift) % 8).dictionary_encode().combine_chunks().indices for shift in (0, 3)
        )
        leaning = (first.to_numpy() + number * second.to_numpy()) % values
        codes = np.where(rng.random(rows) < 0.7, leaning, rng.integers(0, values, rows))
        labels = [f"{name}: {value}" for value in range(values)]
        people = people.append_column(name, pa.array(labels).take(pa.array(codes)))
        attributes.append(tk.Attribute(name, "quasi_identifier", tk.Categories(labels)))
    return people, tk.Schema(attributes)


def methods(rows: int, columns: int) -> dict[str, Any]:
    """Return the methods to measure by name."""
    import tokumei as tk

    labels = [
        a.name for a in table_of(10, columns)[1] if a.role == "quasi_identifier" and isinstance(a.domain, tk.Categories)
    ]
    return {
        f"PkPerturbation(k={K})": tk.PkPerturbation(k=K),
        f"GroupedPkPerturbation(k={K})": tk.GroupedPkPerturbation(k=K),
        "PRAM, each label kept with .5": tk.PRAM({name: tk.transitions.KeepOrReplace(0.5) for name in labels}),
        "Sampling of half the rows": tk.Sampling(rows // 2, known=100),
        f"Generalization(k={K})": tk.Generalization(k=K),
        f"Generalization(k={K}, partition=Mondrian())": tk.Generalization(k=K, partition=tk.partitions.Mondrian()),
        f"Microaggregation(k={K})": tk.Microaggregation(k=K),
        f"Swapping(k={K})": tk.Swapping(k=K),
        f"RecordSuppression(k={K})": tk.RecordSuppression(k=K),
        f"LocalSuppression(k={K})": tk.LocalSuppression(k=K),
    }


def run(rows: int, columns: int, name: str) -> dict[str, Any]:
    """Release the table once, in this process."""
    import tokumei as tk

    warnings.filterwarnings("ignore")
    method = methods(rows, columns)[name]

    def work(count: int, made: Any = None) -> Any:
        people, schema = made or table_of(count, columns)
        used = tk.Sampling(count // 2, known=100) if isinstance(method, tk.Sampling) else method
        drop = [tk.prepare.Drop("age"), tk.prepare.Drop("hours")] if isinstance(method, tk.PRAM) else []
        return tk.anonymize(people, schema, used, drop, seed=1)

    work(3_000)
    made = table_of(rows, columns)
    pa.default_memory_pool().release_unused()
    ctypes.CDLL(None).malloc_trim(0)  # nothing that was left free before may serve as room
    forget_peak()
    before, start = resident(), time.process_time()
    release = work(rows, made)
    took, most = time.process_time() - start, peak()
    losses = [note.loss for note in release.record.notes if hasattr(note, "loss")]
    return {"seconds": took, "memory": (most - before) / made[0].nbytes, "loss": losses[0] if losses else None}


def forget_peak() -> None:
    """Let the largest resident size begin anew."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def resident() -> int:
    """Return how many bytes of memory this process holds."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()


def peak() -> int:
    """Return the largest number of bytes that this process held since the peak was forgotten."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def main() -> None:
    asked = [each for each in sys.argv[1:] if "x" in each and each[0].isdigit()]
    only = tuple(each for each in sys.argv[1:] if each not in asked)
    kept = {tuple(row[:3]): row for row in read("large")[1]["cost"].rows} if sys.argv[1:] else {}
    rows = []
    for count, columns in SIZES:
        for name in methods(count, columns):
            title = f"`{name}`" if "(" in name else name
            if (asked and f"{count}x{columns}" not in asked) or (only and not name.startswith(only)):
                rows.append(kept.get((count, columns, title), [count, columns, title, None, None, None]))
                continue
            command = [sys.executable, "-m", "benchmarks.large", "--one", str(count), str(columns), name]
            found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            rows.append([count, columns, title, found["seconds"], found["memory"], found["loss"]])
            print(rows[-1], flush=True)
    store(
        "large",
        {"cost": Table(HEADS, rows, FORMATS)},
        command="python -m benchmarks.large",
        seeds=[1],
        packages=("tokumei", "numpy", "numba", "pyarrow"),
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(run(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])))
    else:
        main()
