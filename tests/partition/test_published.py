"""An earlier release's labels on new rows: the same labels, k counted again, and nothing covered that was not."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import tokumei as tk
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter, ReleaseError, SamePeopleWarning
from tokumei.partition.published_boxes import box_of
from tokumei.partition.published_scheme import PublishedScheme
from tokumei.privacy.assumptions import ChosenFromRows, LabelsOfEarlier, ThisReleaseAlone
from tokumei.privacy.exact import link_posteriors
from tokumei.release.manifest import declared_and_disclosed

Q = "quasi_identifier"
TOWNS = ("A", "B", "C", "D")
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", Q, tk.Numbers(20, 59, step=1), tk.Hierarchy.intervals([20, 30, 40, 50, 60], [20, 40, 60])),
        tk.Attribute(
            "town", Q, tk.Categories(TOWNS), tk.Hierarchy.groups({"n": ["A", "B"], "s": ["C", "D"]}), missing=True
        ),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


FLAT = tk.Schema(
    [
        tk.Attribute("age", Q, tk.Numbers(20, 59, step=1)),
        tk.Attribute("town", Q, tk.Categories(TOWNS, ordered=True)),
        SCHEMA["ill"],
    ]
)


def month(seed: int, rows: int = 400) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": np.clip(rng.normal(38, 9, rows), 20, 59).astype(np.int64),
            "town": pa.array([(*TOWNS, None)[t] for t in rng.choice(5, rows, p=[0.4, 0.2, 0.2, 0.15, 0.05])]),
            "ill": pa.array(rng.choice(["no", "yes"], rows).tolist()),
        }
    )


MARCH, APRIL = month(1), month(2)
OPTIMAL = tk.Generalization(k=5, partition=tk.partitions.Optimal(), suppression_limit=0.05)
BOXES = tk.Generalization(k=8, partition=tk.partitions.Mondrian(strict=True))
FULL_MARCH, FULL_APRIL = (table.filter(table["town"].is_valid()) for table in (MARCH, APRIL))
CASES = pytest.mark.parametrize(
    ("method", "schema", "march", "april"),
    [(OPTIMAL, SCHEMA, MARCH, APRIL), (BOXES, FLAT, FULL_MARCH, FULL_APRIL)],
    ids=["levels", "boxes"],
)


def again(release: Any, k: int = 5, limit: float = 0.1, **more: Any) -> tk.Generalization:
    return tk.Generalization(k=k, partition=tk.partitions.Published(release), suppression_limit=limit, **more)


def made(table: pa.Table, method: Any, schema: tk.Schema = SCHEMA, seed: int | None = None) -> tk.Release:
    with pytest.warns(SamePeopleWarning, match="sees two equivalence classes of a person who is in both"):
        return tk.anonymize(table, schema, method, seed=seed)


def label_of(release: tk.Release, row: tuple[Any, Any]) -> set[tuple[str | None, str | None]]:
    """Every pair of labels under which an original record may stand in a release, cells that say nothing at all aside."""
    recoding = release.mechanism.recoding
    assert recoding is not None
    found = set()
    for labels in set(zip(*(release.table[name].to_pylist() for name in ("age", "town")), strict=True)):
        fits = []
        for name, cell, label in zip(("age", "town"), row, labels, strict=True):
            column = recoding.columns[name]
            domain, released = column.original.domain, release.schema[name].domain
            assert domain is not None
            assert released is not None
            code = domain.size if cell is None else domain.labels().index(str(cell))
            fits.append(column.covers[len(column.stretches) if label is None else released.labels().index(label), code])
        if all(fits):
            found.add(labels)
    return found


def test_levels_are_taken_as_they_are_and_k_is_counted_again() -> None:
    march = tk.anonymize(MARCH, SCHEMA, OPTIMAL)
    april = made(APRIL, again(march, limit=0.2))
    assert april.mechanism.recoding is not None
    assert april.mechanism.recoding.scheme == "global"
    for name in ("age", "town"):
        mine, theirs = (set(each.table[name].to_pylist()) - {"*"} for each in (april, march))
        labels = march.schema[name].domain
        assert isinstance(labels, tk.Categories)
        assert mine - {None} <= set(labels.values)
        assert mine <= theirs | {None}
        # A value has the label that it has in the earlier release.
        before, after = (each.mechanism.recoding.columns[name] for each in (march, april))
        assert before.original == after.original
        old, new = (
            dict(zip(each.schema[name].domain.labels(), c.stretches, strict=True))
            for each, c in ((march, before), (april, after))
        )
        shared = set(old) & set(new) - {"*"}
        assert shared == set(new) - {"*"}
        assert {label: old[label] for label in shared} == {label: new[label] for label in shared}
    sizes = april.table.group_by(["age", "town"]).aggregate([([], "count_all")])["count_all"].to_pylist()
    assert min(sizes) == april.guarantees[0].value >= 5


def test_exactly_the_classes_below_k_are_suppressed() -> None:
    march = tk.anonymize(MARCH, SCHEMA, OPTIMAL)
    scheme = PublishedScheme.of(march)
    ages = {a: i for i, a in enumerate(range(20, 60))}
    towns = {t: i for i, t in enumerate((*TOWNS, None))}
    labels = [
        (int(scheme.codes["age"][ages[a]]), int(scheme.codes["town"][towns[t]]))
        for a, t in zip(APRIL["age"].to_pylist(), APRIL["town"].to_pylist(), strict=True)
    ]
    small = sum(labels.count(each) < 5 for each in labels)
    april = made(APRIL, again(march, limit=1.0))
    assert np.count_nonzero(april.suppressed) + april.mechanism.left_out == small
    if small:
        with pytest.raises(
            InfeasiblePromise, match=f"{small} rows? would be suppressed, and suppression_limit allows 0"
        ):
            tk.anonymize(APRIL, SCHEMA, again(march, limit=0.0))
    everyone = made(APRIL, again(march, k=2, limit=1.0))
    assert everyone.guarantees[0].value >= 2


@CASES
def test_from_a_folder_and_back(method: Any, schema: tk.Schema, march: Any, april: Any, tmp_path: Path) -> None:
    before = tk.anonymize(march, schema, method)
    before.write(tmp_path / "march")
    in_memory = made(april, again(before, limit=0.9), schema, seed=1)
    later = made(april, again(tmp_path / "march", limit=0.9), schema, seed=1)
    assert later.table.equals(in_memory.table)
    later.write(tmp_path / "april", allow_seeded=True)
    assert "march" not in (tmp_path / "april" / "manifest.json").read_text()
    read = tk.read_release(tmp_path / "april", frame="pyarrow")
    assert read.table.equals(later.table)
    assert read.method["partition"] == {"kind": "published"}
    assert any(fact.name == "published" for fact in read.disclosed)
    third = month(3).filter(month(3)["town"].is_valid())
    chained = made(third, again(read, limit=0.9), schema)  # what was made by a scheme is one
    assert chained.guarantees[0].value >= 5


def test_boxes_are_taken_as_they_are() -> None:
    march = tk.anonymize(FULL_MARCH, FLAT, BOXES)
    assert march.mechanism.recoding is not None
    assert march.mechanism.recoding.scheme == "disjoint"
    april = made(FULL_APRIL, again(march, k=3, limit=0.9), FLAT)
    assert april.mechanism.recoding is not None
    assert april.mechanism.recoding.scheme == "disjoint"
    shown = pa.array(~april.suppressed)
    pairs = set(zip(*(april.table[name].filter(shown).to_pylist() for name in ("age", "town")), strict=True))
    assert pairs <= set(zip(*(march.table[name].to_pylist() for name in ("age", "town")), strict=True))
    places = [label_of(march, row) for row in zip(*(FULL_APRIL[n].to_pylist() for n in ("age", "town")), strict=True)]
    assert max(len(each) for each in places) == 1
    outside = sum(not each for each in places)
    boxes = [next(iter(each)) for each in places if each]
    expected = {box: boxes.count(box) for box in set(boxes) if boxes.count(box) >= 3}
    assert {pair: pairs_of(april).count(pair) for pair in pairs} == expected
    assert outside > 0
    assert april.record is not None
    assert f"{outside} of them outside every published box" in str(april.record.notes[0])
    with pytest.raises(InfeasiblePromise, match=rf"\({outside} rows? of them in no published box\)"):
        tk.anonymize(FULL_APRIL, FLAT, again(march, k=3, limit=0.0))


def pairs_of(release: tk.Release) -> list[tuple[str, str]]:
    return list(zip(*(release.table[name].to_pylist() for name in ("age", "town")), strict=True))


@CASES
def test_the_same_rows_are_released_alike(method: Any, schema: tk.Schema, march: Any, april: Any) -> None:
    """Next month's table being this month's, the labels of every row are the same."""
    before = tk.anonymize(march, schema, method)
    same = made(march, again(before, limit=0.1), schema)
    counts = [
        each.table.group_by(["age", "town", "ill"]).aggregate([([], "count_all")]).to_pylist()
        for each in (before, same)
    ]
    assert sorted(map(str, counts[0])) == sorted(map(str, counts[1]))
    assert same.guarantees[0].value == before.guarantees[0].value


def test_columns_at_their_coarsest_level() -> None:
    coarse = tk.Schema([SCHEMA["age"], SCHEMA["town"], SCHEMA["ill"]])
    march = tk.anonymize(MARCH, coarse, tk.Generalization(k=390, partition=tk.partitions.Optimal()))
    april = made(APRIL, again(march, k=390, limit=0.0))
    assert set(april.table["age"].to_pylist()) == {"*"}
    assert april.guarantees[0].value == 400


def test_values_that_the_scheme_does_not_cover_are_refused_with_their_count() -> None:
    march = tk.anonymize(MARCH, SCHEMA, OPTIMAL)
    wider = SCHEMA.replacing(tk.Attribute("town", Q, tk.Categories([*TOWNS, "E"]), missing=True))
    covered = made(APRIL, again(march, limit=0.2), wider)  # a domain may be wider as long as no row is
    assert covered.original("town") == SCHEMA["town"]
    towns = ["E"] * 3 + APRIL["town"].to_pylist()[3:]
    with pytest.raises(DataError, match="3 cells of 'town' are not covered by the published scheme") as caught:
        tk.anonymize(APRIL.set_column(1, "town", pa.array(towns)), wider, again(march))
    assert "recode or leave out" in str(caught.value)
    older = SCHEMA.replacing(tk.Attribute("age", Q, tk.Numbers(0, 99, step=1)))
    ages = [70, *APRIL["age"].to_pylist()[1:]]
    with pytest.raises(DataError, match="1 cell of 'age' is not covered"):
        tk.anonymize(APRIL.set_column(0, "age", pa.array(ages)), older, again(march))
    no_gaps = SCHEMA.replacing(tk.Attribute("town", Q, tk.Categories(TOWNS), SCHEMA["town"].hierarchy))
    full = MARCH.filter(MARCH["town"].is_valid())
    strict = tk.anonymize(full, no_gaps, OPTIMAL)
    gaps = APRIL["town"].null_count
    with pytest.raises(DataError, match=f"{gaps} cells of 'town' are not covered"):
        tk.anonymize(APRIL, SCHEMA, again(strict))


def test_other_columns_kinds_and_grids_are_refused() -> None:
    march = tk.anonymize(MARCH, SCHEMA, OPTIMAL)
    with pytest.raises(
        InvalidParameter, match="scheme is for 'age', 'town', and the quasi-identifiers are 'age'; they"
    ):
        tk.anonymize(APRIL.drop_columns("town"), SCHEMA.without("town"), again(march))
    halves = SCHEMA.replacing(tk.Attribute("age", Q, tk.Numbers(20, 59, step=0.5)))
    shifted = APRIL.set_column(0, "age", pa.array(APRIL["age"].to_numpy() - 0.5 * (APRIL["age"].to_numpy() > 21)))
    with pytest.raises(DataError, match="'age' has another kind of values, or another grid"):
        tk.anonymize(shifted, halves, again(march))
    words = SCHEMA.replacing(tk.Attribute("age", Q, tk.Categories(["young", "old"])))
    with pytest.raises(DataError, match="another kind of values"):
        tk.anonymize(APRIL.set_column(0, "age", pa.array(["young", "old"] * 200)), words, again(march))


def test_releases_without_a_scheme_are_refused(tmp_path: Path) -> None:
    perturbed = tk.anonymize(MARCH, SCHEMA, tk.PkPerturbation(k=5, tells="all"))
    with pytest.raises(InvalidParameter, match="needs a release whose labels follow from the values"):
        tk.anonymize(APRIL, SCHEMA, again(perturbed))
    overlapping = tk.anonymize(MARCH, SCHEMA, tk.Generalization(k=5, partition=tk.partitions.TopDown()))
    assert overlapping.mechanism.recoding is not None
    assert overlapping.mechanism.recoding.scheme == "overlapping"
    with pytest.raises(InvalidParameter, match="needs a release whose labels follow from the values"):
        tk.anonymize(APRIL, SCHEMA, again(overlapping))
    with pytest.raises(ReleaseError, match="is not a release"):
        tk.anonymize(APRIL, SCHEMA, again(str(tmp_path)))
    with pytest.raises(InvalidParameter, match="takes a release, or the path"):
        tk.partitions.Published(7)


def test_it_makes_no_groups() -> None:
    with pytest.raises(InvalidParameter, match="partition.kind must be one of 'automatic', 'dbscan', 'lattice'"):
        tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Published("march"))
    assert not hasattr(tk.partitions.Published, "group")


@pytest.mark.filterwarnings("ignore::tokumei.errors.SamePeopleWarning")
def test_a_stream_has_the_same_labels(tmp_path: Path) -> None:
    from tests.engines.stream.rows import plan_for

    pyarrow.csv.write_csv(APRIL, tmp_path / "april.csv")
    march = tk.anonymize(MARCH, SCHEMA, OPTIMAL)
    plan = plan_for(tmp_path / "april.csv", again(march), schema=SCHEMA)
    local, streamed = (tk.run(plan, engine, seed=1) for engine in ("local", "stream"))
    assert streamed.guarantees == local.guarantees
    assert streamed.table.equals(local.table)


def test_constraints_are_kept_and_counted() -> None:
    march = tk.anonymize(MARCH, SCHEMA, OPTIMAL)
    april = made(APRIL, again(march, limit=0.5, constraints=(tk.constraints.LDiversity("ill", 2),)))
    assert april.guarantees[1].notion == "l-diversity"
    assert april.guarantees[1].value >= 2


def test_promises_say_what_the_scheme_means_and_nothing_of_the_rows_chose_it() -> None:
    march = tk.anonymize(MARCH, SCHEMA, OPTIMAL)
    april = made(APRIL, again(march, limit=0.2))
    said = april.guarantees[0].assumes
    assert LabelsOfEarlier() in said
    assert ThisReleaseAlone() in said
    assert ChosenFromRows() not in said
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SamePeopleWarning)
        other = tk.anonymize(month(5), SCHEMA, again(march, limit=0.2))
    left, right = (declared_and_disclosed(each)[1]["domains"]["value"] for each in (april, other))
    stars = [
        {name: [v for v in d["domain"]["values"] if v != "*"] for name, d in each.items()} for each in (left, right)
    ]
    assert stars[0] == stars[1]  # the labels are the same whatever the rows are


@pytest.mark.parametrize("seed", range(6))
def test_the_exact_adversary_links_nobody_over_one_in_k(seed: int) -> None:
    """He knows every person's cells, the earlier release and how rows are suppressed, so he knows which labels each has."""
    march = tk.anonymize(MARCH, SCHEMA, OPTIMAL)
    few = month(10 + seed, rows=9)
    made_here = made(few, again(march, k=2, limit=1.0))
    recoding = made_here.mechanism.recoding
    assert recoding is not None
    people = list(zip(*(few[name].to_pylist() for name in ("age", "town")), strict=True))
    scheme = PublishedScheme.of(march)
    ages = {a: i for i, a in enumerate(range(20, 60))}
    towns = {t: i for i, t in enumerate((*TOWNS, None))}
    of = [(int(scheme.codes["age"][ages[a]]), int(scheme.codes["town"][towns[t]])) for a, t in people]
    rare = [of.count(each) < 2 for each in of]
    starred = made_here.mechanism.left_out == 0
    kept = [i for i in range(9) if starred or not rare[i]]
    shown = [
        ("*", "*") if rare[i] else tuple(_name(scheme, n, c) for n, c in zip(("age", "town"), of[i], strict=True))
        for i in kept
    ]
    rows = list(zip(*(made_here.table[name].to_pylist() for name in ("age", "town")), strict=True))
    assert sorted(map(str, rows)) == sorted(map(str, shown))
    likelihood = np.array([[float(label == row) for row in rows] for label in shown])
    assert link_posteriors(likelihood).max() <= 1 / made_here.guarantees[0].value + 1e-12
    assert made_here.guarantees[0].value >= 2


