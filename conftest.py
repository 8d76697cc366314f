"""How all tests are run.

**Chance.** Every draw follows from the name of the test that makes it, so a test that passes once always passes. What the library would take from the operating system is made from the name of the running test, or of the fixture that is being set up,
and from ``TOKUMEI_TEST_SEED``. Set that to a number to give all tests other draws, and pass ``--hypothesis-seed`` for other examples;
`scripts/again` does both. Processes that a test starts take their keys from the operating system.

**Order.** The tests of a file run in one worker, and so do all that share the session of Spark, so that two workers seldom compile the same loops at the same time; what one has
compiled the other finds on disk. Long files come first, so that none is left over at the end.

**Letters.** Charts are laid out for the letters that the program which draws them has in memory: it measures those of a file three
times as slowly. Tests of what charts look like ask for `true_letters`.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

from tokumei import randomness
from tokumei.plots import theme

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


collect_ignore = ["tests/extending"]  # what registers itself when it is imported: `tests/test_extending.py` does it


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


LONG = (  # files that take longest, as the end of a run tells
    "tests/engines/test_spark.py",
    "tests/reports/test_report.py",
    "tests/testing/test_check_method.py",
    "tests/studio/test_story.py",
    "tests/studio/test_pictures.py",
    "tests/studio/test_accessible.py",
    "tests/reports/test_pages.py",
    "tests/anonymizers/test_generalization.py",
    "tests/engines/stream/test_faults.py",
    "tests/partition/test_every_partition.py",
    "tests/cli/test_cli.py",
    "tests/test_docs.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files."""
    rank = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: rank.get(item.nodeid.split("::")[0], len(rank)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Any:
    """Look for no garbage while tests are collected, and leave them alone: whatever looks for it would go through all of them each time.

    Tests make and drop tables, not rings of objects, so Python need not look for those every 700 objects.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


class ByFile(LoadScopeScheduling):
    """Give a worker whole files, and one of them all tests that share the session of Spark, which have it in their names."""

    def _split_scope(self, nodeid: str) -> str:
        return "spark" if "spark" in nodeid.lower() else nodeid.split("::", maxsplit=1)[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """Deal out tests by files."""
    return ByFile(config, log)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell which files took longest."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.split("::")[0]] += report.duration
    if sum(seconds.values()) > 60:
        terminalreporter.section("slowest files")
        for name, spent in seconds.most_common(12):
            terminalreporter.write_line(f"{spent:7.1f} s  {name}")


chance = Chance()
randomness.from_os = chance

LETTERS, theme.FONT = theme.FONT, "sans-serif"


@pytest.fixture(scope="module")
def true_letters() -> Iterator[None]:
    """Charts with the letters that they have outside tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "FONT", LETTERS)
        theme._config.cache_clear()
        yield
    theme._config.cache_clear()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Let everything that a test draws follow from its name."""
    with chance.of(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Any:
    """Let what a shared fixture draws follow from its own name, whichever test needs it first."""
    if fixturedef.scope == "function":
        return (yield)
    with chance.of(f"{fixturedef.baseid}::{fixturedef.argname}[{getattr(request, 'param', '')!r}]"):
        return (yield)
