"""Rows that tell one thing each inside their group's box: what is released, read back, said, attacked and reconstructed."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.release.forging import rewrite
from tokumei.anonymizers.group_tells import solve_telling_in_groups
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.privacy.sampling import HidingPlace
from tokumei.reconstruction import _mixture as mixture
from tokumei.reconstruction._observed import modelled
from tokumei.words import Words

Q = "quasi_identifier"
Subsets = tk.tells.Subsets
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", Q, tk.Numbers(0, 9, step=1)),
        tk.Attribute("sex", Q, tk.Categories(["F", "M"]), missing=True),
        tk.Attribute("area", Q, tk.Categories(["n", "e", "s"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
IN_TWO = tk.partitions.Mondrian(min_size=150)


def people(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Young people in the north and the east, old ones in the south, some of whom do not say their sex."""
    rng = np.random.default_rng(seed)
    old = rng.random(rows) < 0.5
    age = np.where(old, rng.integers(5, 10, rows), rng.integers(0, 5, rows))
    sex = np.where(rng.random(rows) < np.where(old, 0.8, 0.3), "F", "M").astype(object)
    sex[old & (rng.random(rows) < 0.2)] = None
    area = np.where(old, "s", rng.choice(["n", "e"], rows))
    return pd.DataFrame({"age": age, "sex": sex, "area": area, "ill": np.where(rng.random(rows) < 0.3, "yes", "no")})


def released(tells: Any = 1, rows: int = 400, **more: Any) -> tk.Release:
    method = tk.GroupedPkPerturbation(k=4, partition=more.pop("partition", IN_TWO), tells=tells, **more)
    return tk.anonymize(people(rows), SCHEMA, method, seed=1)


@pytest.mark.parametrize("tells", [1, 2, (Subsets(1), Subsets(2)), (Subsets(("age", "sex")), Subsets(("area",)))])
@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_blank_and_missing_cells_stay_apart(tells: Any, form: Any, tmp_path: Path) -> None:
    release = released(tells)
    release.write(tmp_path / "out", form, allow_seeded=True)
    read = tk.read_release(tmp_path / "out", frame="pandas")
    for name in ("age", "sex", "area"):
        told = release.tells(name)
        assert np.array_equal(told, read.tells(name))
        assert release.frame[name][~told].isna().all()
        assert release.frame[name][told].isna().any() == (name == "sex")
    assert release.tells("ill").all()
    assert read.original("sex").missing
    assert not read.original("age").missing
    assert read.guarantees[0].value == release.guarantees[0].value >= 4


def test_a_column_with_one_value_in_the_box_is_told_by_all_rows() -> None:
    release = released()
    grouping = release.mechanism.grouping
    assert grouping is not None
    assert grouping.telling is not None
    same = grouping.telling.sizes[release.group_of, grouping.columns.index("area")] == 1
    assert 0 < same.sum() < release.rows
    assert release.tells("area")[same].all()
    assert release.frame["area"][same].notna().all()
    assert not release.frame["tells"][same].str.contains("area").any()
    assert not release.tells("area")[~same].all()


def test_groups_in_which_nothing_varies_say_so() -> None:
    frame = pd.DataFrame({"age": [3] * 6, "sex": ["F"] * 6, "area": ["n"] * 6, "ill": ["no", "yes"] * 3})
    release = tk.anonymize(frame, SCHEMA, tk.GroupedPkPerturbation(k=3, tells=1), seed=1)
    assert set(release.frame["tells"]) == {"nothing more"}
    assert (release.frame["age"] == 3).all()
    assert release.guarantees[0].value == 6
    assert tk.attack(
        frame, tk.GroupedPkPerturbation(k=3, tells=1), SCHEMA, random_state=1
    ).largest_belief == pytest.approx(1 / 6)


def test_groups_are_those_of_rows_that_tell_everything() -> None:
    frame = people(2000)
    sizes = []
    for tells in ("all", 1):
        grouping = tk.anonymize(frame, SCHEMA, tk.GroupedPkPerturbation(k=4, tells=tells), seed=1).mechanism.grouping
        assert grouping is not None
        sizes.append(sorted((group.rows, group.boxes) for group in grouping.groups))
    assert sizes[0] == sizes[1]


