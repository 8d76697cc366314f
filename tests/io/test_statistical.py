"""Files of SPSS, Stata and SAS: codes and labels in, the same rows out, and one sentence for everything else."""

from __future__ import annotations

import datetime as dt
import gzip
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

import tokumei as tk
from tests.command_line import tokumei
from tokumei.errors import DataError, MissingDependency, OutputError
from tokumei.io import statistical
from tokumei.io.source import read_codebook, read_table, read_to_draft
from tokumei.io.statistical import read_statistical
from tokumei.plan import Plan
from tokumei.release.files import coded_numbers

LABELS = {"sex": {1: "male", 2: "female", 9: "no answer"}, "works": {0: "no", 1: "yes"}, "age": {98: "98 or older"}}
TOLD = {"sex": "Sex of the person", "works": "Worked last week", "age": "Age in years", "born": "Date of birth"}


def frame(rows: int = 40) -> pd.DataFrame:
    rng = random.Random(7)
    return pd.DataFrame(
        {
            "sex": [float(rng.choice([1, 1, 2, 2, 9])) for _ in range(rows)],
            "works": [float(rng.choice([0, 1])) for _ in range(rows)],
            "age": [float(rng.randrange(15, 99)) for _ in range(rows)],
            "height": [rng.randrange(300, 400) / 2 for _ in range(rows)],
            "born": [dt.date(1950 + rng.randrange(50), 1 + rng.randrange(12), 3) for _ in range(rows)],
            "town": [rng.choice(["Ōtsu", "Nara", ""]) for _ in range(rows)],
        }
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, rows = tmp_path_factory.mktemp("statistical"), frame()
    pyreadstat.write_sav(
        rows, folder / "a.sav", column_labels=TOLD, variable_value_labels=LABELS, missing_ranges={"sex": [9]},
        variable_measure={"works": "nominal", "age": "scale"},
    )  # fmt: skip
    pyreadstat.write_sav(
        rows, folder / "a.zsav", compress=True, variable_value_labels=LABELS, missing_ranges={"sex": [9]}
    )
    stata = rows.assign(sex=[each if each != 9 else None for each in rows["sex"]])
    pyreadstat.write_dta(stata, folder / "a.dta", column_labels=TOLD, variable_value_labels=LABELS)
    pyreadstat.write_xport(rows, folder / "a.xpt", column_labels=TOLD)
    pyreadstat.write_por(rows.replace("Ōtsu", "Kobe").rename(columns=str.upper), folder / "a.por")
    return folder


@pytest.mark.parametrize("name", ["a.sav", "a.zsav", "a.dta"])
def test_labels_are_categories_and_codes_for_missing_are_missing(files: Path, name: str) -> None:
    table, absent = read_to_draft(files / name)
    true = frame()
    assert absent == ()
    assert table.column("sex").to_pylist() == [{1: "male", 2: "female"}.get(each) for each in true["sex"]]
    assert table.column("works").to_pylist() == [["no", "yes"][int(each)] for each in true["works"]]
    assert table.column("age").to_pylist() == [int(each) for each in true["age"]], "one label does not make codes"
    assert table.column("height").to_pylist() == true["height"].tolist()
    assert table.column("born").to_pylist() == true["born"].tolist()
    assert table.column("town").to_pylist() == [each or None for each in true["town"]]


@pytest.mark.parametrize("name", ["a.xpt", "a.por"])
def test_files_without_value_labels_have_their_codes(files: Path, name: str) -> None:
    table, _ = read_to_draft(files / name)
    assert [each.lower() for each in table.column_names] == list(frame())
    assert table.column(0).to_pylist() == [int(each) for each in frame()["sex"]]


def test_the_schema_says_whether_codes_or_labels_are_wanted(files: Path) -> None:
    drop = [tk.Attribute(name, "identifier") for name in ("age", "height", "born", "town")]
    codes = tk.Attribute("works", domain=tk.Categories([0, 1]))
    labels = tk.Attribute("sex", domain=tk.Categories(["male", "female"]), missing=True)
    table = read_table(files / "a.sav", tk.Schema([labels, codes, *drop]))
    assert set(table.column("works").to_pylist()) == {0, 1}
    assert set(table.column("sex").to_pylist()) == {"male", "female", None}
    assert pa.types.is_string(table.column("age").type)


def test_the_codebook_of_a_file(files: Path) -> None:
    book = read_codebook(files / "a.sav")
    assert book["works"].label == TOLD["works"]
    assert book["sex"].labels == {1: "male", 2: "female"}
    assert book["age"].measure == "scale"


def test_frames_of_any_kind(files: Path) -> None:
    found = tk.read_table(files / "a.dta", frame="polars")
    assert found["works"].to_list() == tk.read_table(files / "a.dta")["works"].tolist()


def test_from_spss_to_spss(files: Path, tmp_path: Path) -> None:
    """The officer's way: a draft with labels and codes, a release in SPSS with both, read back and checked."""
    plan = tmp_path / "plan.toml"
    tokumei("init", files / "a.sav", "--k", "2", "--output", plan, cwd=tmp_path)
    drafted = tk.Plan.read(plan)
    works = drafted.schema["works"]
    assert (works.label, works.observed) == ("Worked last week", False)
    assert works.codes == {"no": 0, "yes": 1}
    assert drafted.output.format == "sav"
    text = plan.read_text("utf-8")
    assert 'method = "generalization"' in text  # so few rows; noise keeps the labels as they are
    plan.write_text(text.replace('method = "generalization"', 'method = "pk_perturbation"'), "utf-8")
    tokumei("anonymize", plan, "--seed", "1", cwd=tmp_path)
    release = tk.read_release(drafted.output_path)
    assert release.schema["works"].label == "Worked last week"
    cells, found = pyreadstat.read_sav(drafted.output_path / "data.sav")
    assert found.variable_value_labels["works"] == {0: "no", 1: "yes"}
    assert found.column_names_to_labels["works"] == "Worked last week"
    assert set(cells["works"].dropna()) <= {0, 1}
    assert "works: Worked last week" in tk.report(release).html


@pytest.mark.parametrize(
    "language, said", [("en", "a mean of the codes is not a mean of"), ("ja", "コードの平均は値の平均では")]
)
def test_codes_of_generalized_numbers_are_said_to_be_codes(language: str, said: str, tmp_path: Path) -> None:
    """Their mean looks like an age."""
    tk.example_census(rows=60)[["age", "sex", "hours", "income"]].to_csv(tmp_path / "people.csv", index=False)
    tokumei("init", "people.csv", cwd=tmp_path)
    plan = tmp_path / "plan.toml"
    made = re.sub(
        r"(?ms)^\[method\].*?(?=^\[)", '[method]\nmethod = "generalization"\nk = 5\n', plan.read_text("utf-8")
    )
    plan.write_text(made.replace('format = "parquet"', 'format = "sav"'), "utf-8")
    done = tokumei("anonymize", plan, cwd=tmp_path, env={"TOKUMEI_LANGUAGE": language})
    (line,) = [line for line in done.stderr.splitlines() if said in line]
    assert "age" in line and "hours" in line and "income" not in line


def test_numbers_that_became_codes_are_named() -> None:
    rows, schema, age = tk.example_census(rows=200), tk.example_schema(), tk.Hierarchy.intervals([17, 30, 50, 91])
    for method, prepare, named in (
        (tk.Generalization(k=5, partition=tk.partitions.Mondrian()), [], ("age", "hours")),
        (tk.PkPerturbation(k=3, tells="all"), [tk.prepare.Recode("age", 1, age)], ("age",)),
        (tk.Swapping(k=5), [], ()),
    ):
        release = tk.anonymize(rows, schema, method, prepare=prepare, seed=1)
        assert coded_numbers(release, "sav") == coded_numbers(release, "dta") == named
        assert coded_numbers(release, "xpt") == coded_numbers(release, "csv") == ()  # labels stay text


WAYS = [
    ("sav", tk.PkPerturbation(k=3)), ("dta", tk.Generalization(k=5)), ("xpt", tk.LocalSuppression(k=3)), ("sav", tk.Microaggregation(k=4)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "method"), WAYS, ids=str)
def test_releases_are_read_back_as_they_were(kind: Any, method: Any, tmp_path: Path) -> None:
    release = tk.anonymize(tk.example_census(rows=300), tk.example_schema(), method, seed=1)
    release.write(tmp_path / "out", kind, allow_seeded=True)
    again = tk.read_release(tmp_path / "out")
    assert again.table.equals(release.table)
    assert [str(each) for each in again.guarantees] == [str(each) for each in release.guarantees]
    release.write(tmp_path / "out", "csv", allow_seeded=True, overwrite=True)


def kept(cells: Any, name: str = "note") -> tk.errors.OutputError | tk.Release:
    table = pa.table({"sex": ["f", "m"] * 10, name: cells * 10})
    schema = tk.Schema(
        [tk.Attribute("sex", domain=tk.Categories(["f", "m"])), tk.Attribute(name, "insensitive", missing=True)]
    )
    return tk.anonymize(table, schema, tk.Generalization(k=2), seed=1)


@pytest.mark.parametrize("cells", [["a", "a "], ["", "b"], [2**60 + 1, 1]], ids=["space", "empty", "large"])
def test_what_would_be_changed_is_refused(cells: list[Any], tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"Cells of 'note' cannot be kept exactly in a \.sav file") as caught:
        kept(cells).write(tmp_path / "out", "sav", allow_seeded=True)
    assert "a " not in str(caught.value).split("'note'")[1][:10]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("kind", "name"), [("sav", "my note"), ("dta", "n" * 33), ("xpt", "メモ"), ("sav", "SEX")])
