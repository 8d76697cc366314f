"""A pilot of the released rows is found out, in any order and less some; one of other people is not suspected."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from scipy.stats import binom
from typer.testing import CliRunner

import tokumei as tk
from tokumei.anonymizers.pilot import LEVEL, _chance, shared_rows
from tokumei.cli.app import app
from tokumei.engines.local import prepared_table
from tokumei.privacy.assumptions import PilotOfOthers
from tokumei.release.reasons import SplitFrom

SCHEMA = tk.example_schema()
TABLE = tk.example_census(rows=2000, random_state=2, frame="pyarrow")
OTHERS = tk.example_census(rows=1500, random_state=1, frame="pyarrow")
CHANCE = np.random.default_rng(0)
SHUFFLED = TABLE.take(pa.array(CHANCE.permutation(TABLE.num_rows)))


def released(pilot: pa.Table, **more: object) -> tk.Release:
    method = tk.PkPerturbation(k=10, split=tk.splits.OptimisedSplit(target="income", pilot=pilot), tells="all")
    return tk.anonymize(TABLE, SCHEMA, method, seed=1, **more)


@pytest.mark.parametrize(
    "pilot",
    [
        TABLE,
        SHUFFLED,
        SHUFFLED.slice(1),
        SHUFFLED.slice(0, 300),
        pa.concat_tables([SHUFFLED.slice(0, 50), OTHERS.slice(0, 1450)]),
        pa.concat_tables([TABLE, OTHERS]),
    ],
    ids=["itself", "another order", "less one", "some", "fifty among others", "and others"],
)
def test_a_pilot_of_the_released_rows_is_disclosed(pilot: pa.Table) -> None:
    release = released(pilot)
    assert [fact.name for fact in release.disclosed] == ["split"]
    assert release.disclosed[0].reason == SplitFrom(how="shared_pilot")
    assert [each.notion for each in release.guarantees] == ["Pk-anonymity"]
    assert release.guarantees[0].value >= 10
    assert release.record is not None
    assert any("no ε is stated" in str(note) for note in release.record.notes)


def test_a_pilot_of_other_people_is_assumed_to_be_so() -> None:
    release = released(OTHERS)
    assert release.disclosed == ()
    stated = {each.notion: each for each in release.guarantees}
    assert PilotOfOthers() in stated["local differential privacy"].assumes
    assert PilotOfOthers() not in stated["Pk-anonymity"].assumes
    plain = tk.anonymize(TABLE, SCHEMA, tk.PkPerturbation(k=10, tells="all"), seed=1)
    assert all(PilotOfOthers() not in each.assumes for each in plain.guarantees)


def test_recoded_rows_are_compared_as_they_are_used() -> None:
    """After recoding, rows that differed agree; the pilot is compared after the same steps."""
    steps = [tk.prepare.Recode("age"), tk.prepare.Drop("hours")]
    assert released(OTHERS, prepare=steps).disclosed == ()
    assert [fact.name for fact in released(SHUFFLED.slice(1), prepare=steps).disclosed] == ["split"]


def one_column(codes: np.ndarray, size: int) -> tk.table.coded.CodedTable:
    schema = tk.Schema([tk.Attribute("a", domain=tk.Categories(list(range(size))))])
    return prepared_table(pa.table({"a": codes}), schema, ())


@pytest.mark.parametrize("size", [4, 30, 1000])
def test_few_values_are_no_suspicion_and_no_disguise(size: int) -> None:
    """Independent rows agree often where few values are possible; a copy less one row agrees too well all the same."""
    suspected = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        share = rng.dirichlet(np.ones(size))
        n, m = rng.integers(100, 2000, 2)
        rows = rng.choice(size, n, p=share)
        table = one_column(rows, size)
        suspected += shared_rows(table, one_column(rng.choice(size, m, p=share), size)).too_many
        assert shared_rows(table, one_column(rng.permutation(rows)[1:], size)).too_many
    assert suspected <= 60 * LEVEL


def test_rows_in_common_by_hand() -> None:
    table, pilot = one_column(np.array([0, 0, 0, 1, 2]), 5), one_column(np.array([0, 0, 1, 1, 3]), 5)
    assert shared_rows(table, pilot).rows == 3  # 0 twice, 1 once
    assert shared_rows(table, one_column(np.array([4]), 5)).chance == 1


def test_the_chance_is_never_below_the_true_one() -> None:
    """The distribution of the rows in common, by enumerating every way in which people fall into the two tables."""
    for people, share in itertools.product([[2, 2, 3], [2] * 6, [5, 9], [40]], [0.1, 0.5, 0.7]):
        exact = np.ones(1)
        for each in people:
            p = np.arange(each + 1)
            here = np.zeros(each // 2 + 1)
            np.add.at(here, np.minimum(p, each - p), binom.pmf(p, each, share))
            exact = np.convolve(exact, here)
        for common in range(1, len(exact)):
            true = float(exact[common:].sum())
            bound = _chance(common, np.array([*people, 1, 1]), share)
            assert true * (1 - 1e-9) <= bound <= 1
            if common == len(exact) - 1:
                assert bound <= true * 1.01  # all of them in common: the bound is reached


def test_a_pilot_that_cannot_be_compared_gives_no_epsilon(tmp_path: Path) -> None:
    pyarrow.csv.write_csv(TABLE, tmp_path / "people.csv")
    method = tk.PkPerturbation(k=10, split=tk.splits.OptimisedSplit(target="income", pilot=OTHERS), tells="all")
    plan = tk.Plan(source={"path": str(tmp_path / "people.csv")}, schema=SCHEMA, method=method)
    release = tk.run(plan, engine="stream")
    assert [fact.name for fact in release.disclosed] == ["split"]
    assert release.disclosed[0].reason == SplitFrom(how="uncompared_pilot")
    assert [each.notion for each in release.guarantees] == ["Pk-anonymity"]


def test_suggest_refuses_a_pilot_of_the_table(tmp_path: Path) -> None:
    for name, table in (("people.csv", TABLE), ("copy.csv", SHUFFLED.slice(1)), ("others.csv", OTHERS)):
        pyarrow.csv.write_csv(table, tmp_path / name)
    plan = tk.Plan(source={"path": "people.csv"}, schema=SCHEMA, method=tk.PkPerturbation(k=10, tells="all"))
    (tmp_path / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")

    def suggest(pilot: str) -> tuple[int, str]:
        done = CliRunner().invoke(
            app, ["suggest", str(tmp_path / "plan.toml"), "--pilot", str(tmp_path / pilot), "--target", "income"]
        )
        return done.exit_code, done.output

    assert suggest("others.csv")[0] == 0
    for pilot in ("copy.csv", "people.csv"):
        code, said = suggest(pilot)
        assert code == 1
        assert "Use a pilot of other people" in said.replace("\n", " ")


def test_the_numbers_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "methods" / "splitting.md").read_text(encoding="utf-8")
    table, mixed = prepared_table(TABLE, SCHEMA, ()), pa.concat_tables([OTHERS.slice(0, 1450), TABLE.slice(0, 50)])
    for line, pilot in (
        ("| 1,500 rows of other people | {} | stated |", OTHERS),
        ("| the same, 50 of them replaced by rows of the table | {} | not stated |", mixed),
        ("| the table in another order, less one row | {} | not stated |", SHUFFLED.slice(1)),
    ):
        found = shared_rows(table, prepared_table(pilot, SCHEMA, ()))
        assert line.format(f"{found.rows:,}") in page
        assert found.too_many == ("not stated" in line)
