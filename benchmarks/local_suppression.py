"""Local suppression of Adult: cells suppressed under both meanings of a star, and the time a release takes.

TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.local_suppression
"""

from __future__ import annotations

import time
import warnings

import tokumei as tk
from benchmarks.adult import whole


def main() -> None:
    warnings.filterwarnings("ignore")
    frame = whole()
    schema = tk.Schema.observe(frame, roles={"income": "sensitive"})
    for k in (2, 3, 5, 10):
        for meaning in ("own_value", "wildcard"):
            start = time.perf_counter()
            release = tk.anonymize(frame, schema, tk.LocalSuppression(k=k, meaning=meaning))
            took = time.perf_counter() - start
            own, wildcard = (int(guarantee.value) for guarantee in release.guarantees)
            print(f"k = {k:2d} {meaning:9} {took:5.1f} s  counted: {own} and {wildcard} with wildcards")
            print(f"   {release.record.notes[0]}", flush=True)


if __name__ == "__main__":
    main()
