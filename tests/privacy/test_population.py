"""Rows in a population: every world enumerated, the published example, and releases of every partition."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import tokumei as tk
from tests.partition.test_every_partition import EVERY
from tests.release.forging import rewrite
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter, ReleaseError
from tokumei.mechanism.recoding import RecodedColumn, Recoding
from tokumei.plan import Plan, Source
from tokumei.privacy.constraints import constraints_of
from tokumei.privacy.population import in_population, meeting
from tokumei.privacy.population_places import Population, PopulationPlaces
from tokumei.table.coded import encode

KMap, DeltaPresence = tk.constraints.KMap, tk.constraints.DeltaPresence
LINE = tk.Numbers(0, 4, step=1)


def worlds(rows: list[set[int]], people: int, shown: int) -> tuple[Fraction, Fraction, Fraction]:
    """Give rows to different people in every possible way: the most probable link of a shown row, and the least and most probable person."""
    links: Counter[tuple[int, int]] = Counter()
    present: Counter[int] = Counter()
    total = 0
    for world in itertools.permutations(range(people), len(rows)):
        if all(person in box for person, box in zip(world, rows, strict=True)):
            total += 1
            links.update(enumerate(world[:shown]))
            present.update(world)
    return (
        Fraction(max(links.values()), total),
        min(Fraction(present[person], total) for person in range(people)),
        max(Fraction(present[person], total) for person in range(people)),
    )


def counted(population: list[int], boxes: list[tuple[int, int]], scheme: Any, left_out: int) -> Any:
    """What the library counts of rows with these boxes on a line."""
    before = tk.Attribute("at", "quasi_identifier", LINE)
    stretches = tuple(sorted(set(boxes)))
    labels = tk.Categories([f"{low}-{high}" for low, high in stretches])
    released = encode(
        pa.table({"at": [f"{low}-{high}" for low, high in boxes]}),
        tk.Schema([tk.Attribute("at", "quasi_identifier", labels)]),
    )
    people = Population(encode(pa.table({"at": population}), tk.Schema([before])), ("at",))
    return in_population(
        people, released, ("at",), Recoding({"at": RecodedColumn(before, stretches)}, scheme), left_out
    )


def disjoint(boxes: list[tuple[int, int]]) -> bool:
    return all(a == b or a[1] < b[0] or b[1] < a[0] for a, b in itertools.combinations(boxes, 2))


@pytest.mark.parametrize("seed", range(120))
def test_no_world_says_more_than_is_counted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    population = sorted(rng.integers(0, 5, int(rng.integers(3, 7))).tolist())
    mine = rng.permutation(len(population))[: int(rng.integers(2, min(5, len(population)) + 1))]
    boxes = []
    for person in mine.tolist():  # every row has a box that its person lies in; many share theirs
        low = int(rng.integers(0, population[person] + 1))
        boxes.append((low, int(rng.integers(population[person], 5))))
    boxes = [
        boxes[0] if boxes[0][0] <= population[p] <= boxes[0][1] else box for p, box in zip(mine, boxes, strict=True)
    ]
    left_out = int(rng.integers(0, 2)) if len(mine) > 2 else 0
    shown = boxes[: len(boxes) - left_out]
    scheme = "disjoint" if disjoint(shown) else "overlapping"
    found = counted(population, shown, scheme, left_out)
    everybody = set(range(len(population)))
    fits = [{p for p in everybody if low <= population[p] <= high} for low, high in shown]
    link, least, most = worlds(fits + [everybody] * left_out, len(population), len(shown))
    assert Fraction(1, found.k_map) >= link
    assert found.presence[0] <= least + Fraction(1, 10**9)
    assert found.presence[1] >= most - Fraction(1, 10**9)
    if not left_out and scheme == "disjoint":  # and then it is exact
        assert Fraction(1, found.k_map) == link
        assert found.presence == pytest.approx((float(least), float(most)))


def test_overlapping_boxes_are_not_counted_as_if_they_were_apart() -> None:
    """Three people at 0 have the three rows of a box of theirs; the rows of the wider box are then of the two at 1."""
    population, boxes = [0, 0, 0, 1, 1], [(0, 0)] * 3 + [(0, 1)] * 2
    everybody = [{p for p in range(5) if low <= population[p] <= high} for low, high in boxes]
    assert worlds(everybody, 5, 5) == (Fraction(1, 2), 1, 1)
    assert counted(population, boxes, "overlapping", 0).k_map == 2
    assert counted(population, boxes, "disjoint", 0).k_map == 3  # as the planted mistake would have it: five in the box


def test_rows_left_out_by_a_rule_about_values_are_of_people_in_no_box() -> None:
    """Two rows at 0 are released and one is left out, of the two people at 3: it is one of them."""
    found = counted([0, 0, 0, 0, 3, 3], [(0, 0), (0, 0)], "global", 1)
    assert found.presence == (0.5, 0.5)
    assert found.k_map == 4
    with pytest.raises(DataError, match="fewer people with such values"):
        counted([0, 0, 0, 0], [(0, 0), (0, 0)], "global", 1)


def test_the_loops_agree_with_numpy() -> None:
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 9, (200, 3)).astype(np.int32)
    people = rng.integers(1, 4, 200)
    low = rng.integers(0, 6, (40, 3)).astype(np.int32)
    high = (low + rng.integers(0, 4, (40, 3))).astype(np.int32)
    inside = ((rows[None] >= low[:, None]) & (rows[None] <= high[:, None])).all(axis=2)
    places = PopulationPlaces(rows, people)
    assert places.inside(low, high).tolist() == (inside @ people).tolist()
    most, least = rng.random(40), rng.random(40)
    upper, lower = places.presence(low, high, most, least)
    assert upper == pytest.approx(most @ inside)
    assert lower == pytest.approx((inside * least[:, None]).max(axis=0))
    assert places.largest(upper, low, high) == pytest.approx((inside * upper).max(axis=1))
    sizes = rng.integers(1, 9, 40)
    meet = ((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(axis=2) & ~np.eye(40, dtype=bool)
    assert meeting(low, high, sizes).tolist() == (meet @ sizes).tolist()


# The nine people of Nergiz, Atzori and Clifton (2007), table 1; five of them have the illness and are in the table.
ZIPS = ["47630", "47633", "47903", "47906", "48970", "48972", "48973"]
NATIONS = tk.Hierarchy.groups(
    {"America": ["USA", "Canada", "Brazil", "Peru"], "Europe": ["Spain", "Bulgaria", "France"]},
    {"*": ["America", "Europe"]},
)
PUBLIC = pa.table(
    {
        "zip": ["47906", "47903", "47906", "47630", "47630", "47633", "48973", "48972", "48970"],
        "age": [35, 59, 42, 18, 22, 63, 33, 47, 52],
        "nationality": ["USA", "Canada", "USA", "Brazil", "Brazil", "Peru", "Spain", "Bulgaria", "France"],
    }
)
ILL = PUBLIC.take([1, 2, 5, 7, 8])
PEOPLE = tk.Schema(
    [
        tk.Attribute("zip", "quasi_identifier", tk.Categories(ZIPS), tk.Hierarchy.masks(tk.Categories(ZIPS), [2])),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 99, step=1), tk.Hierarchy.intervals([0, 50, 99])),
        tk.Attribute("nationality", "quasi_identifier", tk.Categories(["USA", "Canada", "Brazil", "Peru", "Spain", "Bulgaria", "France"]), NATIONS),
    ]
)  # fmt: skip


def test_the_published_example_of_delta_presence() -> None:
    """Zip codes of two digits, no age, continents: (1/2, 2/3)-present, as the paper says."""
    levels = tk.partitions.FixedLevels({"zip": 1, "age": 2, "nationality": 1})
    constraints = [DeltaPresence(2 / 3, 1 / 2, PUBLIC), KMap(3, PUBLIC)]
    release = tk.anonymize(ILL, PEOPLE, tk.Generalization(2, levels, constraints=constraints), seed=1)
    _, presence, linked = release.guarantees
    assert presence.value == pytest.approx(2 / 3)
    assert linked.value == 3
    assert Counter(zip(*release.table.to_pydict().values(), strict=True)).most_common() == [
        (("47***", "*", "America"), 3),
        (("48***", "*", "Europe"), 2),
    ]
    for refused in (DeltaPresence(0.6, 0.5, PUBLIC), DeltaPresence(2 / 3, 0.51, PUBLIC), KMap(4, PUBLIC)):
        with pytest.raises(InfeasiblePromise):
            tk.anonymize(ILL, PEOPLE, tk.Generalization(2, levels, constraints=[refused]), seed=1)
    best = tk.Generalization(2, tk.partitions.Optimal(), constraints=constraints[:1])
    assert tk.anonymize(ILL, PEOPLE, best, seed=1).guarantees[1].value <= 2 / 3 + 1e-9


def small(seed: int) -> tuple[tk.Schema, pa.Table, pa.Table]:
    """A population of three columns, one with a tree and one without an order, and some of its people."""
    rng = np.random.default_rng(seed)
    tree = tk.Hierarchy.groups({"low": ["a", "b"], "high": ["c", "d"]}, {"*": ["low", "high"]})
    schema = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1), tk.Hierarchy.intervals([0, 5, 9])),
            tk.Attribute("town", "quasi_identifier", tk.Categories(["a", "b", "c", "d"]), tree),
            tk.Attribute("job", "quasi_identifier", tk.Categories(["x", "y", "z"]), missing=True),
            tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        ]
    )
    people = int(rng.integers(30, 60))
    jobs = rng.choice(["x", "y", "z", None], people, p=[0.5, 0.3, 0.1, 0.1])
    population = pa.table(
        {
            "age": rng.integers(0, 10, people),
            "town": rng.choice(list("abcd"), people, p=[0.4, 0.3, 0.2, 0.1]),
            "job": pa.array(jobs.tolist(), pa.string()),
            "extra": np.arange(people),  # other columns of a population are not looked at
        }
    )
    chosen = rng.permutation(people)[: people // 2]
    table = (
        population.take(chosen)
        .drop_columns("extra")
        .append_column("ill", [rng.choice(["no", "yes"], len(chosen)).tolist()])
    )
    return schema, table, population


def stands_for(column: RecodedColumn, code: int) -> set[Any]:
    """The values that a released code stands for, worked out from its label's stretch."""
    domain = column.original.domain
    assert domain is not None
    low, high = column.spans[code].tolist()
    order = np.argsort(column.axis.place)
    return {
        None if c == domain.size else domain.values_of(np.array([c]))[0].as_py() for c in order[low : high + 1].tolist()
    }


