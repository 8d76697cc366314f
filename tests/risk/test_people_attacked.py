"""The attack on releases of people with several rows, against beliefs counted here over every assignment."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.plan import Source

OWNERS = [0, 0, 1, 2, 2, 2, 3, 4]


def small(seed: int) -> tuple[pd.DataFrame, tk.Schema]:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"who": OWNERS, "a": rng.choice(["u", "v", "w"], 8), "b": rng.choice(["x", "y"], 8)})
    return frame, tk.Schema(
        [
            tk.Attribute("who", "person", most=3),
            tk.Attribute("a", domain=tk.Categories(["u", "v", "w"])),
            tk.Attribute("b", domain=tk.Categories(["x", "y"])),
        ]
    )


def visits(rows: int = 900) -> tuple[pd.DataFrame, tk.Schema]:
    rng = np.random.default_rng(2)
    who = np.sort(rng.integers(0, rows // 3, rows))
    frame = pd.DataFrame(
        {"who": who, "age": rng.integers(0, 12, rows // 3)[who], "ward": rng.choice(["A", "B", "C"], rows)}
    )
    return frame, tk.Schema(
        [
            tk.Attribute("who", "person"),
            tk.Attribute("age", domain=tk.Numbers(0, 11, step=1)),
            tk.Attribute("ward", domain=tk.Categories(["A", "B", "C"])),
        ]
    )


def exact(frame: pd.DataFrame, release: tk.Release) -> np.ndarray:
    """The probability that each released row is any of each person's, over all 8! assignments."""
    chance = np.ones((8, 8))
    for name in ("a", "b"):
        channel = release.mechanism.channels[name]
        labels = release.schema[name].domain.values
        true = np.array([labels.index(cell) for cell in frame[name]])
        shown = np.array([labels.index(cell) for cell in release.frame[name]])
        chance *= channel.matrix()[shown[None, :], true[:, None]]
    linked, total = np.zeros((5, 8)), 0.0
    for order in itertools.permutations(range(8)):  # the original row of each released one
        weight = float(np.prod(chance[list(order), range(8)]))
        total += weight
        for row, one in enumerate(order):
            linked[OWNERS[one], row] += weight
    return linked / total


@pytest.mark.parametrize("seed", [1, 2])
def test_beliefs_of_small_tables_are_those_over_every_assignment(seed: int) -> None:
    frame, schema = small(seed)
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=1.6, tells="all"), seed=seed)
    found = tk.attack(frame, release, schema)
    beliefs = exact(frame, release)
    assert found.people == 5
    assert found.largest_belief == pytest.approx(beliefs.max(), rel=1e-9)
    assert found.expected == pytest.approx(beliefs.max(axis=1).sum(), rel=1e-9)
    assert found.largest_belief <= found.promised == pytest.approx(1 / release.guarantees[0].value)
    assert found.linked is None


def test_balanced_beliefs_come_close_to_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    from tokumei.risk import attack as playing

    frame, schema = small(3)
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=3)
    sure = tk.attack(frame, release, schema)
    monkeypatch.setattr(playing, "EXACT", 0)
    found = tk.attack(frame, release, schema)
    assert found.how != sure.how
    assert found.expected == pytest.approx(sure.expected, rel=0.03)
    assert found.largest_belief == pytest.approx(sure.largest_belief, rel=0.03)


METHODS: dict[str, Any] = {
    "noise": tk.PkPerturbation(k=20, tells="all"),
    "one thing a row": tk.PkPerturbation(k=20),
    "groups": tk.GroupedPkPerturbation(k=8),
    "PRAM": tk.PRAM(columns={"ward": tk.transitions.KeepOrReplace(0.1), "age": tk.transitions.KeepOrReplace(0.1)}),
}


@pytest.mark.parametrize("which", METHODS)
def test_nobody_is_linked_beyond_the_promise(which: str) -> None:
    frame, schema = visits()
    if which == "PRAM":
        schema = schema.replacing(tk.Attribute("age", domain=tk.Categories(list(range(12)))))
    found = tk.attack(frame, METHODS[which], schema, random_state=1)
    assert found.people == frame["who"].nunique()
    assert found.largest_belief <= found.promised * 1.01  # beliefs of large tables are approximate
    assert found.linked is not None
    assert found.interval is not None
    assert found.interval[0] <= found.expected / found.people
    risk = tk.assess_release(frame, METHODS[which], schema, random_state=1)
    assert (risk.people, risk.measured.highest) == (found.people, pytest.approx(found.largest_belief))
    assert risk.linked == found.linked


def test_rows_of_one_person_together_are_linked_more_surely_than_one() -> None:
    """The attack sees what a release made row by row gives away, and says that nothing was promised about people."""
    frame, schema = visits()
    alone = schema.without("who")
    release = tk.anonymize(frame.drop(columns="who"), alone, tk.PkPerturbation(k=20, tells="all"), seed=1)
    by_row = tk.attack(frame.drop(columns="who"), release, alone)
    by_person = tk.attack(frame, release, schema)
    assert by_person.largest_belief > 1.5 * by_row.largest_belief
    assert (by_row.promised, by_person.promised) == (pytest.approx(1 / 20), 1)


CLASSES: dict[str, Any] = {
    "generalization": tk.Generalization(k=4),
    "microaggregation": tk.Microaggregation(k=4),
    "record suppression": tk.RecordSuppression(k=4),
    "local suppression": tk.LocalSuppression(k=4),
}


