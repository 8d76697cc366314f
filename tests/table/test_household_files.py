"""Files of households and people: put together, protected as wholes, and written as two files again."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter
from tokumei.privacy.exact import link_posteriors

HOMES = pd.DataFrame({"hhid": ["a", "b", "c"], "region": ["north", "south", "north"]})
PEOPLE = pd.DataFrame({"hhid": ["b", "a", "a", "c"], "line": [1, 2, 1, 1], "age": [70, 12, 40, 33]})


def survey(homes: int = 240) -> tuple[pd.DataFrame, pd.DataFrame, tk.Schema]:
    rng = np.random.default_rng(4)
    households = pd.DataFrame({"hhid": np.arange(homes) * 7, "region": rng.choice(["north", "south"], homes)})
    whose = np.repeat(households["hhid"], rng.integers(1, 4, homes))
    people = pd.DataFrame(
        {"hhid": whose, "age": rng.integers(0, 4, len(whose)), "sex": rng.choice(["F", "M"], len(whose))}
    )
    schema = tk.surveys.widened_schema(
        [tk.Attribute("region", domain=tk.Categories(["north", "south"]))],
        [
            tk.Attribute("age", domain=tk.Numbers(0, 3, step=1)),
            tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        ],
        most=3,
    )
    return households, people.sample(frac=1, random_state=1), schema


def test_by_hand() -> None:
    joined = tk.surveys.join(HOMES, PEOPLE, "hhid")
    assert joined["region"].tolist() == ["south", "north", "north", "north"]
    assert joined["age"].tolist() == [70, 12, 40, 33]
    wide = tk.surveys.widen(HOMES, PEOPLE, "hhid", most=2, order="line")
    assert wide.columns.tolist() == ["region", "age.1", "age.2"]
    assert wide["age.1"].tolist() == [40, 70, 33]
    assert wide["age.2"].fillna(-1).tolist() == [12, -1, -1]
    apart = tk.surveys.lengthen(wide)
    assert apart.households.to_numpy().tolist() == [[1, "north"], [2, "south"], [3, "north"]]
    assert apart.people.to_numpy().tolist() == [[1, 40], [1, 12], [2, 70], [3, 33]]


def test_polars_in_polars_out() -> None:
    wide = tk.surveys.widen(pl.from_pandas(HOMES), pl.from_pandas(PEOPLE), "hhid", most=2)
    assert isinstance(wide, pl.DataFrame)
    assert isinstance(tk.surveys.lengthen(wide).people, pl.DataFrame)


def test_a_file_of_both_kinds_is_taken_apart() -> None:
    both = pd.concat([HOMES.assign(kind="H"), PEOPLE.assign(kind="P")])
    apart = tk.surveys.by_record_type(both, "kind", "H", "P")
    assert apart.households.columns.tolist() == ["hhid", "region"]
    assert tk.surveys.join(apart.households, apart.people, "hhid")["age"].tolist() == [70, 12, 40, 33]
    with pytest.raises(DataError, match="4 rows"):
        tk.surveys.by_record_type(both, "kind", "H", "X")


def test_what_does_not_fit_together_is_refused() -> None:
    for homes, people, why in (
        (HOMES.iloc[:2], PEOPLE, "1 person is of a household that has no row"),
        (HOMES, PEOPLE.iloc[:3], "1 household has no member"),
        (pd.concat([HOMES, HOMES.iloc[:1]]), PEOPLE, "1 household has more than one row"),
        (HOMES, PEOPLE.assign(hhid=["a", "b", "c", None]), "1 cell of it is missing"),
    ):
        with pytest.raises(DataError, match=why):
            tk.surveys.join(homes, people, "hhid")
    with pytest.raises(InvalidParameter, match="both files have 'region'"):
        tk.surveys.join(HOMES, PEOPLE.assign(region="x"), "hhid")
    with pytest.raises(InvalidParameter, match="no column 'hid'"):
        tk.surveys.join(HOMES, PEOPLE, "hid")
    with pytest.raises(DataError, match="1 household has more than 1 member"):
        tk.surveys.widen(HOMES, PEOPLE, "hhid", most=1)
    with pytest.raises(InvalidParameter, match="most must be a whole number"):
        tk.surveys.widen(HOMES, PEOPLE, "hhid", most=0)
    with pytest.raises(InvalidParameter, match="not those of households"):
        tk.surveys.lengthen(HOMES)


METHODS: dict[str, Any] = {
    "generalized": tk.Generalization(k=4),
    "suppressed": tk.LocalSuppression(k=4),
    "left out": tk.RecordSuppression(k=4),
}


@pytest.mark.parametrize("which", METHODS)
def test_an_attacker_who_knows_whole_households_finds_k_of_each_kind(which: str) -> None:
    """They see the two released files, put each household together, and look for those that look alike in every member."""
    households, people, schema = survey()
    wide = tk.surveys.widen(households, people, "hhid", most=3)
    release = tk.anonymize(wide, schema, METHODS[which], seed=1)
    apart = tk.surveys.lengthen(release.frame)
    homes, members = apart.households, apart.people
    assert not set(homes["household"]) - set(range(1, len(homes) + 1))
    told: dict[int, list[tuple[str, ...]]] = {number: [] for number in homes["household"]}
    for row in members.to_numpy().tolist():
        told[int(row[0])].append(tuple(map(str, row[1:])))
    looks = Counter((str(home), tuple(told[number])) for number, home in homes.to_numpy().tolist())
    assert min(looks.values()) >= 4
    assert sum(looks.values()) == release.rows


def test_numbers_of_households_say_nothing() -> None:
    """The released number is the place of a row that was shuffled: another key gives another."""
    households, people, schema = survey()
    wide = tk.surveys.widen(households, people, "hhid", most=3)
    found = {
        tuple(
            tk.surveys.lengthen(tk.anonymize(wide, schema, tk.RecordSuppression(k=2), seed=seed).frame).households[
                "region"
            ]
        )
        for seed in (1, 2)
    }
    assert len(found) == 2


@pytest.mark.parametrize("homes", [4, 5])
def test_no_household_is_linked_beyond_the_promise(homes: int) -> None:
    """Every table of so many households with one or two members, every release of it, all assignments: knowing all members."""
    schema = tk.surveys.widened_schema([], [tk.Attribute("ill", domain=tk.Categories(["no", "yes"]))], most=2)
    rows = pd.DataFrame({"ill.1": ["no", "yes"] * 20, "ill.2": ["no", None] * 20})
    release = tk.anonymize(rows.iloc[:homes], schema, tk.PkPerturbation(k=1.8, tells="all"), seed=1)
    matrix = np.kron(*(release.mechanism.channels[name].matrix() for name in ("ill.1", "ill.2")))
    promised, worst = release.guarantees[0].value, 0.0
    kinds = range(matrix.shape[1])
    released = np.array(list(itertools.combinations_with_replacement(range(matrix.shape[0]), homes)))
    for table in itertools.combinations_with_replacement(kinds, homes):
        likelihood = matrix[released[:, None, :], np.array(table)[None, :, None]]
        worst = max(worst, float(link_posteriors(likelihood).max()))
    assert worst <= 1 / promised * (1 + 1e-9)
    assert worst > 0.99 / promised


def test_on_the_command_line(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from tokumei.cli.app import app

    households, people, schema = survey()
    homes, members, wide = (tmp_path / name for name in ("homes.csv", "members.csv", "wide.csv"))
    households.to_csv(homes, index=False)
    people.to_csv(members, index=False)
    run = CliRunner().invoke
    told = run(app, ["survey", "join", str(homes), str(members), "--on", "hhid", "-o", str(tmp_path / "long.csv")])
    assert told.exit_code == 0, told.output
    assert "--person hhid" in told.stdout
    assert len(pd.read_csv(tmp_path / "long.csv")) == len(people)
    told = run(app, ["survey", "widen", str(homes), str(members), "--on", "hhid", "--most", "3", "-o", str(wide)])
    assert told.exit_code == 0, told.output
    release = tk.anonymize(pd.read_csv(wide), schema, tk.LocalSuppression(k=4), seed=1)
    release.write(tmp_path / "release", allow_seeded=True)
    out = [str(tmp_path / name) for name in ("h.csv", "p.csv")]
    told = run(app, ["survey", "lengthen", str(tmp_path / "release"), "--households", out[0], "--people", out[1]])
    assert told.exit_code == 0, told.output
    assert len(pd.read_csv(out[0])) == len(households)
    told = run(app, ["survey", "lengthen", str(tmp_path / "release"), "--households", out[0], "--people", out[1]])
    assert told.exit_code != 0  # they are there