def again(release: tk.Release, population: pa.Table) -> tuple[int, float, float]:
    """Count a release in its population in plain Python, by the sentences of the page."""
    names, recoding = release.schema.names("quasi_identifier"), release.mechanism.recoding
    rows = list(zip(*(release.coded.codes(name).tolist() for name in names), strict=True))
    sizes = Counter(rows)
    people = list(zip(*(population.column(name).to_pylist() for name in names), strict=True))
    boxes = {}
    for row in sizes:
        if recoding is None:
            cells = [{None if c == (d := release.schema[n].domain).size else d.values_of(np.array([c]))[0].as_py()} for n, c in zip(names, row, strict=True)]  # fmt: skip
        else:
            cells = [stands_for(recoding.columns[n], c) for n, c in zip(names, row, strict=True)]
        boxes[row] = {i for i, person in enumerate(people) if all(v in s for v, s in zip(person, cells, strict=True))}
        boxes[row, "cells"] = cells
    gone, anywhere = release.mechanism.left_out, recoding is not None and recoding.scheme != "global"
    k_map, upper, lower = [], dict.fromkeys(range(len(people)), 0.0), dict.fromkeys(range(len(people)), 0.0)
    for row, size in sizes.items():
        others = sum(
            n for other, n in sizes.items()
            if other != row and all(a & b for a, b in zip(boxes[row, "cells"], boxes[other, "cells"], strict=True))
        )  # fmt: skip
        fewest = max(size, len(boxes[row]) - others - (gone if anywhere else 0))
        k_map.append(fewest)
        for i in boxes[row]:
            upper[i] += size / fewest
            lower[i] = max(lower[i], size / len(boxes[row]))
    outside = [i for i in lower if not lower[i]]
    for i in lower if gone else ():
        if anywhere:
            upper[i] += gone / max(gone, len(people) - len(rows))
            lower[i] = max(lower[i], gone / len(people))
            if i in outside:
                upper[i] = max(upper[i], min(1.0, gone / len(outside)))
        elif i in outside:
            upper[i] = lower[i] = gone / len(outside)
    return min(k_map), min(lower.values()), min(1.0, max(upper.values()))