def _name(scheme: PublishedScheme, column: str, code: int) -> str | None:
    return scheme.labels[column][code] if code < len(scheme.labels[column]) else None


def test_people_in_both_releases_are_in_the_intersection() -> None:
    """What is warned of: one person in both, and nobody else, is linked for certain."""
    schema = tk.Schema(
        [
            tk.Attribute("town", Q, tk.Categories(["A", "B"])),
            tk.Attribute("ill", "sensitive", tk.Categories(["x", "y", "z"])),
        ]
    )
    march = tk.anonymize(
        pa.table({"town": ["A", "A", "B", "B"], "ill": ["x", "y", "y", "z"]}),
        schema,
        tk.Generalization(k=2, partition=tk.partitions.Optimal()),
    )
    april = made(
        pa.table({"town": ["A", "A", "B", "B"], "ill": ["x", "z", "y", "z"]}), again(march, k=2, limit=0.0), schema
    )
    values = [
        {i for t, i in zip(each.table["town"].to_pylist(), each.table["ill"].to_pylist(), strict=True) if t == "A"}
        for each in (march, april)
    ]
    assert [len(each) for each in values] == [2, 2]
    assert values[0] & values[1] == {"x"}


@pytest.mark.parametrize("seed", range(8))
def test_boxes_are_found_as_by_looking_at_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axes, sizes = 3, [7, 300, 4]
    boxes = [(np.zeros(axes, int), np.array(sizes) - 1)]
    for _ in range(25):  # cut boxes apart, and throw some away
        low, high = boxes.pop(int(rng.integers(len(boxes))))
        axis = int(rng.integers(axes))
        if low[axis] == high[axis]:
            boxes.append((low, high))
            continue
        cut = int(rng.integers(low[axis], high[axis]))
        left, right = high.copy(), low.copy()
        left[axis], right[axis] = cut, cut + 1
        boxes += [(low, left), (right, high)]
    low, high = (np.array(each, dtype=np.int32) for each in zip(*boxes[: max(1, len(boxes) - 3)], strict=True))
    rows = np.stack([rng.integers(0, size, 200) for size in sizes], axis=1).astype(np.int32)
    inside = np.all((rows[:, None] >= low) & (rows[:, None] <= high), axis=2)
    expected = np.where(inside.any(axis=1), inside.argmax(axis=1), -1)
    assert np.array_equal(box_of(rows, low, high), expected)
    assert box_of(rows[:0], low, high).tolist() == []
    assert set(box_of(rows, low[:0], high[:0]).tolist()) == {-1}


