"""The table of what each engine does is what the registry says, and what happens."""

from __future__ import annotations

import inspect

from benchmarks import capabilities, stored
from tokumei.anonymizers import METHODS


def test_the_page_says_what_memory_and_streams_do() -> None:
    """Every release is compared with the local one, and everything done with it afterwards never has its rows."""
    _, kept = stored.read("capabilities")
    told = kept["engines"]
    found = capabilities.table(("local", "stream"))
    assert [row[:3] for row in told.rows] == [list(row) for row in found.rows]
    assert list(told.columns) == ["what", "local", "stream", "spark"]
    assert [row[2] for row in told.rows] == [row[3] for row in told.rows]  # a cluster does what a stream does


def test_every_method_is_in_the_table() -> None:
    assert {type(method) for method, _ in capabilities.MADE.values()} == set(METHODS)
    assert inspect.getdoc(capabilities) is not None