METHODS: dict[str, Any] = {
    **{
        f"{type(partition).__name__} {place}": (lambda c, p=partition: tk.Generalization(2, p, 1.0, c))
        for place, partition in enumerate(EVERY)
    },
    "automatic": lambda c: tk.Generalization(2, constraints=c),
    "optimal": lambda c: tk.Generalization(2, tk.partitions.Optimal(), 0.2, c),
    "optimal, nothing suppressed": lambda c: tk.Generalization(2, tk.partitions.Optimal(), 0.0, c),
    "fixed": lambda c: tk.Generalization(2, tk.partitions.FixedLevels({"age": 1, "town": 1, "job": 1}), 1.0, c),
    "record suppression": lambda c: tk.RecordSuppression(2, 1.0, c),
    "intervals": lambda c: tk.Microaggregation(2, tk.partitions.MDAV(), "interval", c),
}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_releases_what_was_asked_or_nothing(name: str, tmp_path: Path) -> None:
    made = 0
    for seed in range(3):
        schema, table, population = small(seed)
        for constraint in (KMap(4, population), KMap(7, population), DeltaPresence(0.7, population=population), DeltaPresence(0.9, 0.2, population)):  # fmt: skip
            try:
                release = tk.anonymize(table, schema, METHODS[name]((constraint,)), seed=seed)
            except InfeasiblePromise:
                continue
            made += 1
            k_map, least, most = again(release, population)
            stated = release.guarantees[1]
            assert stated.numbers == {"people": population.num_rows}
            if isinstance(constraint, KMap):
                assert stated.value == k_map >= constraint.k
            else:
                assert stated.value == pytest.approx(most)
                assert constraint.delta_min - 1e-9 <= least
                assert most <= constraint.delta_max + 1e-9
            release.write(tmp_path / "r", overwrite=True, allow_seeded=True)
            read = tk.read_release(tmp_path / "r")
            assert read.guarantees == release.guarantees
            found = tk.disclosure.in_population(read, population)  # as a recipient who has the population
            assert (found.k_map, *found.presence) == pytest.approx((k_map, least, most))
    assert made >= (0 if name == "record suppression" else 4)


