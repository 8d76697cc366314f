"""Make small releases of invented people with the version at hand, to be read by all later ones.

python -m tests.adversarial.stored.make

Run it once for each format, into a new folder, and never over an old one: `test_versions` reads them all.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import tokumei as tk
from benchmarks.fuzz_targets import METHODS, people, schema
from tokumei.release.manifest import FORMAT

HERE = Path(__file__).parent


def make(home: Path) -> None:
    """Write a release of every method."""
    seen = Counter[str]()
    for method in METHODS:
        seen[method.method] += 1
        again = f"_{seen[method.method]}" if seen[method.method] > 1 else ""
        for kind in ("parquet", "csv"):
            release = tk.anonymize(people(), schema(), method, seed=1)
            release.write(home / f"{method.method}{again}_{kind}", kind, allow_seeded=True)  # type: ignore[arg-type]


if __name__ == "__main__":
    make(HERE / f"format_{FORMAT}")
