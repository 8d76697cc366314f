"""Every method on random schemas: k counted again, nothing lost, every label true, and the same after reading.

What is checked shares nothing with the library (`tests.adversarial.twins`), and each check finds a mistake that is planted.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokumei as tk
from tests.adversarial import twins
from tests.adversarial.people import KEY, NAME, POOL, SERIAL, People, people
from tokumei.anonymizers import METHODS
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.partition import PARTITIONS
from tokumei.partition.microaggregation import POINT_PARTITIONS

Make = Callable[[People, int, tuple[Any, ...]], Any]
SECRET = "00112233445566778899aabbccddeeff"


def generalization(partition: Any, limit: float = 0.0) -> Make:
    return lambda people, k, constraints: tk.Generalization(k, partition, limit, constraints)


def fixed(people: People, k: int, constraints: tuple[Any, ...]) -> Any:
    return tk.Generalization(k, tk.partitions.FixedLevels(dict.fromkeys(people.columns, 1)), 1.0, constraints)


def published(people: People, k: int, constraints: tuple[Any, ...]) -> Any:
    earlier = released(people, tk.Generalization(k, tk.partitions.Optimal(), 1.0))
    return tk.Generalization(k, tk.partitions.Published(earlier), 1.0, constraints)


def micro(partition: Any, cells: Any = "mean") -> Make:
    return lambda people, k, constraints: tk.Microaggregation(k, partition, cells, constraints)


CLASSES: dict[str, Make] = {
    "automatic": generalization(tk.partitions.Automatic()),
    "optimal": generalization(tk.partitions.Optimal()),
    "optimal, suppressing": generalization(tk.partitions.Optimal(), 0.5),
    "fixed levels": fixed,
    "published": published,
    "mondrian": generalization(tk.partitions.Mondrian()),
    "mondrian, relaxed": generalization(tk.partitions.Mondrian(strict=False, choose="gain")),
    "top down": generalization(tk.partitions.TopDown()),
    "lattice": generalization(tk.partitions.Lattice(effort="fast")),
    "nearest groups": generalization(tk.partitions.NearestGroups()),
    "noise aware": generalization(tk.partitions.NoiseAware(grid=8)),
    "dbscan": generalization(tk.partitions.DBSCAN()),
    "record suppression": lambda people, k, constraints: tk.RecordSuppression(k, 1.0, constraints),
    "local suppression": lambda people, k, constraints: tk.LocalSuppression(k),
    "wildcards": lambda people, k, constraints: tk.LocalSuppression(k, meaning="wildcard"),
    **{f"microaggregation, {kind.__name__}": micro(kind()) for kind in POINT_PARTITIONS},
    "microaggregation, medians": micro(tk.partitions.MDAV(), "median"),
    "microaggregation, intervals": micro(tk.partitions.LocalSearch(), "interval"),
}
PERTURBED: dict[str, Make] = {
    "pk": lambda people, k, constraints: tk.PkPerturbation(k, tells="all"),
    "pk, equal retention": lambda people, k, constraints: tk.PkPerturbation(k, split="equal_retention", tells="all"),
    "grouped, noise aware": lambda people, k, constraints: tk.GroupedPkPerturbation(
        k, tk.partitions.NoiseAware(grid=8)
    ),
    "grouped, mondrian": lambda people, k, constraints: tk.GroupedPkPerturbation(k, tk.partitions.Mondrian()),
    "grouped, one told": lambda people, k, constraints: tk.GroupedPkPerturbation(k, tk.partitions.Mondrian(), tells=1),
    "grouped, dbscan": lambda people, k, constraints: tk.GroupedPkPerturbation(k, tk.partitions.DBSCAN()),
    "grouped, lattice": lambda people, k, constraints: tk.GroupedPkPerturbation(
        k, tk.partitions.Lattice(effort="fast")
    ),
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, SECRET)


@st.composite
def asked(draw: st.DrawFn) -> tuple[People, tuple[Any, ...]]:
    """Draw people, and what their classes must hold."""
    drawn = draw(people())
    columns = drawn.categories("sensitive")
    if not columns or not draw(st.booleans()):
        return drawn, ()
    column = draw(st.sampled_from(columns))
    every = [
        tk.constraints.LDiversity(column, 2),
        tk.constraints.LDiversity(column, 1.5, kind="entropy"),
        tk.constraints.TCloseness(column, 0.4),
        tk.constraints.BetaLikeness(column, 2.5),
        tk.constraints.EnhancedBetaLikeness(column, 2.5),
        tk.constraints.AlphaKAnonymity(column, 0.8),
    ]
    return drawn, tuple(draw(st.lists(st.sampled_from(every), min_size=1, max_size=2, unique=True)))


def released(people: People, method: Any) -> tk.Release | None:
    """Make a release, or nothing where it is refused in one sentence that shows no cell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
        try:
            return tk.anonymize(people.table, people.schema, method, people.prepare)
        except (InfeasiblePromise, InvalidParameter) as error:
            assert "\n" not in str(error)
            assert not any(cell in str(error) for cell in ("person", *POOL))
            return None