def test_the_search_over_levels_finds_the_best_node_that_holds() -> None:
    """Every node is released by itself and counted: none that holds loses less than the one that is found."""
    for seed in range(3):
        schema, table, population = small(seed)
        for constraint, limit in (
            (KMap(6, population), 0.0),
            (DeltaPresence(0.6, 0.2, population), 0.0),
            (KMap(6, population), 0.2),
        ):
            losses = []
            for levels in itertools.product(range(3), range(3), range(2)):
                fixed = tk.partitions.FixedLevels(dict(zip(("age", "town", "job"), levels, strict=True)))
                try:
                    release = tk.anonymize(table, schema, tk.Generalization(2, fixed, limit, (constraint,)), seed=1)
                except InfeasiblePromise:
                    continue
                assert release.record is not None
                losses.append(release.record.notes[0].loss)  # type: ignore[attr-defined]
            method = tk.Generalization(2, tk.partitions.Optimal(), limit, (constraint,))
            if not losses:
                with pytest.raises(InfeasiblePromise):
                    tk.anonymize(table, schema, method, seed=1)
                continue
            best = tk.anonymize(table, schema, method, seed=1)
            assert best.record is not None
            assert best.record.notes[0].loss == pytest.approx(min(losses))  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(40))
def test_what_lasts_as_cells_join(seed: int) -> None:
    """Of any two nodes of the lattice, one coarser than the other: what the finer one's classes hold, the coarser one's do."""
    schema, table, population = small(seed)
    names = schema.names("quasi_identifier")
    coded = encode(table, schema)
    people = Population(encode(population.drop_columns("extra"), tk.Schema([schema[n] for n in names])), names)
    rng = np.random.default_rng(seed)
    for constraint in (
        KMap(int(rng.integers(2, 9))),
        DeltaPresence(float(rng.uniform(0.3, 1)), float(rng.choice([0, 0.2]))),
    ):
        bound = constraint.bind(coded, people)
        found: dict[tuple[int, ...], Any] = {}
        for levels in itertools.product(*(range(axis.levels) for axis in bound.axes)):
            low = np.stack(
                [a.first[lv, bound.rows[:, j]] for j, (a, lv) in enumerate(zip(bound.axes, levels, strict=True))],
                axis=1,
            )
            high = np.stack(
                [a.last[lv, bound.rows[:, j]] for j, (a, lv) in enumerate(zip(bound.axes, levels, strict=True))], axis=1
            )
            cells, labels = np.unique(low, axis=0, return_inverse=True)
            labels = labels.reshape(-1).astype(np.int32)
            example = np.array([np.flatnonzero(labels == each)[0] for each in range(len(cells))])
            found[levels] = bound.holds_within(labels, low[example], high[example])[labels]
        for finer, coarser in itertools.product(found, repeat=2):
            if all(a <= b for a, b in zip(finer, coarser, strict=True)):
                if constraint.lasting == "always":
                    assert np.all(found[coarser][found[finer]])
                elif found[finer].all():
                    assert found[coarser].all()