def test_names_that_a_format_cannot_have(kind: Any, name: str, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=f"cannot be written as .{kind}"):
        kept(["a", "b"], name).write(tmp_path / "out", kind, allow_seeded=True)


def test_text_in_shift_jis(tmp_path: Path) -> None:
    file = tmp_path / "old.sav"
    pyreadstat.write_sav(pd.DataFrame({"q1": ["abcdef", "ghijkl"]}), file, column_labels={"q1": "ABCDEFGH"})
    content = file.read_bytes().replace(b"UTF-8", b"CP932")  # as a Japanese SPSS wrote it
    said = [("abcdef", "大阪府"), ("ghijkl", "東京都"), ("ABCDEFGH", "都道府県")]
    for placeholder, text in said:
        content = content.replace(placeholder.encode(), text.encode("cp932"))
    file.write_bytes(content)
    for encoding in ("cp932", "utf-8"):  # said, or as the file says it
        assert read_to_draft(file, encoding=encoding)[0].column("q1").to_pylist() == ["大阪府", "東京都"]
        assert read_codebook(file, encoding)["q1"].label == "都道府県"


@pytest.mark.parametrize("name", ["a.sav", "a.zsav", "a.dta", "a.xpt", "a.por"])
def test_damaged_files_are_one_sentence(files: Path, name: str, tmp_path: Path) -> None:
    """The parser is C and some damage ends it: this process must live, and say one sentence without a cell."""
    content = (files / name).read_bytes()
    file = tmp_path / name
    seeds = (47, 48) if name == "a.sav" else (1,)
    for seed in seeds:
        rng, damaged = random.Random(seed), bytearray(content)
        for _ in range(20):
            damaged[rng.randrange(min(len(damaged), 600))] = rng.choice([0, 127, 255])
        file.write_bytes(damaged)
        with pytest.raises(DataError, match="cannot be read|far more than") as caught:
            read_to_draft(file)
        assert "male" not in str(caught.value)
        assert "Nara" not in str(caught.value)