def test_named_columns_are_told_as_far_as_they_vary() -> None:
    parts = (Subsets(("age", "sex"), weight=3), Subsets(("area",)), Subsets(2, weight=2))
    sizes = np.array([[4, 2, 3], [4, 1, 1], [1, 1, 1]])
    attributes = [SCHEMA[name] for name in ("age", "sex", "area")]
    made = solve_telling_in_groups(parts, attributes, sizes, [HidingPlace(0, 9)] * 3, 2, "tells")
    made.check()
    found = [{made.clusters[part.cluster]: part.weight for part in group} for group in made.parts]
    assert found[0] == {("age", "sex"): 11, ("area",): 3, ("age", "area"): 2, ("sex", "area"): 2}
    assert found[1] == {("age",): 1}
    assert found[2] == {(): 1}


def test_frames_of_all_kinds() -> None:
    frame, method = people(), tk.GroupedPkPerturbation(k=4, partition=IN_TWO, tells=1)
    one = tk.anonymize(frame, SCHEMA, method, seed=3)
    other = tk.anonymize(pa.Table.from_pandas(frame), SCHEMA, method, seed=3)
    assert one.table.equals(other.table)
    assert str(one.frame["age"].dtype) == "Int64"


# A release that was changed is refused.


def changed(folder: Path, change: Any) -> None:
    """Change a manifest's grouping, and sign it again."""
    rewrite(folder, lambda content: change(content["disclosed"]["mechanism"]["value"]["grouping"]))


FORGED: dict[str, Any] = {
    "a weight": lambda g: g["groups"][0]["tells"][0].update(weight=0),
    "a cluster twice": lambda g: g["groups"][0]["tells"].append(dict(g["groups"][0]["tells"][0])),
    "a cluster gone": lambda g: g["groups"][0]["tells"].pop(),
    "less noise": lambda g: g["groups"][0]["tells"][0]["channel"].update(other=1),
    "a channel of another size": lambda g: g["groups"][0]["tells"][0]["channel"].update(size=99),
    "another cluster": lambda g: g["telling"]["clusters"][0].append("area"),
    "a column that is not there": lambda g: g["telling"]["clusters"].append(["ill"]),
    "no missing cells": lambda g: g["telling"].update(missing=[]),
    "no groups named": lambda g: g.update(label=None),
    "channels as well": lambda g: g["groups"][0].update(channels=[g["groups"][0]["tells"][0]["channel"]] * 3),
    "nothing told": lambda g: g.pop("telling"),
    "another label": lambda g: g["telling"].update(label="area"),
    "a fraction": lambda g: g["groups"][0]["tells"][0].update(weight=1.5),
}


@pytest.mark.parametrize("what", FORGED)
def test_forged_groups_are_refused(what: str, tmp_path: Path) -> None:
    released().write(tmp_path / "out", allow_seeded=True)
    changed(tmp_path / "out", FORGED[what])
    with pytest.raises(ReleaseError):
        tk.read_release(tmp_path / "out")


@pytest.mark.parametrize(("column", "cell"), [("age", 3), ("age", 8), ("area", None), ("tells", "sex")])
def test_rows_that_tell_something_else_are_refused(column: str, cell: Any, tmp_path: Path) -> None:
    """A cell that is not told may hold nothing, whether or not the box of the row's group has it."""
    release = released()
    at = int(np.flatnonzero((release.frame["tells"] == "area") & release.frame["age"].isna())[0])
    file = release.write(tmp_path / "out", allow_seeded=True) / "data.parquet"
    table = pa.parquet.read_table(file)
    cells = table.column(column).to_pylist()
    cells[at] = cell
    place = table.column_names.index(column)
    pa.parquet.write_table(table.set_column(place, table.field(place), pa.array(cells, table.field(place).type)), file)

    def sign(content: Any) -> None:
        import hashlib

        content["data"]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()

    rewrite(tmp_path / "out", sign)
    with pytest.raises(ReleaseError, match="tell something else than they say"):
        tk.read_release(tmp_path / "out")


# The attack, and what is said.


def test_the_attack_keeps_below_the_promise() -> None:
    for tells in (1, 2):
        method = tk.GroupedPkPerturbation(k=4, partition=tk.partitions.Mondrian(min_size=30), tells=tells)
        found = tk.attack(people(200), method, SCHEMA, random_state=1)
        assert found.largest_belief <= 1 / 4
        assert found.linked is not None
        assert found.interval is not None
        assert found.interval[0] <= found.expected / found.people <= found.interval[1]


