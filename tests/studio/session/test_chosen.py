"""Guided import: how a file is written is guessed, shown, corrected, and stands in the plan."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter, TokumeiError
from tokumei.io.encodings import encoding_of
from tokumei.io.guessing import guess_dialect
from tokumei.plan import Plan
from tokumei.studio.projects import Projects
from tokumei.studio.session import Session
from tokumei.studio.session.chosen import Chosen, has_settings
from tokumei.studio.session.opening import ENDINGS
from tokumei.studio.studio import Studio
from tokumei.words import Words

GERMAN = "Name;geboren;Lohn;Größe\nMüller;31.12.2001;1,5;1,70\nKühn;01.02.1970;NA;1,81\nJäger;13.05.1985;2,5;1,65\n"
JAPANESE = "氏名,生年月日,所得,地域\n田中,2001/12/31,300,北\n鈴木,1970/02/01,-,南\n佐藤,1985/05/13,450,北\n"


def sent(folder: Path, content: bytes, name: str = "people.csv") -> Chosen:
    given = folder / "given"
    given.write_bytes(content)
    return Chosen.receive(given, name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "utf-16", "utf-16-le", "utf-16-be"])
def test_japanese_files_are_read_whatever_their_encoding(tmp_path: Path, encoding: str) -> None:
    chosen = sent(tmp_path, JAPANESE.encode(encoding))
    assert chosen.dialect.encoding == encoding.removesuffix("-sig")
    found = chosen.beginning()
    assert found.columns == ("氏名", "生年月日", "所得", "地域")
    assert found.holds == ("text", "dates", "numbers", "text")
    assert found.missing == (0, 0, 1, 0)
    assert found.rows[1] == ("鈴木", "1970-02-01", None, "南")
    chosen.close()


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-8", "utf-16"])
def test_semicolons_decimal_commas_dates_and_markers_are_guessed(tmp_path: Path, encoding: str) -> None:
    chosen = sent(tmp_path, GERMAN.encode(encoding))
    known = chosen.dialect
    assert known.encoding in {encoding, "latin-1"}
    assert (known.delimiter, known.decimal, known.dates, known.missing) == (";", ",", "%d.%m.%Y", ("", "NA"))
    assert chosen.beginning().holds == ("text", "dates", "numbers", "numbers")
    chosen.close()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("naïve café, René, à la carte, Ängström, señor", "latin-1"),
        ("it’s “quoted” – 5 €", "cp1252"),
        ("ﾀﾅｶ,ｽｽﾞｷ,ｻﾄｳ", "cp932"),
        ("都道府県,カタカナ,ひらがな", "cp932"),
        ("都道府県,カタカナ,ひらがな", "euc_jp"),
        ("plain", "utf-8"),
    ],
)
def test_encodings_are_told_apart(text: str, encoding: str) -> None:
    assert encoding_of(text.encode(encoding)) == encoding


def test_what_is_cut_off_in_the_middle_of_a_character_is_still_its_encoding() -> None:
    assert encoding_of("氏名".encode()[:-1]) == "utf-8"
    assert encoding_of("氏名,年齢,東京".encode("cp932")[:-1]) == "cp932"


def test_a_setting_redraws_and_what_nobody_chose_is_guessed_anew(tmp_path: Path) -> None:
    chosen = sent(tmp_path, GERMAN.encode("latin-1"))
    wrong = chosen.choose("encoding", "cp932")
    assert wrong.encoding == "cp932"
    assert "encoding" not in chosen.guessed
    with pytest.raises(DataError, match="people.csv.*cp932") as said:
        chosen.beginning()
    assert str(tmp_path) not in str(said.value)
    assert "ller" not in str(said.value)
    chosen.choose("encoding", "cp1252")
    assert chosen.beginning().columns[-1] == "Größe"
    assert chosen.choose("decimal", ".").dates == "%d.%m.%Y"
    assert chosen.beginning().holds[2:] == ("text", "text")
    chosen.choose("dates", "")
    assert chosen.beginning().holds[1] == "text"
    chosen.choose("decimal", ",")
    chosen.choose("missing", ["Kühn"])
    found = chosen.beginning()
    assert found.missing == (1, 0, 0, 0)
    assert found.holds[2] == "text"  # since NA is no marker any more
    with pytest.raises(InvalidParameter, match="cannot be changed"):
        chosen.choose("colour", "red")
    with pytest.raises(InvalidParameter, match="delimiter"):
        chosen.choose("delimiter", ";;")
    assert chosen.dialect.delimiter == ";"
    chosen.close()


def test_dates_that_may_be_either_are_not_guessed(tmp_path: Path) -> None:
    chosen = sent(tmp_path, b"a,b\n01/02/1970,1\n03/04/1980,2\n")
    assert chosen.dialect.dates is None
    chosen.choose("dates", "%m/%d/%Y")
    assert chosen.beginning().rows[0][0] == "1970-01-02"
    chosen.close()


def test_the_settings_stand_in_the_plan_and_the_plan_runs(tmp_path: Path) -> None:
    lines = [f"P{i:03};{1 + i % 28:02}.0{1 + i % 9}.19{60 + i % 30};{i % 7},5;{i % 5}" for i in range(60)]
    lines[50] = "P050;01.01.1970;?;1"
    text = "\n".join(["név;született;bér;csoport", *lines]).replace("név", "näme")
    chosen = sent(tmp_path, text.encode("cp1252", "replace"), "../x/people.csv")
    chosen.choose("encoding", "cp1252")
    with Session.open_chosen(chosen) as session:
        assert not chosen.close()  # which removes nothing: the file is the session's now
        source = session.state.source
        assert (source.encoding, source.delimiter, source.decimal, source.dates) == ("cp1252", ";", ",", "%d.%m.%Y")
        assert "?" in source.missing  # found beyond the rows that were shown
        session.change(method=tk.Generalization(k=2))
        text = session.as_toml()
        for said in ('encoding = "cp1252"', 'delimiter = ";"', 'decimal = ","', 'dates = "%d.%m.%Y"'):
            assert said in text
        assert session.release().rows
        made = Plan.read(_written(tmp_path, text))
        assert made.source.dialect == source.dialect
    assert not chosen.file.exists()


def _written(folder: Path, text: str) -> Path:
    (folder / "plan.toml").write_text(text, encoding="utf-8")
    return folder / "plan.toml"


def test_a_file_that_cannot_be_opened_stays_chosen(tmp_path: Path) -> None:
    chosen = sent(tmp_path, b"a,b\n" + b"1,2\n" * 400_000 + b"secret\n")
    assert chosen.beginning().looked_at > 1000
    with pytest.raises(TokumeiError) as said:
        Session.open_chosen(chosen)
    assert "secret" not in str(said.value)
    assert chosen.file.exists()
    chosen.close()
    assert not chosen.file.exists()


@pytest.mark.parametrize("content", [b"", b"a,b\n", b"a,a\n1,2\n", b"\x00\x01\x02\xff\xfe", b"a,b\n1,2\n1,2,3\n"])
def test_broken_files_are_chosen_and_said_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    chosen = sent(tmp_path, content)
    with pytest.raises(TokumeiError) as said:
        Session.open_chosen(chosen)
    assert str(tmp_path) not in str(said.value)
    chosen.close()


def test_only_text_has_settings_and_every_ending_is_taken() -> None:
    assert {".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt", ".xlsx", ".parquet", ".csv.gz"} <= set(ENDINGS)
    assert {each for each in ENDINGS if has_settings(each if each.startswith(".csv.") else f"a{each}")} == {
        each for each in ENDINGS if each.split(".")[-1] in {"csv", "tsv", "txt", "gz", "bz2", "zst", "lz4"}
    }


def test_the_studio_keeps_one_chosen_file_and_lets_go_of_it(tmp_path: Path) -> None:
    from tokumei.studio.inbox import Inbox

    inbox = Inbox()
    studio = Studio(inbox)
    first, second = sent(tmp_path, JAPANESE.encode()), sent(tmp_path, JAPANESE.encode())
    studio.choose(first)
    studio.choose(second)
    assert not first.file.exists()
    assert second.file.exists()
    studio.close()
    inbox.close()
    assert not second.file.exists()


def test_packed_and_tabbed_files_are_looked_at_too(tmp_path: Path) -> None:
    import gzip

    packed = sent(tmp_path, gzip.compress(JAPANESE.encode("cp932")), "people.csv.gz")
    assert packed.dialect.encoding == "cp932"
    assert packed.beginning().columns[0] == "氏名"
    tabbed = sent(tmp_path, JAPANESE.replace(",", "\t").encode("cp932"), "people.tsv")
    assert tabbed.tabbed
    assert tabbed.beginning().columns[0] == "氏名"
    packed.close()
    tabbed.close()


SURVEY = "\n".join(
    [
        "mail,tel,surname,said,age,income,region,vote",
        *(
            f"p{i}@example.org,+44 20 7946 0{i:03},Smith{i},She told us at length that nothing much had changed in town {i},"
            f"{-9 if i % 20 == 0 else 20 + i % 60},{99999 if i % 30 == 7 else 1000 + 13 * i},{'?' if i % 25 == 3 else 'NSEW'[i % 4]},{i % 3}"
            for i in range(200)
        ),
    ]
)


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    place = tmp_path / "survey.csv"
    place.write_text(SURVEY, encoding="utf-8")
    return place


def test_roles_have_reasons_and_what_names_people_is_flagged(survey: Path) -> None:
    with Session.open(survey) as session:
        cards = {each.name: each for each in session.columns()}
        flags = {name: each.flag for name, each in cards.items()}
        assert flags == {
            **dict.fromkeys(("age", "income", "region", "vote")),
            "mail": "email",
            "tel": "phone",
            "surname": "name",
            "said": "text",
        }
        assert cards["mail"].reason == ("reason_email",)
        assert cards["said"].reason == ("reason_text",)
        assert cards["vote"].reason == ("reason_sensitive",)
        for each in cards.values():
            for language in ("en", "ja"):
                words = Words(language)  # type: ignore[arg-type]
                assert all(words.knows(key) for key in each.reason), each.reason


def test_codes_are_pointed_out_and_one_click_makes_them_missing(survey: Path) -> None:
    with Session.open(survey) as session:
        before = {each.name: each for each in session.columns()}
        assert before["age"].noticed.markers == {"-9": 10}
        assert before["income"].noticed.markers == {"99999": 7}
        assert before["region"].noticed.markers == {"?": 8}
        risk = session.risk_before()
        session.treat_as_missing("-9")
        session.treat_as_missing("?")
        after = {each.name: each for each in session.columns()}
        assert after["age"].noticed.markers == {}
        assert (after["age"].missing, after["region"].missing) == (10, 8)
        assert after["age"].role == before["age"].role
        assert "?" not in after["region"].attribute.domain.labels()  # type: ignore[union-attr]
        assert session.told(Words("en"))[1].startswith("Other cells missing: -9")
        assert session.risk_before() is not risk
        session.change(method=tk.Generalization(k=2))
        assert session.plan().source.missing == ("", "-9", "?")
        assert session.release().rows
        project = Projects(survey.parent)
        key = project.save(session)
        for _ in range(3):
            session.undo()
        assert session.risk_before() == risk
        assert {each.name: each.noticed for each in session.columns()}["age"].markers == {"-9": 10}
    with Session.reopen(project.read(key)) as again:
        assert again.state.source.missing == ("", "-9", "?")
        assert again.table.column("age").null_count == 10
        again.undo()
        again.undo()
        assert again.state.source.missing == ("", "-9")
        again.undo()
        assert again.table.column("age").null_count == 0


def test_a_code_that_is_a_value_elsewhere_is_not_taken_from_there(tmp_path: Path) -> None:
    place = tmp_path / "t.csv"
    rows = [f"{99999 if i % 10 == 0 else 1000 + i % 500},{99990 + i % 20}" for i in range(300)]
    place.write_text("\n".join(["income,pay", *rows]), encoding="utf-8")
    with Session.open(place) as session:
        assert session.noticed()["income"].markers == {"99999": 30}
        before = session.state
        with pytest.raises(InvalidParameter, match="'99999' also stands in 1 column 'pay'"):
            session.treat_as_missing("99999")
        with pytest.raises(InvalidParameter, match="not written as"):
            session.treat_as_missing("-77")
        assert session.state is before


def test_a_quoted_or_decimal_code_is_not_silently_left(tmp_path: Path) -> None:
    place = tmp_path / "t.csv"
    place.write_text(
        "\n".join(["height,sex", *(f"{'-9.0' if i % 10 == 0 else 150.5 + i % 40},{i % 2}" for i in range(100))])
    )
    with Session.open(place) as session:
        assert session.noticed()["height"].markers == {"-9": 10}
        with pytest.raises(InvalidParameter, match="not written as '-9'"):
            session.treat_as_missing("-9")


def test_other_files_have_no_markers_to_set(tmp_path: Path) -> None:
    rows = pa.table({"age": [20, 30, 40, -9] * 10, "sex": ["a", "b"] * 20})
    pyarrow.parquet.write_table(rows, tmp_path / "t.parquet")
    with Session.open(tmp_path / "t.parquet") as session:
        assert session.noticed()["age"].markers == {"-9": 10}
        with pytest.raises(InvalidParameter, match="only be set for a CSV file"):
            session.treat_as_missing("-9")


def test_text_among_numbers_is_counted_and_not_shown(tmp_path: Path) -> None:
    place = tmp_path / "t.csv"
    place.write_text("\n".join(["hours,sex", *(f"{'refused' if i == 7 else i % 50},{i % 2}" for i in range(100))]))
    with Session.open(place) as session:
        assert session.noticed()["hours"].stray == 1


def test_a_given_setting_is_not_guessed(tmp_path: Path) -> None:
    place = tmp_path / "t.csv"
    place.write_bytes(GERMAN.encode("latin-1"))
    known = guess_dialect(place, encoding="cp1252", dates="", missing=("", "x"))
    assert (known.encoding, known.dates, known.missing, known.delimiter) == ("cp1252", None, ("", "x"), ";")
