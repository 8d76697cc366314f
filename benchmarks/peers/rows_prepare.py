"""Pseudonyms against the bare hash of the same texts, and a published scheme against the search that found it."""

from __future__ import annotations

import hmac
import warnings
from collections.abc import Iterator

import pyarrow as pa

import tokumei as tk
from benchmarks.row import Row
from tokumei.errors import SamePeopleWarning
from tokumei.prepare.keyed import Keyed
from tokumei.prepare.texts import different_texts

TEXTS = 200_000
ROWS = 100_000


def rows() -> Iterator[Row]:
    names = [f"person {i}" for i in range(TEXTS)]
    cells = pa.array(names)
    step = Keyed("name", "column name", bytes(range(32)), {}, ())

    def pseudonyms() -> object:
        texts, which = different_texts(cells, "name")
        return step.changed(texts).take(which)

    def bare() -> object:
        return [hmac.digest(step.secret, name.encode(), "sha256") for name in names]

    yield Row(
        f"pseudonyms of {TEXTS // 1000}k different names",
        "HMAC-SHA256 of each and no more",
        pseudonyms,
        bare,
        at_most=3,
    )

    schema = tk.example_schema()
    march, april = (tk.example_census(rows=ROWS, random_state=seed, frame="pyarrow") for seed in (1, 2))
    search = tk.Generalization(k=5, partition=tk.partitions.Optimal(), suppression_limit=0.05)
    published = tk.Generalization(
        k=5, partition=tk.partitions.Published(tk.anonymize(march, schema, search)), suppression_limit=0.1
    )

    def again() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SamePeopleWarning)
            return tk.anonymize(april, schema, published)

    yield Row(
        f"the levels of an earlier release on {ROWS // 1000}k new rows",
        "searching for the best levels",
        again,
        lambda: tk.anonymize(april, schema, search),
        at_most=1,
        rounds=3,
    )
