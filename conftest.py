"""Chance in tests: every draw follows from the name of the test that makes it, so a test that passes once always passes.

What the library would take from the operating system is made from the name of the running test, or of the fixture that is being set up,
and from ``TOKUMEI_TEST_SEED``. Set that to a number to give all tests other draws, and pass ``--hypothesis-seed`` for other examples;
`scripts/again` does both. Processes that a test starts take their keys from the operating system.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import pytest

from tokumei import randomness

SEED = os.environ.get("TOKUMEI_TEST_SEED", "")

# The same examples every time unless others are asked for, and no test that fails because the machine is slow.
hypothesis.settings.register_profile(
    "tokumei",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize=not SEED,
    database=None,
)
hypothesis.settings.load_profile("tokumei")


class Chance:
    """Stands in for the operating system's randomness."""

    def __init__(self) -> None:
        self.name, self.count = "", itertools.count()

    def __call__(self, size: int = 32) -> bytes:
        """Return bytes that are those of nobody else."""
        return hashlib.shake_256(f"{SEED}\0{self.name}\0{next(self.count)}".encode()).digest(size)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Draw for a test or a fixture."""
        held = self.name, self.count
        self.name, self.count = name, itertools.count()
        try:
            yield
        finally:
            self.name, self.count = held


chance = Chance()
randomness.from_os = chance


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Let everything that a test draws follow from its name."""
    with chance.of(item.nodeid.split("@")[0]):  # without the group that xdist adds
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Any:
    """Let what a shared fixture draws follow from its own name, whichever test needs it first."""
    if fixturedef.scope == "function":
        return (yield)
    with chance.of(f"{fixturedef.baseid}::{fixturedef.argname}[{getattr(request, 'param', '')!r}]"):
        return (yield)