def test_a_release_says_what_reading_it_cannot_count(tmp_path: Path) -> None:
    schema, table, population = small(1)
    release = tk.anonymize(table, schema, tk.Generalization(2, constraints=[KMap(4, population)]), seed=1)
    said = str(release.guarantees[1])
    assert "of all 44 people in the population, but not which of them are in the table" in said
    assert "Reading the release does not count it again" in said
    folder = release.write(tmp_path / "r", allow_seeded=True)
    text = (folder / "manifest.json").read_text()
    assert "population" in text  # the assumptions and the attacker
    assert "extra" not in text
    (constraint,) = constraints_of(release.method)
    assert constraint == KMap(4)
    for value in (3.0, 45.0, 4.5):
        rewrite(folder, lambda m, v=value: m["disclosed"]["guarantees"]["value"][1].update(value=v))
        with pytest.raises(ReleaseError, match="that its own rows do not satisfy"):
            tk.read_release(folder)


def test_a_population_in_a_file_and_in_a_plan(tmp_path: Path) -> None:
    schema, table, population = small(2)
    pa.csv.write_csv(population, tmp_path / "register.csv")
    pa.csv.write_csv(table, tmp_path / "people.csv")
    method = tk.Generalization(2, constraints=[KMap(4, "register.csv"), DeltaPresence(0.8, population="register.csv")])
    (tmp_path / "plan.toml").write_text(Plan(Source("people.csv"), schema, method).to_toml())
    assert 'population = "register.csv"' in (tmp_path / "plan.toml").read_text()
    plan = Plan.read(tmp_path / "plan.toml")
    release = tk.run(plan, seed=1)
    assert release.guarantees[1].value == again(release, population)[0]
    assert "register" not in str(release.method)
    semicolons = (
        (tmp_path / "plan.toml").read_text().replace('path = "people.csv"', 'path = "people.csv"\ndelimiter = ";"')
    )
    (tmp_path / "other.toml").write_text(semicolons)
    for name, rows in (("people", table), ("register", population)):
        pa.csv.write_csv(rows, tmp_path / f"{name}.csv", pa.csv.WriteOptions(delimiter=";"))
    assert tk.run(Plan.read(tmp_path / "other.toml"), seed=1).guarantees == release.guarantees
    assert tk.run(Plan.read(tmp_path / "other.toml"), "stream", seed=1).guarantees == release.guarantees