def test_a_parser_that_dies_is_one_sentence(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistical, "CHILD", "import os; os.abort()")
    with pytest.raises(DataError, match="it is damaged, or not of the kind that its name says"):
        read_to_draft(files / "a.sav")


def test_far_more_rows_than_bytes_are_refused(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistical, "UNPACKED", 2000)
    monkeypatch.setattr(statistical, "FAR", 0)
    for name in ("a.sav", "a.xpt"):  # the rows are said, or counted
        with pytest.raises(DataError, match="far more than its size should hold"):
            read_to_draft(files / name)


def test_only_in_memory(files: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    tokumei("init", files / "a.dta", "--k", "2", "--output", plan, cwd=tmp_path)
    with pytest.raises(DataError, match="only read in memory"):
        tk.run(plan, engine="stream")


def test_without_the_library(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(MissingDependency, match=r"pip install 'tokumei\[stat\]'"):
        read_to_draft(files / "a.sav")


def test_a_file_that_sas_wrote_goes_all_the_way(tmp_path: Path) -> None:
    packed = Path(__file__).parent / "data" / "iris.sas7bdat.gz"
    whole = gzip.decompress(packed.read_bytes())
    (tmp_path / "iris.sas7bdat").write_bytes(whole)
    tokumei("init", "iris.sas7bdat", "-o", "plan.toml", "--k", 5, cwd=tmp_path)
    drafted = (tmp_path / "plan.toml").read_text(encoding="utf-8")
    assert 'kind = "numbers", low = 4.3, high = 7.9, step = 0.1' in drafted and '"setosa"' in drafted
    tokumei("anonymize", "plan.toml", cwd=tmp_path)
    release = tk.read_release(tmp_path / "iris-release")
    assert release.rows == 150 and len(release.schema.names()) == 5
    (tmp_path / "cut.sas7bdat").write_bytes(whole[:300])
    said = tokumei("init", "cut.sas7bdat", "-o", "cut.toml", cwd=tmp_path, code=1).stderr
    assert "damaged" in said and not (tmp_path / "cut.toml").exists()


def test_a_sas_transport_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    """It does not say how many rows it has; one that is cut off would be read as a shorter one."""
    whole, part = tmp_path / "whole.xpt", tmp_path / "part.xpt"
    pyreadstat.write_xport(pd.DataFrame({"age": range(500), "town": ["north"] * 500}), str(whole))
    assert len(tk.read_table(whole)) == 500
    part.write_bytes(whole.read_bytes()[:-4001])
    with pytest.raises(DataError, match="cut off"):
        tk.read_table(part)


@pytest.mark.parametrize("ending", [".dta", ".sav"])
def test_the_label_of_a_code_that_was_said_to_be_missing_is_in_no_domain(tmp_path: Path, ending: str) -> None:
    codes = [999.0 if row % 9 == 0 else 1.0 + row % 3 for row in range(90)]
    labels = {"trust": {1: "low", 2: "some", 3: "high", 999: "Refused"}}
    write = pyreadstat.write_dta if ending == ".dta" else pyreadstat.write_sav
    write(pd.DataFrame({"trust": codes}), str(tmp_path / f"survey{ending}"), variable_value_labels=labels)
    tokumei("init", f"survey{ending}", "--missing", "999", "--k", 2, cwd=tmp_path)
    trust = Plan.read(tmp_path / "plan.toml").schema["trust"]
    assert isinstance(trust.domain, tk.Categories)
    assert trust.domain.values == ("low", "some", "high") and trust.missing
    assert "Refused" not in (tmp_path / "plan.toml").read_text(encoding="utf-8")
    tokumei("anonymize", "plan.toml", cwd=tmp_path)


def test_numbers_of_single_precision_are_the_decimals_that_were_written(tmp_path: Path) -> None:
    heights = [150 + row / 10 for row in range(200)]
    frame = pd.DataFrame(
        {"height": np.array([*heights, np.nan], np.float32), "whole": np.arange(201, dtype=np.float32)}
    )
    frame.to_stata(tmp_path / "people.dta", write_index=False)
    table, _ = read_statistical(tmp_path / "people.dta")
    assert table.column("height").to_pylist() == [*(round(each, 1) for each in heights), None]
    assert pa.types.is_integer(table.column("whole").type)
    tokumei("init", "people.dta", "--k", 2, cwd=tmp_path)
    assert Plan.read(tmp_path / "plan.toml").schema["height"].domain == tk.Numbers(150.0, 169.9, 0.1, quantity=False)
    tokumei("anonymize", "plan.toml", cwd=tmp_path)