def check_all(people: People, release: tk.Release) -> list[int]:
    order = twins.originals(people, release)
    twins.check_kept(people, release, order)
    twins.check_names(people, release, order)
    twins.check_truth(people, release, order)
    twins.check_averages(people, release, order)
    return order


TRIED = int(os.environ.get("TOKUMEI_EXAMPLES", "5"))  # tables for each method
few = settings(max_examples=TRIED, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", CLASSES)
@few
@given(asked(), st.integers(2, 4))
def test_rows_made_alike(name: str, drawn: tuple[People, tuple[Any, ...]], k: int) -> None:
    people, constraints = drawn
    method = CLASSES[name](people, k, constraints)
    release = released(people, method)
    if release is None:
        return
    check_all(people, release)
    twins.check_classes(people, release, k, getattr(method, "constraints", ()))
    with tempfile.TemporaryDirectory() as folder:
        twins.check_read_back(release, Path(folder))


@pytest.mark.parametrize("name", PERTURBED)
@few
@given(people(), st.sampled_from([1.3, 2, 3.5]))
def test_rows_perturbed(name: str, people: People, k: Any) -> None:
    release = released(people, PERTURBED[name](people, k, ()))
    if release is None:
        return
    check_all(people, release)
    twins.check_pk(release, k)
    assert release.coded.rows == release.rows  # every cell is in its domain
    with tempfile.TemporaryDirectory() as folder:
        twins.check_read_back(release, Path(folder))


@few
@given(people())
def test_post_randomization_and_samples(people: People) -> None:
    columns = people.categories("quasi_identifier")
    methods: list[Any] = [tk.Sampling(0.5, known=2), tk.PkPerturbation(k=1.2, sample=0.5, tells="all"), tk.Swapping(2)]
    if columns:
        methods.append(tk.PRAM(dict.fromkeys(columns, tk.transitions.KeepOrReplace(0.4))))
    for method in methods:
        release = released(people, method)
        if release is None:
            continue
        check_all(people, release)
        if isinstance(method, tk.PRAM):
            twins.check_pk(release, 1)
        with tempfile.TemporaryDirectory() as folder:
            twins.check_read_back(release, Path(folder))


def test_every_method_and_partition_is_among_them() -> None:
    given = POOL[:3]
    schema = tk.Schema(
        [tk.Attribute("c0", "quasi_identifier", tk.Categories(given)), tk.Attribute(SERIAL, "insensitive")]
    )
    nobody = People(pa.table({"c0": given * 4, SERIAL: range(12)}), schema, (), {"c0": given * 4}, {})
    made = [make(nobody, 2, ()) for make in (*CLASSES.values(), *PERTURBED.values())]
    assert {type(method) for method in made} | {tk.PRAM, tk.Sampling, tk.Swapping} == set(METHODS)
    partitions = {type(getattr(method, "partition", None)) for method in made}
    assert set(PARTITIONS) | set(POINT_PARTITIONS) <= partitions


# Every check can fail: mistakes that are planted are found.


def sixteen() -> People:
    values = [30, 31, 30, 31, 60, 61, 60, 61] * 2
    true = {"c0": values, "c1": ["amber", "blau"] * 8}
    schema = tk.Schema(
        [
            tk.Attribute("c0", "quasi_identifier", tk.Numbers(30, 61, step=1)),
            tk.Attribute("c1", "sensitive", tk.Categories(["amber", "blau"])),
            tk.Attribute(SERIAL, "insensitive"),
            tk.Attribute(NAME, "identifier"),
        ]
    )
    table = pa.table({**true, SERIAL: list(range(16)), NAME: [f"person {row}" for row in range(16)]})
    return People(table, schema, (tk.prepare.Mask(NAME, show=2),), true, {})


def changed(release: tk.Release, name: str, change: Callable[[list[Any]], list[Any]]) -> tk.Release:
    table = release.table
    place = table.column_names.index(name)
    cells = pa.array(change(table.column(name).to_pylist()), table.column(name).type)
    return replace(release, held=table.set_column(place, name, cells))


def stating(release: tk.Release, **numbers: float) -> tk.Release:
    """Promise other numbers, by the letters of their notions."""
    letters = {"k": "k-anonymity", "l": "l-diversity", "pk": "Pk-anonymity"}
    given = {letters[letter]: number for letter, number in numbers.items()}
    return replace(
        release, guarantees=tuple(replace(g, value=given.get(g.notion, g.value)) for g in release.guarantees)
    )


def first_to_last(cells: list[Any]) -> list[Any]:
    low, high = min(cells), max(cells)
    at = cells.index(low)
    return [*cells[:at], high, *cells[at + 1 :]]


MISTAKES: dict[str, tuple[Callable[[tk.Release], tk.Release], str]] = {
    "a row is gone": (lambda r: replace(r, held=r.table.slice(1)), "nobody counted them"),
    "a row is doubled": (
        lambda r: replace(r, held=pa.concat_tables([r.table.slice(1), r.table.slice(1, 1)])),
        "there twice",
    ),
    "a kept cell changed": (
        lambda r: changed(r, "c1", lambda c: ["amber" if c[0] == "blau" else "blau", *c[1:]]),
        "kept",
    ),
    "a mask moved": (lambda r: changed(r, NAME, lambda c: [*c[1:], c[0]]), "somebody else"),
    "a label is false": (lambda r: changed(r, "c0", first_to_last), "does not cover"),
    "k is one more": (lambda r: stating(r, k=r.guarantees[0].value + 1), "another k"),
    "k is one less": (lambda r: stating(r, k=r.guarantees[0].value - 1), "another k"),
    "l is more": (lambda r: stating(r, l=3.0), "another number"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_found(name: str) -> None:
    people, constraints = sixteen(), (tk.constraints.LDiversity("c1", 2),)
    release = tk.anonymize(
        people.table, people.schema, tk.Generalization(4, tk.partitions.Mondrian(), 0.0, constraints), people.prepare
    )
    check_all(people, release)
    twins.check_classes(people, release, 4, constraints)
    change, words = MISTAKES[name]
    with pytest.raises(AssertionError, match=words):
        check_all(people, change(release))
        twins.check_classes(people, change(release), 4, constraints)


def test_a_class_that_is_too_small_is_found() -> None:
    people = sixteen()
    release = tk.anonymize(people.table, people.schema, tk.Generalization(4, tk.partitions.Mondrian()), people.prepare)
    small = stating(changed(release, "c0", lambda cells: ["*", *cells[1:]]), k=1)
    with pytest.raises(AssertionError, match="too small"):
        twins.check_classes(people, small, 4, ())


def test_an_average_of_others_is_found() -> None:
    people = sixteen()
    release = tk.anonymize(people.table, people.schema, tk.Microaggregation(4, tk.partitions.MDAV()), people.prepare)
    order = check_all(people, release)
    with pytest.raises(AssertionError, match="outside its group"):
        twins.check_averages(people, changed(release, "c0", lambda cells: [91 - cell for cell in cells]), order)


@pytest.mark.parametrize(
    "method", [tk.PkPerturbation(3, tells="all"), tk.GroupedPkPerturbation(3, tk.partitions.Mondrian(min_size=8))]
)
def test_a_pk_that_is_too_large_is_found(method: Any) -> None:
    people = sixteen()
    release = tk.anonymize(people.table, people.schema, method, people.prepare)
    twins.check_pk(release, 3)
    with pytest.raises(AssertionError, match="more is promised"):
        twins.check_pk(stating(release, pk=release.guarantees[0].value * 1.0001), 3)