def test_a_recipient_counts_what_can_be_counted() -> None:
    schema, table, population = small(5)
    starred = tk.Generalization(5, tk.partitions.FixedLevels({"age": 1, "town": 1, "job": 0}), 1.0)
    with pytest.raises(InvalidParameter, match="cannot count suppressed rows"):
        tk.disclosure.in_population(tk.anonymize(table, schema, starred, seed=1), population)
    for method in (tk.PkPerturbation(k=3, tells="all"), tk.Microaggregation(k=3), tk.Swapping(k=3)):
        with pytest.raises(InvalidParameter, match="in_population is for generalized rows"):
            tk.disclosure.in_population(tk.anonymize(table, schema, method, seed=1), population)
    release = tk.anonymize(table, schema, tk.LocalSuppression(2), seed=1)
    assert tk.disclosure.in_population(release, population).k_map >= 2
    with pytest.raises(DataError, match="The population does not fit: The table has no column 'job'"):
        tk.disclosure.in_population(release, population.drop_columns("job"))


def test_steps_before_the_method_are_taken_in_the_population_too() -> None:
    schema, table, population = small(3)
    steps = [tk.prepare.Recode("age", level=1), tk.prepare.Drop("job")]
    release = tk.anonymize(table, schema, tk.Generalization(2, constraints=[KMap(4, population)]), steps, seed=1)
    assert release.guarantees[1].value >= 4


def test_what_cannot_be_the_population_is_refused() -> None:
    schema, table, population = small(4)

    def make(constraint: Any, **more: Any) -> None:
        tk.anonymize(table, schema, tk.Generalization(2, constraints=[constraint], **more), seed=1)

    with pytest.raises(InvalidParameter, match="KMap needs the population: a table"):
        make(KMap(4))
    with pytest.raises(DataError, match=r"The population does not fit: The table has no column 'job'"):
        make(KMap(4, population.drop_columns("job")))
    with pytest.raises(DataError, match="must contain everyone in the table"):
        make(KMap(2, population.slice(0, 8)))
    averages = tk.Microaggregation(2, constraints=[KMap(4, population)])
    with pytest.raises(InvalidParameter, match="take cells='interval'"):
        tk.anonymize(table, schema, averages)
    coarse = tk.Schema([tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=3))])
    with pytest.raises(InvalidParameter, match="declare a step that fits"):
        tk.anonymize(table.select(["age"]), coarse, tk.Generalization(2, constraints=[KMap(4, population)]))
    several = tk.Schema(
        [tk.Attribute("who", "person"), tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1))]
    )
    rows = pa.table({"who": [0, 0, 1, 2], "age": [1, 2, 1, 2]})
    with pytest.raises(InvalidParameter, match="KMap is for tables with one row per person"):
        tk.anonymize(rows, several, tk.Generalization(2, constraints=[KMap(2, population)]))
    for bad, message in (
        (lambda: KMap(1, population), "k must be a whole number of at least 2"),
        (lambda: DeltaPresence(0.2, 0.3), "must be probabilities"),
        (lambda: DeltaPresence(0), "must be probabilities"),
        (lambda: DeltaPresence(1.2), "must be probabilities"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            bad()
