"""Codebooks: CSV in two shapes and two languages, DDI, and what cannot be one."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import tokumei as tk
from tests.command_line import tokumei
from tokumei.errors import DataError, InvalidParameter, ObservedDomainWarning

WIDE = 'variable,label,values,missing,measure,low,high,step\nsex,Sex,"1 = male; 2 = female; 9 = no answer",9,,,,\nage,Age,,"-9; 990..999",scale,0,110,1\n'
LONG = "Variable;Label;Value;Value label;Missing\nsex;Sex;1;male;\n;;2;female;\n;;9;no answer;9\nage;Age;;;-9,990 thru 999\n"
JAPANESE = '変数名,ラベル,選択肢,欠損値,尺度,下限,上限,刻み\nsex,Sex,"1：male；2：female；9：no answer",9,名義,,,\nage,Age,,"-9;990～999",間隔,0,110,1\n'
DDI = """<?xml version="1.0" encoding="UTF-8"?>
<codeBook xmlns="ddi:codebook:2_5" version="2.5"><dataDscr>
 <var ID="V1" name="sex" nature="nominal"><labl>Sex</labl>
  <catgry><catValu>1</catValu><labl>male</labl><catStat type="freq">17</catStat></catgry>
  <catgry><catValu>2</catValu><labl>female</labl></catgry>
  <catgry missing="Y"><catValu>9</catValu><labl>no answer</labl></catgry></var>
 <var ID="V2" name="age" intrvl="contin"><qstn><qstnLit>Age</qstnLit></qstn>
  <valrng><range min="0" max="110"/></valrng><invalrng><item VALUE="-9"/><range min="990" max="999"/></invalrng></var>
</dataDscr></codeBook>"""
BOOKS = {"wide.csv": WIDE, "long.csv": LONG, "japanese.csv": JAPANESE, "book.xml": DDI}


@pytest.mark.parametrize("name", BOOKS)
def test_every_shape_says_the_same(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(BOOKS[name], encoding="utf-8")
    book = tk.read_codebook(file)
    assert list(book) == ["sex", "age"]
    assert (book["sex"].label, book["age"].label) == ("Sex", "Age")
    assert book["sex"].labels == {1: "male", 2: "female"}
    assert [code for code in (-10, -9, 0, 989, 990, 995.5, 999, 1000) if book["age"].is_missing(code)] == [
        -9,
        990,
        995.5,
        999,
    ]
    codes = pd.DataFrame({"sex": [1, 2, 9], "age": [30, 999, -9]})
    assert book.apply(codes)["sex"].tolist()[:2] == ["male", "female"]
    assert book.apply(codes).isna().sum().tolist() == [1, 2]
    if name != "long.csv":
        assert book["age"].domain is not None
        assert (book["age"].domain.low, book["age"].domain.high) == (0, 110)  # type: ignore[union-attr]


def test_a_codebook_in_shift_jis(tmp_path: Path) -> None:
    file = tmp_path / "book.csv"
    file.write_text("変数,ラベル,選択肢\nq1,性別,1=男;2=女\n", encoding="cp932")
    assert tk.read_codebook(file, "cp932")["q1"].labels == {1: "男", 2: "女"}
    with pytest.raises(DataError, match="is not utf-8 text; give its encoding"):
        tk.read_codebook(file)


BAD = {
    "nothing.csv": ("", "is not a codebook"),
    "other.csv": ("age,sex\n1,2\n", "is not a codebook"),
    "empty.csv": ("variable,label\n", "without a variable"),
    "nameless.csv": ("variable,label\n,Age\n", "line 2 has no variable"),
    "role.csv": ("variable,label,role\nage,Age,secret\n", "line 2 has a role that there is not"),
    "low.csv": ("variable,label,low\nage,Age,many\n", "line 2, low, must be a number"),
    "cut.xml": (DDI[:300], "is not a DDI codebook"),
    "laughs.xml": ('<!DOCTYPE a [<!ENTITY b "bb">]><codeBook><var name="&b;"/></codeBook>', "is not a DDI codebook"),
    "deep.xml": ("<a>" * 100 + "</a>" * 100, "is not a DDI codebook"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_codebook(name: str, tmp_path: Path) -> None:
    content, problem = BAD[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        tk.read_codebook(tmp_path / name)
    with pytest.raises(DataError, match="does not exist"):
        tk.read_codebook(tmp_path / "there-is-none.csv")


def test_labels_that_are_shared_are_told_apart() -> None:
    from tokumei.table.codebook import Variable

    variable = Variable("q", values=((1, "other"), (2, "other"), (3, "")))
    assert variable.labels == {1: "other (1)", 2: "other (2)", 3: "3"}


def test_a_schema_in_one_call(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text(WIDE, encoding="utf-8")
    schema = tk.Schema.from_codebook(file, roles={"age": "sensitive"})
    assert schema["sex"] == tk.Attribute("sex", domain=tk.Categories(["male", "female"]), missing=True)
    assert schema["age"].domain == tk.Numbers(0, 110, step=1)
    assert (schema["age"].role, schema["age"].label) == ("sensitive", "Age")
    frame = pd.DataFrame({"sex": [1, 2] * 20, "age": [30, 40] * 20, "town": ["A", "B"] * 20})
    with pytest.warns(ObservedDomainWarning, match="'town'"):
        seen = tk.Schema.from_codebook(file, frame)
    labelled = tk.read_codebook(file).apply(frame, ["sex"])
    release = tk.anonymize(labelled, seen, tk.Generalization(k=2), seed=1)
    assert release.schema["sex"].label == "Sex"


def test_a_schema_needs_domains_or_rows(tmp_path: Path) -> None:
    file = tmp_path / "book.csv"
    file.write_text("variable,label\nage,Age\n", encoding="utf-8")
    with pytest.raises(InvalidParameter, match="neither values nor a range"):
        tk.Schema.from_codebook(file)
    with pytest.raises(InvalidParameter, match="roles names 'aeg'"):
        tk.Schema.from_codebook(file, roles={"aeg": "sensitive"})


def test_a_plan_with_a_codebook_on_two_engines(tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_text(f'{WIDE}health,Health,"1 = good; 2 = poor",,ordinal,,,\n', encoding="utf-8")
    rows = pd.DataFrame({"sex": [1, 2, 9, 2] * 25, "age": [30, 999, 41, 52] * 25, "health": [1, 2, 2, 1] * 25})
    rows.to_csv(tmp_path / "people.csv", index=False)
    tokumei(
        "init",
        tmp_path / "people.csv",
        "--k",
        "3",
        "--codebook",
        tmp_path / "book.csv",
        "--output",
        tmp_path / "plan.toml",
        cwd=tmp_path,
    )
    plan = tk.Plan.read(tmp_path / "plan.toml")
    assert plan.schema["sex"].domain == tk.Categories(["male", "female"])
    assert plan.schema["age"].domain == tk.Numbers(0, 110, step=1)
    assert plan.schema["health"].domain == tk.Categories(["good", "poor"], ordered=True)
    assert not any(each.observed for each in plan.schema)
    one, other = (tk.run(plan, engine=engine, seed=1) for engine in ("local", "stream"))
    assert sorted(map(str, one.table.to_pylist())) == sorted(map(str, other.table.to_pylist()))
    assert "999" not in str(one.table.column("age").to_pylist())
    assert tk.Plan.from_toml(plan.to_toml()).source.codebook == plan.source.codebook