def test_in_a_plan(tmp_path: Path) -> None:
    tk.anonymize(MARCH, SCHEMA, OPTIMAL).write(tmp_path / "march")
    pyarrow.csv.write_csv(APRIL, tmp_path / "april.csv")
    (tmp_path / "plan.toml").write_text(
        """
[source]
path = "april.csv"
[schema.age]
domain = { kind = "numbers", low = 20, high = 59, step = 1 }
[schema.town]
domain = { kind = "categories", values = ["A", "B", "C", "D"] }
missing = true
[schema.ill]
role = "sensitive"
domain = { kind = "categories", values = ["no", "yes"] }
[method]
method = "generalization"
k = 5
suppression_limit = 0.2
partition = { kind = "published", release = "march" }
"""
    )
    with pytest.warns(SamePeopleWarning):
        release = tk.run(tmp_path / "plan.toml", seed=4)
    assert release.table.equals(made(APRIL, again(tmp_path / "march", limit=0.2), seed=4).table)
    text = (tmp_path / "plan.toml").read_text().replace(', release = "march"', "")
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(tk.errors.PlanError, match="release' is missing"):
        tk.Plan.read(tmp_path / "bad.toml")


def test_every_pair_of_months_keeps_k() -> None:
    for first, second in itertools.permutations(range(3), 2):
        release = tk.anonymize(month(first, 120), SCHEMA, OPTIMAL)
        later = made(month(second, 120), again(release, k=4, limit=1.0))
        assert later.guarantees[0].value >= 4