def test_what_is_said_of_it() -> None:
    from tokumei.release.told import told_grid

    release = released()
    for language in ("en", "ja"):
        words = Words(language)
        found = told_grid(release.mechanism, words)
        assert found is not None
        assert {line[0] for line in found[1]} == {"age", "sex", "area"}
        assert sum(float(line[1].rstrip("%")) for line in found[1]) == pytest.approx(100, abs=0.3)
        assert words.say(release.treatment("age"))
        assert release.record is not None
        assert all(words.say(note) for note in release.record.notes)
    assert "tells 1.0 of the" in str(release.record.notes[0])  # type: ignore[union-attr]


# The model of the whole table.


def test_the_model_believes_what_enumeration_gives() -> None:
    """What a mixture says of each released row is the sum over all true rows of their chance and of the row's, worked out here."""
    release = released((Subsets(1), Subsets(2)))
    found = modelled(release)
    rng = np.random.default_rng(5)
    names = [column.name for column in found.columns]
    sizes = [column.size for column in found.columns]
    classes = mixture.Mixture(rng.dirichlet(np.ones(2)), tuple(rng.dirichlet(np.ones(size), 2) for size in sizes))
    look = mixture.Look.at(found.observed, found.observed.masses(classes.thetas))
    grouping = release.mechanism.grouping
    assert grouping is not None
    assert grouping.telling is not None
    told = grouping.telling
    for row in range(0, release.rows, 9):
        ids = found.observed.rows[found.observed.which[row]]
        said = np.prod([look.seen[t] * np.exp(look.logs[t]) for t in ids if t >= 0], axis=0)
        group, cluster = int(release.group_of[row]), int(release.coded.codes("tells")[row])
        part = next(part for part in told.parts[group] if part.cluster == cluster)
        together = told.clusters[cluster]
        members = {n: set(grouping.inside(release.schema[n])[group].members.tolist()) for n in grouping.columns}
        shown = {n: int(release.coded.codes(n)[row]) for n in (*grouping.columns, "ill")}
        due = np.zeros(2)
        for true in itertools.product(*map(range, sizes)):
            record = dict(zip(names, true, strict=True))
            if record["ill"] != shown["ill"] or any(record[n] not in members[n] for n in grouping.columns):
                continue
            same = all(record[n] == shown[n] for n in together)
            chance = (part.channel.keep * same + part.channel.other) / part.channel.total
            due += chance * np.prod([classes.thetas[j][:, code] for j, code in enumerate(true)], axis=0)
        assert said == pytest.approx(due, rel=1e-9)


def test_known_tables_come_back() -> None:
    frame = people(20_000)
    release = tk.anonymize(frame, SCHEMA, tk.GroupedPkPerturbation(k=3, partition=IN_TWO, tells=1), seed=2)
    model = tk.reconstruct(release)
    assert model.columns_ == ["age", "sex", "area", "ill"]
    for pair in (("age", "area"), ("sex", "area"), ("area", "ill")):
        true = pd.crosstab(*(frame[name].fillna("none") for name in pair), normalize=True)
        estimate = model.table(list(pair)).pmf_
        order = [["none" if each is None else each for each in line] for line in model.table(list(pair)).labels_]
        due = true.reindex(index=order[0], columns=order[1], fill_value=0).to_numpy()
        assert np.abs(estimate - due).sum() / 2 < 0.04
    complete = model.impute(random_state=1)
    assert list(complete.columns) == ["age", "sex", "area", "ill"]
    assert complete["age"].notna().all()
    inside = release.frame["age"].isna() | (release.frame["age"] == complete["age"])
    assert inside.mean() > 0.5
    assert tk.reconstruct(release, target="ill").predict(people(5)).shape == (5,)


def test_models_of_single_columns_refuse() -> None:
    release = released()
    for refused in (
        lambda: tk.IterativeBayes(["age"]).fit(release),
        lambda: tk.DensityRatio().fit(release),
        lambda: tk.ClassConditionalClassifier("ill").fit(release),
    ):
        with pytest.raises(InvalidParameter, match="told by some rows only"):
            refused()
