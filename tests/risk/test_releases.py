"""Releases of every kind side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow.csv
import pytest

import tokumei as tk
from tests.command_line import tokumei
from tokumei.errors import InvalidParameter
from tokumei.risk.releases import LEGEND

SCHEMA = tk.example_schema()


def test_k_and_pk_on_one_scale() -> None:
    frame = tk.example_census(rows=400)
    methods = {
        "k": tk.Generalization(k=5),
        "averages": tk.Microaggregation(k=5),
        "Pk": tk.PkPerturbation(k=5, tells="all"),
        "sample": tk.Sampling(40, known=20),
    }
    found = tk.disclosure.side_by_side(frame, SCHEMA, methods, random_state=1)
    raw, *others = found.releases
    assert [each.name for each in found.releases] == ["unchanged", *methods]
    assert raw.measured == tk.assess(frame, SCHEMA, largest=1).prosecutor
    for each in others:
        assert each.measured.highest <= each.proved + 1e-12
        assert 0 < each.measured.average <= each.measured.highest <= 1
        assert each.people == 400
        assert each.measured.expected < raw.measured.expected
    k, averages, pk, sample = others
    assert k.proved == averages.proved == pytest.approx(0.2)
    assert pk.proved == pytest.approx(0.2, rel=1e-3)
    assert (k.epsilon, averages.epsilon, k.linked) == (None, None, None)
    assert pk.epsilon is not None
    assert pk.epsilon > 0
    assert pk.linked is not None
    assert pk.interval is not None
    assert (sample.proved, sample.rows) == (1, 40)
    assert k.measured.attacker == "prosecutor"
    assert pk.measured.attacker == "all-knowing"
    assert "know the whole original" in pk.measured.knows
    lines = str(found).splitlines()
    assert lines[6:] == list(LEGEND)
    assert "ε" in lines[0]
    assert "Linked correctly" in str(pk)


def test_a_release_is_assessed_like_its_method() -> None:
    frame = tk.example_census(rows=300)
    release = tk.anonymize(frame, SCHEMA, tk.Generalization(k=4))
    assert tk.assess_release(frame, release).measured == tk.assess(release).prosecutor
    drawn = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=4, tells="all"), seed=2)
    found = tk.assess_release(frame, drawn, SCHEMA)
    assert found.linked is None
    assert found.measured.highest == tk.attack(frame, drawn, SCHEMA).largest_belief
    assert found.measured.above == 0
    assert tk.assess_release(frame, drawn, SCHEMA, threshold=0.0001).measured.above == 300


def test_what_suppressed_cells_mean_is_asked() -> None:
    frame, method = tk.example_census(rows=300), tk.LocalSuppression(k=3, meaning="wildcard")
    wild = tk.assess_release(frame, method, SCHEMA, meaning="wildcard")
    own = tk.assess_release(frame, method, SCHEMA)
    assert wild.measured.highest == wild.proved <= 1 / 3
    assert own.measured.highest == own.proved
    assert own.measured.highest > wild.measured.highest


def test_rows_left_out_are_counted_among_the_people() -> None:
    schema = tk.Schema([tk.Attribute("a", domain=tk.Categories([0, 1, 2]))])
    frame = pd.DataFrame({"a": [0, 0, 0, 1, 1, 2]})
    found = tk.assess_release(frame, tk.RecordSuppression(k=2), schema, name="fewer", threshold=0.4)
    assert (found.name, found.people, found.rows) == ("fewer", 6, 5)
    assert (found.measured.average, found.measured.above) == (2 / 5, 2)


def test_bad_targets() -> None:
    frame = tk.example_census(rows=50)
    with pytest.raises(InvalidParameter, match="needs a method or a release"):
        tk.assess_release(frame, "release", SCHEMA)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="needs the schema"):
        tk.assess_release(frame, tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(InvalidParameter, match="threshold must be a probability"):
        tk.attack(frame, tk.PkPerturbation(k=2, tells="all"), SCHEMA, threshold=2)


def test_from_the_command_line(tmp_path: Path) -> None:
    pyarrow.csv.write_csv(tk.example_census(rows=200, frame="pyarrow"), tmp_path / "people.csv")
    tokumei("init", "people.csv", "--k", 4, "-o", "pk.toml", cwd=tmp_path)
    text = (tmp_path / "pk.toml").read_text(encoding="utf-8")
    (tmp_path / "k.toml").write_text(
        text[: text.index("[method]")]
        + '[method]\nmethod = "generalization"\nk = 4\n\n'
        + text[text.index("[output]") :],
        encoding="utf-8",
    )
    done = tokumei("risk", "compare", "k.toml", "pk.toml", "--random-state", 1, cwd=tmp_path)
    assert "unchanged" in done.stdout
    assert "all-knowing" in done.stdout
    facts = json.loads(tokumei("risk", "compare", "pk.toml", "--json", cwd=tmp_path).stdout)
    assert [each["name"] for each in facts["releases"]] == ["unchanged", "pk"]
    (tmp_path / "other.csv").write_text((tmp_path / "people.csv").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "other.toml").write_text(text.replace("people.csv", "other.csv"), encoding="utf-8")
    failed = tokumei("risk", "compare", "pk.toml", "other.toml", cwd=tmp_path, code=1)
    assert "same table" in failed.stderr