@pytest.mark.parametrize("which", CLASSES)
def test_classes_of_every_method_count_people(which: str) -> None:
    frame, schema = visits()
    drawn = tk.assess_release(frame, CLASSES[which], schema, random_state=1)
    release = tk.anonymize(frame, schema, CLASSES[which], seed=1)
    later = tk.assess_release(frame, release, schema)
    k = release.guarantees[0].value
    assert drawn.people == frame["who"].nunique()
    assert drawn.measured.highest == pytest.approx(1 / k)  # the promise is what was counted
    assert drawn.proved == later.proved == 1 / k
    assert drawn.measured.average <= later.measured.average  # what is left without the draws is a bound
    assert drawn.measured.highest <= later.measured.highest * (1 + 1e-12) <= 1 / k * (1 + 1e-9)


def test_by_hand() -> None:
    """Six rows: d has two of the three rows of the second class."""
    frame = pd.DataFrame({"who": list("aabdde"), "age": [1, 1, 1, 2, 2, 2]})
    schema = tk.Schema([tk.Attribute("who", "person"), tk.Attribute("age", domain=tk.Numbers(1, 2, step=1))])
    found = tk.disclosure.side_by_side(frame, schema, {"as one": tk.Generalization(k=2)}, random_state=1)
    raw, one = found.releases
    assert raw.measured.highest == pytest.approx(2 / 3)
    assert raw.measured.average == pytest.approx((2 / 3 * 4 + 1 / 3 * 2) / 6)
    assert one.measured.highest == pytest.approx(2 / 6)


def test_what_is_not_counted_is_said() -> None:
    frame, schema = visits()
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=20), seed=1)
    with pytest.raises(InvalidParameter, match="a column has the role 'person'"):
        tk.attack(frame.drop(columns="who"), release, schema.without("who"))
    with pytest.raises(InvalidParameter, match="a column has the role 'person'"):
        tk.attack(frame, release)
    with pytest.raises(InvalidParameter, match="Wildcards are not counted"):
        tk.assess_release(frame, CLASSES["generalization"], schema, meaning="wildcard")


def test_on_the_command_line_and_in_the_report(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from tokumei.cli.app import app

    frame, _ = visits()
    file, run = tmp_path / "visits.csv", CliRunner().invoke
    frame.to_csv(file, index=False)
    plan = tmp_path / "noise.toml"
    told = run(app, ["init", str(file), "--k", "4", "--person", "who", "-o", str(plan)])
    assert told.exit_code == 0, told.output
    classes = tk.Plan.read(plan)
    text = classes.to_toml().split("[method]")[0] + '[method]\nmethod = "generalization"\nk = 4\n'
    (tmp_path / "classes.toml").write_text(text)
    told = run(app, ["risk", "compare", str(plan), str(tmp_path / "classes.toml"), "--random-state", "1"])
    assert told.exit_code == 0, told.output
    assert "noise" in told.stdout
    told = run(app, ["attack", str(plan)])
    assert told.exit_code == 0, told.output
    assert f"of {frame['who'].nunique()} people" in told.stdout


@pytest.mark.parametrize("method", [tk.PkPerturbation(k=20), tk.Generalization(k=4)], ids=["noise", "classes"])
def test_the_report_has_a_column_for_the_release(method: Any) -> None:
    frame, schema = visits()
    release = tk.anonymize(frame, schema, method, seed=1)
    for language in ("en", "ja"):
        page = tk.report(release, frame, schema, language=language).html
        (highest,) = re.findall(r'data-measure="after.highest" data-value="([^"]+)"', page)
        assert 0 < float(highest) <= 1 / release.guarantees[0].value * 1.01
    if isinstance(method, tk.Generalization):
        page = tk.report(release, public=True).html
        (highest,) = re.findall(r'data-measure="after.highest" data-value="([^"]+)"', page)
        assert float(highest) <= 1 / release.guarantees[0].value * (1 + 1e-9)


def test_the_report_on_a_plan_counts_people_exactly(tmp_path: Path) -> None:
    frame, schema = visits()
    frame.to_csv(tmp_path / "visits.csv", index=False)
    source = Source("visits.csv")
    method = tk.Generalization(k=9)
    plan = tk.Plan(source, schema, method, folder=tmp_path)
    page = tk.report(plan, random_state=1).html
    measured = {
        each: float(re.findall(rf'data-measure="after.{each}" data-value="([^"]+)"', page)[0])
        for each in ("highest", "average")
    }
    exact = tk.assess_release(frame, method, schema, random_state=1).measured
    assert measured["highest"] == pytest.approx(exact.highest, rel=1e-4)
    assert measured["average"] == pytest.approx(exact.average, rel=1e-4)
    assert "the most that can be true" not in page


def test_everybody_who_is_drawn_for_the_attack_comes_with_all_rows() -> None:
    from tokumei.randomness import generator
    from tokumei.reports.findings import ATTACKED, _some_people

    frame, schema = visits(9_000)
    rows = _some_people(pa.Table.from_pandas(frame), schema, generator(1))
    assert ATTACKED * 0.99 < len(rows) <= ATTACKED
    counted = frame["who"].iloc[rows].value_counts()
    assert (counted == frame["who"].value_counts()[counted.index]).all()
