"""A model from a release whose columns were recoded first predicts true rows, and rows as released."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from typer.testing import CliRunner

import tokumei as tk
from tests.release.forging import rewrite
from tokumei.cli.app import app
from tokumei.errors import DataError, ObservedDomainWarning, ReleaseError
from tokumei.release.originals import Original

README = Path(__file__).parent.parent.parent / "README.md"
AGES = tk.Hierarchy.intervals([10, 30, 60, 100])
TOWNS = tk.Hierarchy.groups({"north": ["A", "B"], "south": ["C", "D"]})


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_the_readme_s_release_gives_a_model_of_true_rows(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = README.read_text(encoding="utf-8")
    holder, analyst = re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(holder, names)
    original = names["frame"]
    assert pd.api.types.is_integer_dtype(original["age"]) and "17-29" in set(names["release"].frame["age"])
    opened = analyst.replace('tk.read_release("census-release")', f'tk.read_release("census-release", frame="{kind}")')
    assert opened != analyst
    exec(opened, names)
    true = original if kind == "pandas" else pl.from_pandas(original)
    chances = names["model"].predict_proba(true)
    assert chances.shape == (len(original), 4)
    both = pd.concat([original[:1]] * 2).assign(age=[18, 89])
    young, old = names["model"].predict_proba(both if kind == "pandas" else pl.from_pandas(both))
    assert not np.allclose(old, young)


def people(rows: int = 3000) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    age = rng.integers(0, 111, rows)
    born = pd.to_datetime("2000-01-01") + pd.to_timedelta(rng.integers(0, 730, rows), "D")
    ill = rng.random(rows) < 0.1 + 0.007 * np.clip(age, 10, 100)
    return pd.DataFrame(
        {
            "age": age,
            "town": rng.choice([*"ABCD", None], rows),
            "born": born.date,
            "ill": np.where(ill, "yes", "no"),
        }
    )


SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 110, step=1)),
        tk.Attribute("town", domain=tk.Categories(["A", "B", "C", "D"]), hierarchy=TOWNS, missing=True),
        tk.Attribute(
            "born",
            domain=tk.Dates(dt.date(2000, 1, 1), dt.date(2001, 12, 31)),
            hierarchy=tk.Hierarchy.dates(tk.Dates(dt.date(2000, 1, 1), dt.date(2001, 12, 31)), ["year"]),
        ),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
STEPS = [
    tk.prepare.TopBottomCode("age", low=10, high=100),
    tk.prepare.Recode("age", hierarchy=AGES),
    tk.prepare.Recode("town"),
    tk.prepare.Recode("born"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place: Path = tmp_path_factory.mktemp("recoded")
    release = tk.anonymize(people(20_000), SCHEMA, tk.PkPerturbation(k=1.2, tells="all"), STEPS, seed=1)
    release.write(place / "out", allow_seeded=True)
    return place / "out"


def as_released(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age": np.array(["10-29", "30-59", "60-100"])[np.searchsorted([30, 60], frame["age"], "right")],
            "town": frame["town"].map({"A": "north", "B": "north", "C": "south", "D": "south"}),
            "born": [str(day.year) for day in frame["born"]],
        }
    )


MODELS = (tk.ClassConditionalClassifier("ill"), tk.CorrectedLogisticRegression("ill"))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_several_steps_are_taken_one_after_the_other(folder: Path, model: Any) -> None:
    fitted = model.fit(tk.read_release(folder))
    true = people(50)
    expected = fitted.decision_function(as_released(true))
    assert np.array_equal(fitted.decision_function(true), expected)
    assert np.array_equal(fitted.decision_function(pl.from_pandas(true)), expected)
    mixed = as_released(true).assign(age=true["age"])
    assert np.array_equal(fitted.decision_function(mixed), expected)
    gone = true.assign(town=None)
    assert np.array_equal(fitted.decision_function(gone), fitted.decision_function(as_released(true).assign(town=None)))


def test_weights_of_other_rows_are_of_true_ones(folder: Path) -> None:
    fitted = tk.DensityRatio("linear").fit(tk.read_release(folder))
    true = people(20)
    assert np.array_equal(fitted.weights_for(true), fitted.weights_for(as_released(true).assign(ill=true["ill"])))


def test_encoders_read_true_rows(tmp_path: Path) -> None:
    """A leaf below a recoded label says what its label says, instead of nothing."""
    frame = people(500)[["town", "ill"]]
    schema = tk.Schema([SCHEMA["town"], SCHEMA["ill"]])
    tk.anonymize(frame, schema, tk.Generalization(k=5), [tk.prepare.Recode("town")]).write(tmp_path / "out")
    release = tk.read_release(tmp_path / "out")
    encoder = tk.encoders.AncestorEncoder(release, sparse_output=False).fit(release.frame[["town"]])
    raw = encoder.transform(pd.DataFrame({"town": ["A", "D"]}))
    assert np.array_equal(raw, encoder.transform(pd.DataFrame({"town": ["north", "south"]})))
    assert not np.array_equal(raw[0], raw[1])
    model = make_pipeline(tk.encoders.AncestorEncoder(release), LogisticRegression()).fit(
        release.frame[["town"]], release.frame["ill"]
    )
    assert len(model.predict(frame[["town"]])) == 500


def test_true_rows_that_are_none_are_refused_in_the_words_of_the_original(folder: Path) -> None:
    model = tk.ClassConditionalClassifier("ill").fit(tk.read_release(folder))
    true = people(5)
    for column, cells, message in (
        (
            "age",
            200,
            r"'age' has 5 values outside its domain \(numbers 0 to 110, step 1\)\. Labels as in the release",
        ),
        ("age", "old", r"'age' holds text but its domain is numbers\. Labels as in the release are accepted too"),
        ("town", "E", r"'town' has 5 values outside its domain \(4 categories\)\. Labels"),
        ("born", None, r"'born' has 5 missing values"),
    ):
        with pytest.raises(DataError, match=message) as raised:
            model.predict(true.assign(**{column: cells}))
        assert "200" not in str(raised.value)
    with pytest.raises(DataError, match="no column 'age'"):
        model.predict(true.drop(columns="age"))


def test_the_manifest_says_it_once_and_the_same_whatever_the_rows(folder: Path, tmp_path: Path) -> None:
    other = people(20_000).assign(age=30, town="A")
    tk.anonymize(other, SCHEMA, tk.PkPerturbation(k=1.2, tells="all"), STEPS, seed=2).write(
        tmp_path / "out", allow_seeded=True
    )
    mine, theirs = (json.loads((each / "manifest.json").read_text())["declared"] for each in (folder, tmp_path / "out"))
    assert mine == theirs
    assert mine["originals"]["age"] == {
        "domain": {"low": 0, "high": 110, "step": 1, "quantity": True, "kind": "numbers"},
        "missing": False,
        "codes": [[30, 0, 0], [30, 1, 0], [51, 2, 0]],
    }
    assert mine["originals"]["town"]["codes"] == [[2, 0, 0], [2, 1, 0], [1, 2, 0]]
    assert tk.read_release(folder).originals.columns.keys() == {"age", "town", "born"}


@pytest.mark.parametrize(
    "codes",
    [
        [[30, 0, 0], [30, 1, 0], [50, 2, 0]],  # too few
        [[30, 0, 0], [30, 1, 0], [51, 3, 0]],  # a label that there is not
        [[30, 0, 0], [81, 0, 1]],
        [[30, 0, 0], [30, 1, 0], [2**60, 2, 0]],
        [[111, -1, 0]],
        [[30, 0, 0], [81, "1", 0]],
        [],
    ],
)
def test_a_forged_recoding_is_refused(folder: Path, tmp_path: Path, codes: list[list[int]]) -> None:
    place = tmp_path / "out"
    place.mkdir()
    for file in folder.iterdir():
        (place / file.name).write_bytes(file.read_bytes())

    def forge(content: Any) -> None:
        content["declared"]["originals"]["age"]["codes"] = codes

    rewrite(place, forge)
    with pytest.raises(ReleaseError):
        tk.read_release(place)


def test_a_domain_that_was_read_off_the_rows_is_not_told_in_more_detail() -> None:
    """Recoding hides which towns occur; saying which town became which region would tell."""
    frame = people(300)[["town", "ill"]]
    with pytest.warns(ObservedDomainWarning):
        seen = tk.Schema.observe(frame, roles={"ill": "sensitive"})
    release = tk.anonymize(
        frame, seen, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Recode("town", hierarchy=TOWNS)], seed=1
    )
    assert not release.originals.columns and release.originals.unsaid == ("town",)
    model = tk.ClassConditionalClassifier("ill").fit(release)
    assert len(model.predict(as_released(people(4))[["town"]])) == 4
    with pytest.raises(
        DataError, match="'town' is recoded, and the release does not say how; recode the rows in the same way first"
    ):
        model.predict(people(4))


def test_a_learned_hierarchy_is_disclosed_and_works(tmp_path: Path) -> None:
    frame = people(2000)[["town", "ill"]]
    attribute = tk.Attribute("town", domain=tk.Categories(["A", "B", "C", "D"]), missing=True)
    tree = tk.hierarchies.odds_hierarchy(frame, attribute, "ill", [2])
    schema = tk.Schema([attribute, SCHEMA["ill"]])
    release = tk.anonymize(
        frame, schema, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Recode("town", hierarchy=tree)], seed=1
    )
    release.write(tmp_path / "out", allow_seeded=True)
    content = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "originals" not in content["declared"] and content["disclosed"]["originals"]["value"].keys() == {"town"}
    model = tk.ClassConditionalClassifier("ill").fit(tk.read_release(tmp_path / "out"))
    assert len(model.predict(frame)) == 2000


def test_a_label_that_would_mean_two_things_is_taken_as_released() -> None:
    """The value B becomes the label A, which is a value too: rows of A could be either, so only labels are taken."""
    crossed = tk.Hierarchy.groups({"A": ["B", "C"], "D": ["A", "D"]})
    town = tk.Attribute("town", domain=tk.Categories(["A", "B", "C", "D"]), missing=True)
    schema = tk.Schema([town, SCHEMA["ill"]])
    release = tk.anonymize(
        people(300)[["town", "ill"]],
        schema,
        tk.PkPerturbation(k=2, tells="all"),
        [tk.prepare.Recode("town", hierarchy=crossed)],
        seed=1,
    )
    assert release.originals.unsaid == ("town",)
    model = tk.ClassConditionalClassifier("ill").fit(release)
    assert len(model.predict(pd.DataFrame({"town": ["A", "D"]}))) == 2
    with pytest.raises(DataError, match="does not say how"):
        model.predict(pd.DataFrame({"town": ["A", "B"]}))


def test_files_of_true_rows_on_the_command_line(folder: Path, tmp_path: Path) -> None:
    true, found = people(6), []
    for name, frame in (("true", true), ("labels", as_released(true))):
        frame.drop(columns="ill", errors="ignore").to_csv(tmp_path / f"{name}.csv", index=False)
        done = CliRunner().invoke(
            app, ["reconstruct", str(folder), "--target", "ill", "--rows", str(tmp_path / f"{name}.csv")]
        )
        assert done.exit_code == 0, done.output
        found.append(pd.read_csv(tmp_path / f"{name}-predicted.csv")["predicted ill"].tolist())
    assert found[0] == found[1]
    true.assign(age=500).to_csv(tmp_path / "wrong.csv", index=False)
    done = CliRunner().invoke(
        app, ["reconstruct", str(folder), "--target", "ill", "--rows", str(tmp_path / "wrong.csv")]
    )
    assert done.exit_code != 0


@pytest.mark.parametrize("seed", range(20))
def test_codes_are_written_as_runs_and_read_again(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.zeros(1), rng.choice([0, 0, 1, 1, 2, -1], 30).cumsum()]).astype(np.int64) + 40
    domain = tk.Categories([f"{code}" for code in range(31)])
    found = Original.of(tk.Attribute("a", domain=domain), tk.Attribute("a", domain=domain), codes, False)
    assert np.array_equal(found.codes, codes)


def test_a_long_column_brought_in_is_said_in_few_words() -> None:
    schema = tk.Schema([tk.Attribute("pay", domain=tk.Numbers(0, 1_000_000, step=1))])
    frame = pd.DataFrame({"pay": [5, 10**6] * 50})
    steps = [tk.prepare.TopBottomCode("pay", low=1000, high=200_000)]
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), steps, seed=1)
    assert release.originals.columns["pay"].runs == ((1001, 0, 0), (198_999, 1, 1), (800_001, 199_000, 0))
