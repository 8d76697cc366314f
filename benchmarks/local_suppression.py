"""Local suppression of Adult: cells suppressed under both meanings of a star, and the k that is counted under each.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.local_suppression

What is found is stored, see benchmarks/stored.py.
"""

from __future__ import annotations

import warnings

import pyarrow.compute as pc

import tokumei as tk
from benchmarks.adult import COLUMNS, whole
from benchmarks.stored import Table, store


def main() -> None:
    warnings.filterwarnings("ignore")
    frame = whole()
    schema = tk.Schema.observe(frame, roles={"income": "sensitive"})
    rows = []
    for k in (2, 3, 5, 10):
        for meaning in ("own_value", "wildcard"):
            release = tk.anonymize(frame, schema, tk.LocalSuppression(k=k, meaning=meaning))
            own, wildcard = (int(guarantee.value) for guarantee in release.guarantees)
            starred = sum(pc.sum(pc.equal(release.table[name], "*")).as_py() for name in COLUMNS)
            rows.append([k, meaning, starred, starred / (release.rows * len(COLUMNS)), own, wildcard])
    made = Table(["k", "meaning", "cells", "of all", "k counted", "k counted with wildcards"], rows, {"of all": ".1%"})
    print(made.markdown())
    command = "python -m benchmarks.local_suppression"
    store("local_suppression", {"cells": made}, command=command, packages=("tokumei", "numpy"))


if __name__ == "__main__":
    main()
