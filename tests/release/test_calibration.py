"""Margins that must not change: totals disclosed on purpose, weights raked to them, and what that may not tell."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.release.manifest import _digest
from tokumei.release.rungs import inference

ROWS = 1200


def survey(rows: int = ROWS) -> tuple[pd.DataFrame, tk.Schema]:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(
        {
            "age": rng.binomial(9, 0.5, rows),
            "sex": rng.choice(["F", "M"], rows),
            "region": rng.choice(["n", "e", "s"], rows, p=[0.6, 0.3, 0.1]),
            "w": rng.choice([10.0, 25.0, 60.0], rows),
        }
    )
    return frame, tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(0, 9, step=1)),
            tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
            tk.Attribute("region", domain=tk.Categories(["n", "e", "s"])),
            tk.Attribute("w", "insensitive", tk.Categories([10.0, 25.0, 60.0])),
        ]
    )


MARGINS = tk.surveys.Calibration("w", [["sex"], ["region", "sex"]])
METHODS: dict[str, Any] = {
    "noise": tk.PkPerturbation(k=20, kept="known", tells="all"),
    "groups": tk.GroupedPkPerturbation(k=10, kept="known"),
    "left out": tk.RecordSuppression(k=6),
}


@pytest.mark.parametrize("which", METHODS)
def test_raked_weights_have_the_totals_of_the_original(which: str, tmp_path: Path) -> None:
    frame, schema = survey()
    plain = tk.anonymize(frame, schema, METHODS[which], seed=1)
    if plain.mechanism.partly_told:
        with pytest.raises(InvalidParameter, match="cannot be kept: margins are for columns that every row tells"):
            tk.surveys.calibrate(plain, frame, schema, MARGINS)
        return
    margins = MARGINS if which != "left out" else tk.surveys.Calibration("w", [["sex"]])
    tk.surveys.calibrate(plain, frame, schema, margins).write(tmp_path / "out", allow_seeded=True)
    release = tk.read_release(tmp_path / "out")
    rows = release.frame.assign(made=tk.surveys.calibrated_weights(release))
    for columns in map(list, margins.margins):
        before, after = frame.groupby(columns)["w"].sum(), rows.groupby(columns, observed=True)["made"].sum()
        assert after.to_dict() == pytest.approx(before.to_dict(), rel=1e-6)
    moved = frame.groupby(["region", "sex"])["w"].sum() - rows.groupby(["region", "sex"], observed=True)["w"].sum()
    assert np.abs(moved).max() > 100 or which == "groups"  # it was needed
    first, second = plain.guarantees[0], release.guarantees[0]
    assert (first.notion, first.value) == (second.notion, second.value)
    assert not [each for each in release.guarantees if "differential" in each.notion]
    told = tk.surveys.totals_table(release)
    assert told["disclosed"].sum() == pytest.approx(len(margins.margins) * frame["w"].sum())


def test_raking_by_hand() -> None:
    """Two by two: weights of ones, totals 3 and 1 by rows, 2 and 2 by columns."""
    import pyarrow as pa

    from tokumei.release.calibration import Margin, raked
    from tokumei.table.coded import encode

    rows = pa.table({"a": ["x", "x", "y", "y"], "b": ["u", "v", "u", "v"]})
    schema = tk.Schema(
        [tk.Attribute("a", domain=tk.Categories(["x", "y"])), tk.Attribute("b", domain=tk.Categories(["u", "v"]))]
    )
    cells = np.array([[0], [1]])
    margins = [Margin(("a",), cells, np.array([3.0, 1.0])), Margin(("b",), cells, np.array([2.0, 2.0]))]
    assert raked(encode(rows, schema), np.ones(4), margins).tolist() == pytest.approx([1.5, 1.5, 0.5, 0.5])


def test_what_is_disclosed_is_the_same_whoever_has_which_row() -> None:
    """The attackers of Pk know the table: beliefs in a link change only if what is disclosed differs between assignments.

    All 24 assignments of four people to the released rows are made, with weights that tell every subset of people by its sum.
    """
    schema = tk.Schema(
        [
            tk.Attribute("x", domain=tk.Categories(["a", "b"])),
            tk.Attribute("w", "insensitive", tk.Categories([1.0, 2.0, 4.0, 8.0])),
        ]
    )
    frame = pd.DataFrame({"x": ["a", "b", "a", "b"], "w": [1.0, 2.0, 4.0, 8.0]})
    release = tk.anonymize(
        frame.assign(w=2.0), schema, tk.PRAM({"x": tk.transitions.KeepOrReplace(0.1)}, kept="known"), seed=3
    )
    made = set()
    for order in itertools.permutations(range(4)):
        told = tk.surveys.calibrate(release, frame.iloc[list(order)], schema, tk.surveys.Calibration("w", [["x"]]))
        (fact,) = [each for each in told.disclosed if each.name == "calibration"]
        made.add((json.dumps(fact.value), tuple(tk.surveys.calibrated_weights(told))))
    assert len(made) == 1
    other = frame.assign(x=["b", "a", "a", "b"])  # and another table would show
    told = tk.surveys.calibrate(release, other, schema, tk.surveys.Calibration("w", [["x"]]))
    assert (json.dumps(told.disclosed[-1].value), tuple(tk.surveys.calibrated_weights(told))) not in made


def test_the_attacker_who_does_not_know_weights_would_learn_from_totals() -> None:
    """Why totals of noisy columns are refused with kept="unknown": here the totals tell which weight goes with which value."""
    matrix = np.array([[0.55, 0.45], [0.45, 0.55]])
    table, weights = (0, 1), (1.0, 5.0)
    release = ((0, 1.0), (1, 5.0))

    def believed(total: float | None) -> float:
        mine, every = 0.0, 0.0
        for whose in itertools.permutations(range(2)):  # which released row, and so which weight, is each person's
            drawn = {one: release[row] for row, one in enumerate(whose)}
            chance = float(np.prod([matrix[drawn[one][0], table[one]] for one in range(2)]))
            if total is not None and drawn[1][1] != total:  # the weight of the one whose value is 1
                chance = 0.0
            every += chance
            mine += chance * (whose[1] == 1)
        return mine / every

    assert believed(None) < 0.7
    assert believed(weights[1]) == 1.0
    frame, schema = survey()
    unknown = tk.anonymize(frame, schema, tk.PkPerturbation(k=20, tells="all"), seed=1)
    with pytest.raises(InvalidParameter, match="takes the weights to be unknown"):
        tk.surveys.calibrate(unknown, frame, schema, MARGINS)


def test_what_would_tell_too_much_is_refused() -> None:
    frame, schema = survey()
    refused: list[tuple[Any, Any, str]] = [
        (tk.Sampling(400, known=20), MARGINS, "of a sample"),
        (tk.PkPerturbation(k=5, sample=0.5, kept="known", tells="all"), MARGINS, "of a sample"),
        (tk.LocalSuppression(k=5), MARGINS, "every row tells"),
        (tk.Generalization(k=5), MARGINS, "every row tells"),
        (tk.Swapping(k=5), MARGINS, "every row tells"),
        (tk.PkPerturbation(k=20, kept="perturb", tells="all"), MARGINS, "released unchanged"),
        (
            tk.RecordSuppression(k=6),
            tk.surveys.Calibration("w", [["age", "region"]]),
            "fewer than k rows were left out|no released row",
        ),
    ]
    for method, margins, why in refused:
        release = tk.anonymize(frame, schema, method, seed=1)
        with pytest.raises(InvalidParameter, match=why):
            tk.surveys.calibrate(release, frame, schema, margins)
    with pytest.raises(InvalidParameter, match="no calibration totals"):
        tk.surveys.calibrated_weights(release)
    for wrong in ([], [[]], [["w"]], [["sex", "age", "region"]]):
        with pytest.raises(InvalidParameter):
            tk.surveys.Calibration("w", wrong)


def test_an_identifier_has_no_totals_and_is_not_said_to_be_lacking() -> None:
    frame, schema = survey()
    frame["pid"] = range(len(frame))
    schema = tk.Schema([*schema, tk.Attribute("pid", "identifier")])
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=20, kept="known", tells="all"), seed=1)
    with pytest.raises(InvalidParameter, match="cannot name 'pid': an identifier is dropped"):
        tk.surveys.calibrate(release, frame, schema, tk.surveys.Calibration("w", [["sex"], ["pid"]]))


def test_totals_may_not_tell_a_sensitive_value_by_columns_that_have_noise() -> None:
    """Those who know ages, but not who is ill, read it off the totals of somebody alone in a cell, whatever the ladder bounds."""
    frame, schema = survey()
    frame["ill"] = np.where(np.arange(ROWS) % 7 == 0, "yes", "no")
    frame["age"] = np.minimum(frame["age"], 8)
    frame.loc[0, ["age", "ill"]] = 9, "yes"  # the one person of this age
    whole = tk.Schema([*schema, tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"]))])
    release = tk.anonymize(frame, whole, METHODS["noise"], seed=1)
    (bound,) = inference(release)
    assert bound.how == "proved" and bound.value < 1
    seen = frame.groupby(["age", "ill"])["w"].sum()
    assert seen[9].index.tolist() == ["yes"], "the totals would tell it"
    with pytest.raises(InvalidParameter, match="totals by 'ill' together with columns that have noise"):
        tk.surveys.calibrate(release, frame, whole, tk.surveys.Calibration("w", [["age", "ill"]]))
    apart = tk.surveys.calibrate(release, frame, whole, tk.surveys.Calibration("w", [["sex"], ["ill"]]))
    assert inference(apart) == (bound,)


def test_forged_totals_are_found(tmp_path: Path) -> None:
    frame, schema = survey()
    release = tk.surveys.calibrate(tk.anonymize(frame, schema, METHODS["noise"], seed=1), frame, schema, MARGINS)
    release.write(tmp_path / "out", allow_seeded=True)
    file = tmp_path / "out" / "manifest.json"
    content = json.loads(file.read_text())
    content.pop("sha256")
    content["disclosed"]["calibration"]["value"]["margins"][0]["cells"] = [[0], [7]]
    content["sha256"] = _digest(content)
    file.write_text(json.dumps(content))
    with pytest.raises(ReleaseError, match="cannot be those of its columns"):
        tk.surveys.calibrated_weights(tk.read_release(tmp_path / "out"))


PLAN = """
[source]
path = "survey.csv"
[schema."age"]
role = "quasi_identifier"
domain = {kind = "numbers", low = 0, high = 9, step = 1}
[schema."sex"]
role = "quasi_identifier"
domain = {kind = "categories", values = ["F", "M"]}
[schema."region"]
role = "quasi_identifier"
domain = {kind = "categories", values = ["n", "e", "s"]}
[schema."w"]
role = "insensitive"
domain = {kind = "categories", values = [10.0, 25.0, 60.0]}
[method]
method = "pk_perturbation"
k = 20
kept = "known"
tells = "all"
[output]
path = "release"
[calibration]
weights = "w"
margins = [["sex"], ["region", "sex"]]
"""


def test_a_plan_keeps_totals_and_every_report_says_how_they_changed(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from tokumei.cli.app import app

    frame, _ = survey()
    frame.to_csv(tmp_path / "survey.csv", index=False)
    file, run = tmp_path / "plan.toml", CliRunner().invoke
    file.write_text(PLAN)
    plan = tk.Plan.read(file)
    assert tk.Plan.from_toml(plan.to_toml(), tmp_path).calibration == plan.calibration
    told = run(app, ["anonymize", str(file)])
    assert told.exit_code == 0, told.output
    told = run(app, ["survey", "weights", str(tmp_path / "release"), "-o", str(tmp_path / "rows.csv")])
    assert told.exit_code == 0, told.output
    rows = pd.read_csv(tmp_path / "rows.csv")
    assert rows.groupby("sex")["calibrated"].sum().to_dict() == pytest.approx(frame.groupby("sex")["w"].sum().to_dict())
    for language, title in (("en", "Weighted totals that must not change"), ("ja", "変えてはならない加重合計")):
        page = tk.report(file, language=language).html
        assert title in page
        assert page.count('data-measure="margin.') == 6
    watched = tmp_path / "watched.toml"
    watched.write_text(PLAN.replace('"known"', '"unknown"').replace('"release"', '"other"') + "keep = false\n")
    release = tk.run(watched, seed=1)
    assert all(fact.name != "calibration" for fact in release.disclosed)
    page = tk.report(watched, random_state=1).html
    assert 'data-measure="margin.sex.moved"' in page
    assert ">exact<" not in page


def test_weights_that_are_sensitive_may_not_be_told_by_columns_that_have_noise() -> None:
    """The total of somebody alone in a cell is their weight, whatever the ladder bounds."""
    frame, schema = survey()
    frame["age"] = np.minimum(frame["age"], 8)
    frame.loc[0, ["age", "w"]] = 9, 60.0  # the one person of this age
    secret = tk.Schema([*schema.without("w"), tk.Attribute("w", "sensitive", tk.Categories([10.0, 25.0, 60.0]))])
    release = tk.anonymize(frame, secret, METHODS["noise"], seed=1)
    (bound,) = inference(release)
    assert bound.how == "proved" and bound.value < 1
    assert frame.groupby("age")["w"].sum()[9] == 60.0, "the totals would tell it"
    with pytest.raises(InvalidParameter, match="totals by 'w' together with columns that have noise"):
        tk.surveys.calibrate(release, frame, secret, tk.surveys.Calibration("w", [["age"]]))


def homes(rows: list[tuple[Any, ...]], *more: tk.Attribute) -> tuple[pd.DataFrame, tk.Schema]:
    """Twelve classes of twelve rows, in each of which every illness occurs, and some rows more."""
    whole = [
        (f"{region}{age}{place}", region, age, "abc"[place % 3], 10.0)
        for region in "nes"
        for age in range(4)
        for place in range(12)
    ]
    schema = tk.Schema(
        [
            *more,
            tk.Attribute("region", domain=tk.Categories(["n", "e", "s"])),
            tk.Attribute("age", domain=tk.Numbers(0, 9, step=1)),
            tk.Attribute("ill", "sensitive", tk.Categories(["a", "b", "c"])),
            tk.Attribute("w", "insensitive", tk.Categories([10.0, 25.0])),
        ]
    )
    return pd.DataFrame([*whole, *rows], columns=["home", "region", "age", "ill", "w"]), schema


def test_totals_may_not_tell_what_rows_that_were_left_out_agree_in() -> None:
    """Twenty people of one class have the same illness: l-diversity leaves them out, and totals by illness would bring it back."""
    frame, schema = homes([("", "n", 7, "a", 10.0)] * 20)
    frame = frame.drop(columns="home")
    method = tk.RecordSuppression(k=4, constraints=[tk.constraints.LDiversity("ill", 3)])
    release = tk.anonymize(frame, schema, method, seed=1)
    lost = frame.groupby("ill")["w"].sum() - release.frame.groupby("ill", observed=True)["w"].sum()
    assert lost.to_dict() == {"a": 200.0, "b": 0.0, "c": 0.0}, "the totals would tell it"
    for margin in (["ill"], ["region", "ill"]):
        with pytest.raises(InvalidParameter, match="totals by 'ill' would tell it of people whose rows were left out"):
            tk.surveys.calibrate(release, frame, schema, tk.surveys.Calibration("w", [margin]))
    secret = tk.Schema([*schema.without("w"), tk.Attribute("w", "sensitive", tk.Categories([10.0, 25.0]))])
    with pytest.raises(InvalidParameter, match="totals by 'w' would tell it of people whose rows were left out"):
        tk.surveys.calibrate(
            tk.anonymize(frame, secret, method, seed=1), frame, secret, tk.surveys.Calibration("w", [["region"]])
        )
    tk.surveys.calibrate(release, frame, schema, tk.surveys.Calibration("w", [["region"]]))  # which tells no illness


def test_rows_that_were_left_out_are_counted_by_household() -> None:
    """One household has all the rows that were left out of a cell: their total weight is that household's."""
    frame, schema = homes([("x", "n", 9, "abc"[place % 3], 25.0) for place in range(24)])
    numbered = tk.Schema([tk.Attribute("home", "person", most=24, unit="household"), *schema])
    release = tk.anonymize(frame, numbered, tk.RecordSuppression(k=4), seed=1)
    assert len(frame) - release.rows == 24 > release.guarantees[0].value
    with pytest.raises(InvalidParameter, match="fewer than k rows were left out"):
        tk.surveys.calibrate(release, frame, numbered, tk.surveys.Calibration("w", [["region"]]))


