"""Complete rows: columns, types and kept cells as they were, copies that differ by all that is unknown, and a card that says what they are."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter, OutputError
from tokumei.learning.card import SECTIONS, Card
from tokumei.learning.synthesized import METADATA, Synthesized
from tokumei.words import Unknown, Words, read_statement

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 7, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"]), missing=True),
        tk.Attribute("area", domain=tk.Categories(["n", "e", "s"])),
        tk.Attribute("born", domain=tk.Dates(dt.date(2000, 1, 1), dt.date(2000, 1, 4))),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


def people(rows: int = 600, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    old = rng.random(rows) < 0.4
    sex = np.where(rng.random(rows) < np.where(old, 0.8, 0.3), "F", "M").astype(object)
    sex[rng.random(rows) < 0.1] = None
    return pd.DataFrame(
        {
            "age": np.where(old, rng.integers(4, 8, rows), rng.integers(0, 4, rows)),
            "sex": sex,
            "area": pd.Categorical(rng.choice(["n", "e", "s"], rows), categories=["n", "e", "s"]),
            "born": [dt.date(2000, 1, 1 + int(day)) for day in rng.integers(0, 4, rows)],
            "ill": np.where(rng.random(rows) < np.where(old, 0.75, 0.15), "yes", "no"),
        }
    )


def released(frame: Any = None, tells: Any = 2, k: float = 3) -> tk.Release:
    return tk.anonymize(people() if frame is None else frame, SCHEMA, tk.PkPerturbation(k=k, tells=tells), seed=1)


@pytest.fixture(scope="module")
def release() -> tk.Release:
    return released()


@pytest.fixture(scope="module")
def several(release: tk.Release) -> Synthesized:
    return tk.synthesize(release, copies=3)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_rows_have_the_columns_and_types_of_the_original(kind: str) -> None:
    frame: Any = people()
    if kind != "pandas":
        frame = pl.from_pandas(frame) if kind == "polars" else pa.Table.from_pandas(frame, preserve_index=False)
    release = released(frame)
    made = tk.synthesize(release)
    assert type(made.frame) is type(frame)
    given, complete = pa.table(frame), pa.table(made.frame)
    assert complete.column_names == list(SCHEMA.names())  # without the one that says what rows tell
    for name in SCHEMA.names():
        kinds = [str(each.field(name).type) for each in (given.schema, complete.schema)]
        assert kinds[0] == kinds[1] or (name, kind) == ("area", "polars"), name
    assert complete.num_rows == 600
    assert complete["sex"].null_count > 0  # missing cells are values like others
    assert complete["age"].null_count == complete["born"].null_count == 0
    assert complete["ill"].to_pylist() == pa.table(release.frame)["ill"].to_pylist()


def test_as_many_rows_as_asked_for(release: tk.Release) -> None:
    made = tk.synthesize(release, rows=50, copies=2)
    assert [each.shape for each in made.frames] == [(50, 5), (50, 5)]
    assert made.drawn == 50 / 600
    assert repr(made) == "<Synthesized: 2 copies of 50 drawn rows with 5 columns>"
    assert made.frame.shape == (100, 6)


def test_copies_stand_behind_each_other(several: Synthesized) -> None:
    frame = several.frame
    assert frame["copy"].tolist() == [1] * 600 + [2] * 600 + [3] * 600
    for number, each in enumerate(several.frames, start=1):
        part = frame[frame["copy"] == number].drop(columns="copy").reset_index(drop=True)
        pd.testing.assert_frame_equal(part, each)
    assert list(frame["area"].cat.categories) == ["n", "e", "s"]


def test_the_same_state_gives_the_same_rows(release: tk.Release, several: Synthesized) -> None:
    again = tk.synthesize(release, copies=3)
    assert all(one.equals(other) for one, other in zip(several.frames, again.frames, strict=True))
    assert not several.frames[0].equals(several.frames[1])
    assert not tk.synthesize(release, random_state=1).frame.equals(tk.synthesize(release).frame)


@pytest.mark.parametrize("target", [None, "ill"])
def test_copies_differ_by_what_is_unknown_about_the_model(target: str | None) -> None:
    """Copies from one fit differ by drawing only, and would make intervals too short.

    What is told of age by these few rows has a standard error that is known: a row in three tells it, kept with a known probability.
    """
    release = released(k=10)
    proper = tk.synthesize(release, copies=24, target=target).frames
    once = tk.reconstruct(release).impute(24, random_state=1)
    spread = [np.std([each["age"].mean() for each in frames], ddof=1) for frames in (proper, once)]
    assert spread[0] > 1.4 * spread[1]
    telling = release.mechanism.telling
    assert telling is not None
    told = release.tells("age").sum()
    least = min(telling.clusters[place].channel.retention for place in telling.clusters_of("age"))
    assert 0.5 * people()["age"].std() / told**0.5 < spread[0] < 2 * people()["age"].std() / least / told**0.5


def test_a_model_that_is_there_is_used(release: tk.Release) -> None:
    model = tk.reconstruct(release)
    made = tk.synthesize(model, copies=2, random_state=3)
    again = tk.synthesize(model, copies=2, random_state=3)
    assert all(one.equals(other) for one, other in zip(made.frames, again.frames, strict=True))
    assert sentences(made.card) == sentences(tk.synthesize(release, copies=2).card)
    with pytest.raises(InvalidParameter, match="has its weights already"):
        tk.synthesize(model, weights="age")


def test_pooling_knows_how_rows_were_made(release: tk.Release, several: Synthesized) -> None:
    def young(frames: Sequence[Any]) -> tuple[list[float], list[float]]:
        found = [(each["age"] < 3).astype(float) for each in frames]
        return [each.mean() for each in found], [each.var() / len(each) for each in found]

    shares, variances = young(several.frames)
    assert several.pool(shares, variances, of="shares").standard_error == tk.pool(shares, variances).standard_error
    drawn = tk.synthesize(release, rows=300, copies=3)
    shares, variances = young(drawn.frames)
    found = drawn.pool(shares, variances, of="shares")
    assert found.estimate == pytest.approx(np.mean(shares)) and found.standard_error is None
    with pytest.raises(InvalidParameter, match="No honest interval: rows were drawn"):
        found.interval()
    with pytest.raises(InvalidParameter, match="3 copies and 2 estimates"):
        several.pool(shares[:2])
    for wrong in (None, (share for share in shares), "abc"):
        with pytest.raises(InvalidParameter, match="must be a list"):
            several.pool(wrong)  # type: ignore[arg-type]


def sentences(card: Card, language: Any = "en") -> str:
    return "\n".join(each for _, section in card.lines(Words(language)) for each in section)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_card_says_what_must_be_known(release: tk.Release, several: Synthesized, language: str) -> None:
    said = sentences(several.card, language)
    words = {
        "en": [
            "600 rows, in 3 copies",
            "Only 'ill' has",
            "k = 3",
            "comes from a seed|come from a seed",
            "tk.pool(results)",
        ],
        "ja": ["600 行、3 組", "「ill」だけです", "k = 3", "シード", "tk.pool(results)"],
    }
    for part in words[language]:
        assert any(each in said for each in part.split("|")), part
    assert ("too narrow" in said) is False
    one = sentences(tk.synthesize(release).card, language)
    assert {"en": "too narrow", "ja": "狭すぎます"}[language] in one
    assert "tk.pool(results)" not in one
    drawn = sentences(tk.synthesize(release, rows=300, copies=2).card, language)
    assert {"en": "No honest interval: rows were drawn", "ja": "行は抽出されたもので"}[language] in drawn
    assert "tk.pool(" not in drawn


def test_the_card_names_what_was_guessed() -> None:
    release = released(tells=[tk.tells.Subsets(("age", "sex"), cells=2), tk.tells.Subsets(("area", "born"))])
    said = sentences(tk.synthesize(release).card)
    assert "both columns of 4 pairs" in said
    assert "'age × area'" in said
    assert "'age × sex'" not in said
    assert "Values of 'age'" in said


def test_the_card_is_data(several: Synthesized) -> None:
    described = json.loads(json.dumps(several.card.describe()))
    assert described["imputed"] is True
    assert described["release"]["method"]["k"] == 3
    for section in SECTIONS:
        for each, statement in zip(described[section], several.card.sections[section], strict=True):
            found = read_statement(each, kind="complete")
            assert not isinstance(found, Unknown)
            assert found == statement
    assert "Take no row for a person" in several._repr_html_()


def test_names_of_columns_are_harmless_in_a_card(tmp_path: Path) -> None:
    odd = "<b>\x1b[2J"
    schema = tk.Schema([tk.Attribute(odd, domain=tk.Categories(["a", "b"])), *[SCHEMA[n] for n in ("age", "ill")]])
    frame = people(100)[["age", "ill"]].assign(**{odd: "a"})
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells=1), seed=1)
    made = tk.synthesize(release, copies=2)
    made.write(tmp_path / "rows.parquet")
    page = (tmp_path / "rows-card.md").read_text(encoding="utf-8")
    assert "<b>" not in page
    assert "\x1b" not in page
    assert "<b>" not in made._repr_html_()


def test_rows_and_card_are_written_together(several: Synthesized, tmp_path: Path) -> None:
    files = several.write(tmp_path / "rows.parquet", language="ja")
    assert [each.name for each in files] == ["rows.parquet", "rows-card.json", "rows-card.md"]
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(each.name for each in files)
    read = pyarrow.parquet.read_table(tmp_path / "rows.parquet")
    assert read.column_names == ["copy", *SCHEMA.names()]
    assert read.num_rows == 1800
    described = json.loads((tmp_path / "rows-card.json").read_text(encoding="utf-8"))
    assert json.loads(read.schema.metadata[METADATA]) == described
    assert "補完した行" in (tmp_path / "rows-card.md").read_text(encoding="utf-8")
    several.write(tmp_path / "rows.csv", overwrite=True)
    as_text = pd.read_csv(tmp_path / "rows.csv", keep_default_na=False)
    assert as_text["age"].tolist() == several.frame["age"].tolist()
    assert as_text["area"].tolist() == several.frame["area"].tolist()


def test_nothing_is_replaced_or_left_behind(
    several: Synthesized, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rows-card.md").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="already exists"):
        several.write(tmp_path / "rows.parquet")
    assert [each.name for each in tmp_path.iterdir()] == ["rows-card.md"]
    with pytest.raises(InvalidParameter, match=r"must end in .csv or .parquet"):
        several.write(tmp_path / "rows.txt")

    def breaks(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(tk.release.files.WRITERS, "parquet", breaks)
    with pytest.raises(OutputError, match="no space left"):
        several.write(tmp_path / "rows.parquet", overwrite=True)
    assert [each.name for each in tmp_path.iterdir()] == ["rows-card.md"]
    assert (tmp_path / "rows-card.md").read_text(encoding="utf-8") == "mine"


def test_a_column_may_be_called_copy(tmp_path: Path) -> None:
    schema = tk.Schema([tk.Attribute("copy", domain=tk.Categories(["a", "b"])), *[SCHEMA[n] for n in ("age", "ill")]])
    frame = people(100)[["age", "ill"]].assign(copy="a")
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells=1), seed=1)
    made = tk.synthesize(release, copies=2).frame
    assert set(made["copy 2"]) == {1, 2}
    assert set(made["copy"]) <= {"a", "b"}


METHODS: dict[str, Any] = {
    "told": tk.PkPerturbation(k=3),
    "even": tk.PkPerturbation(k=3, tells="all"),
    "groups": tk.GroupedPkPerturbation(k=5),
    "told in groups": tk.GroupedPkPerturbation(k=5, tells=1),
    "pram": tk.PRAM({name: tk.transitions.KeepOrReplace(0.8) for name in ("sex", "area")}),
    "generalized": tk.Generalization(k=4),
    "levels": tk.Generalization(k=4, partition=tk.partitions.Optimal()),
    "averaged": tk.Microaggregation(k=4),
    "swapped": tk.Swapping(k=4),
    "cells": tk.LocalSuppression(k=3),
    "rows": tk.RecordSuppression(k=2),
    "sampled": tk.Sampling(k=2, sample=200, known=20),
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
def test_rows_of_every_kind_of_release_are_completed(name: str, tmp_path: Path) -> None:
    frame = people(300).drop(columns="born")
    schema = tk.Schema([SCHEMA[each] for each in frame.columns])
    if name == "pram":  # which is for categories
        schema = tk.Schema([tk.Attribute("age", "insensitive", SCHEMA["age"].domain), *schema.without("age")])
    release = tk.anonymize(frame, schema, METHODS[name], seed=1)
    for made in (tk.synthesize(release, copies=2), tk.synthesize(release, rows=40)):
        for each in made.frames:
            assert len(each) == (release.rows if made.drawn is None else 40)
            assert list(each.columns) == ["age", "sex", "area", "ill"]
            assert each["age"].between(0, 7).all()
            assert set(each["sex"].dropna()) <= {"F", "M"}
            assert set(each["area"]) <= {"n", "e", "s"}
        for language in ("en", "ja"):
            said = sentences(made.card, language)
            assert said
            assert "…" not in said  # every parameter is there
        made.write(tmp_path / "rows.csv", overwrite=True)
    assumed = {each.key for each in made.card.sections["assumed"]}
    assert ("complete.tight_boxes" in assumed) == (name in {"groups", "told in groups"})
    assert ("complete.labels_evenly" in assumed) == (name == "generalized")
    assert ("complete.coarsened_at_random" in assumed) == (name == "levels")
    assert ("complete.suppressed_evenly" in assumed) == (name == "cells")
    assert ("complete.averaged_cells" in assumed) == (name == "averaged")
    assert ("complete.swapped_cells" in assumed) == (name == "swapped")
    what = {each.key for each in made.card.sections["what"]}
    as_they_are = name in {"averaged", "rows", "sampled", "swapped"}
    assert ("complete.rows_as_released" in what) == as_they_are
    assert made.card.describe()["imputed"] is not as_they_are
    assert ("complete.rows_left_out" in assumed) == (release.mechanism.left_out > 0)


def test_survey_weights_and_samples_are_said() -> None:
    frame = people().assign(weight=lambda rows: np.where(rows["age"] >= 4, 1, 9))
    schema = tk.Schema([*SCHEMA, tk.Attribute("weight", "insensitive", tk.Numbers(1, 9, step=1))])
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells=1, sample=500), seed=1)
    imputed = tk.synthesize(release, weights="weight")
    said = sentences(imputed.card)
    assert "weight them by 'weight'" in said
    assert "500 of 600 rows" in said
    drawn = tk.synthesize(release, rows=2000, weights="weight")
    assert "by the weights in 'weight'" in sentences(drawn.card)
    weighted = np.average(frame["age"], weights=frame["weight"])
    assert drawn.frame["age"].mean() == pytest.approx(weighted, abs=0.5)
    assert weighted < frame["age"].mean() - 1


def test_bad_questions_are_one_sentence(release: tk.Release) -> None:
    with pytest.raises(InvalidParameter, match="needs a release"):
        tk.synthesize(people())  # type: ignore[arg-type]
    for wrong in (0, True, 1.5, "many"):
        with pytest.raises(InvalidParameter, match="rows must be a whole number"):
            tk.synthesize(release, rows=wrong)  # type: ignore[arg-type]
        with pytest.raises(InvalidParameter, match="copies must be a whole number"):
            tk.synthesize(release, copies=wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="no column 'il'.*'ill'"):
        tk.synthesize(release, target="il")
    with pytest.raises(InvalidParameter, match="'age' is not; leave it out"):
        tk.synthesize(release, target="age")
