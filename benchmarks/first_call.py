"""What the first release costs after an installation: every method in a process of its own, with nothing compiled yet.

    python -m benchmarks.first_call [METHOD ...]    only those whose name begins so; the others stay as they are stored

10,000 rows of the example census. CPU seconds (user and system) of starting Python with its imports, of the first call, in which loops are compiled
once, and of the second; then of the first call in a later process, for which they are kept on disk.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from typing import Any

from benchmarks.stored import Table, read, store

HEADS = ["method", "imports, s", "first call, s", "second call, s", "first call later, s", "loops compiled"]
FORMATS = dict.fromkeys(HEADS[1:5], ".2f")


def run(name: str) -> dict[str, float]:
    """Release twice, in this process."""
    warnings.filterwarnings("ignore")
    import tokumei as tk
    from benchmarks.methods import ROWS, methods

    people, schema, method = tk.example_census(rows=ROWS, frame="pyarrow"), tk.example_schema(), methods()[name]
    prepare = [tk.prepare.Drop("age"), tk.prepare.Drop("hours")] if isinstance(method, tk.PRAM) else []
    from numba.core import event

    compiled = []

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, happened: Any) -> None:
            compiled.append(happened)

        def on_end(self, happened: Any) -> None:
            pass

    event.register("numba:compile", Listener())
    begun = time.process_time()
    tk.anonymize(people, schema, method, prepare, seed=1)
    once = time.process_time()
    tk.anonymize(people, schema, method, prepare, seed=1)
    return {"imports": begun, "first": once - begun, "second": time.process_time() - once, "compiled": len(compiled)}


def main() -> None:
    from benchmarks.methods import methods

    only = tuple(sys.argv[1:])
    stored = {row[0]: row for row in read("first_call")[1]["cost"].rows} if only else {}
    rows = []
    for name in methods():
        title = f"`{name}`" if "(" in name else name
        if only and not name.startswith(only):
            rows.append(stored[title])
            continue
        with tempfile.TemporaryDirectory() as folder:
            facts = []
            for _ in range(2):
                done = subprocess.run(
                    [sys.executable, "-m", "benchmarks.first_call", "--one", name],
                    env={**os.environ, "NUMBA_CACHE_DIR": folder},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                facts.append(json.loads(done.stdout))
        first, later = facts
        rows.append([title, first["imports"], first["first"], first["second"], later["first"], first["compiled"]])
        print(rows[-1], flush=True)
    store(
        "first_call",
        {"cost": Table(HEADS, rows, FORMATS)},
        command="python -m benchmarks.first_call",
        seeds=[1],
        packages=("tokumei", "numpy", "numba"),
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(run(sys.argv[2])))
    else:
        main()