def test_totals_are_not_combined_with_a_release_whose_weights_must_be_unknown() -> None:
    """Totals tell the weight of those alone in a cell, and a weight joins the rows of both releases."""
    frame, schema = survey()
    known = tk.anonymize(frame, schema, METHODS["noise"], seed=1)
    told = tk.surveys.calibrate(known, frame, schema, tk.surveys.Calibration("w", [["age"]]))
    unknown = tk.anonymize(frame, schema, tk.PkPerturbation(k=200, tells="all"), seed=2)
    assert tk.combine([known, unknown])[0].value > 1
    for pair in ([told, unknown], [unknown, told]):
        with pytest.raises(InvalidParameter, match="discloses weighted totals by 'age', 'w'"):
            tk.combine(pair)
    assert tk.combine([told, known])[0].value == tk.combine([known, known])[0].value


def test_the_commands_say_what_became_of_totals_and_what_to_do_with_them(tmp_path: Path) -> None:
    """Nothing was said of them, and a misspelt margin that was only to be reported was taken in silence."""
    from typer.testing import CliRunner

    from tokumei.cli.app import app

    frame, _ = survey()
    frame.to_csv(tmp_path / "survey.csv", index=False)
    file, watched, run = tmp_path / "plan.toml", tmp_path / "watched.toml", CliRunner().invoke
    file.write_text(PLAN)
    told = run(app, ["anonymize", str(file)])
    assert "The weighted totals by sex; region × sex (weights: 'w') are published exactly" in told.output
    told = run(app, ["inspect", str(tmp_path / "release")])
    words = "".join(told.output.split())  # lines end where they are full, which depends on the folder
    assert f"surveyweights{tmp_path / 'release'}-oweighted.csv" in words
    other = PLAN.replace('"release"', '"other"') + "keep = false\n"
    watched.write_text(other)
    told = run(app, ["anonymize", str(watched)])
    assert "are not published; the report says how they changed" in told.output
    told = run(app, ["inspect", str(tmp_path / "other")])
    assert "survey weights" not in told.output
    page = tk.report(watched, random_state=1).html
    assert "Weighted totals that must not change" in page and "Raked weights" not in page
    for wrong in (
        other.replace('["region", "sex"]', '["regoin", "sex"]'),
        other.replace('"w"\nmargins', '"ww"\nmargins'),
    ):
        watched.write_text(wrong.replace('"other"', '"third"'))
        told = run(app, ["anonymize", str(watched)])
        assert told.exit_code == 1 and "There is no column" in told.output
        assert not (tmp_path / "third").exists()
