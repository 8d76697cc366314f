"""Files that are looked at before they are opened: whatever they hold, there are rows or one sentence, and nothing of them is left."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tokumei import bounds
from tokumei.cli.app import app
from tokumei.errors import DataError, InvalidParameter, TokumeiError
from tokumei.io.encodings import ENCODINGS
from tokumei.io.source import read_table
from tokumei.studio.session import Session
from tokumei.studio.session.chosen import SETTINGS, Chosen

CELL = "Tanaka Hanako"
PLAIN = "name,age\n" + "".join(f"{CELL} {row},{20 + row}\n" for row in range(40))
MARKED = f"\x1b[2Jname,<script>alert(1)</script>\n{CELL}\x07,=cmd|'/C calc'!A0\n" * 20
FILES: dict[str, bytes] = {
    "plain.csv": PLAIN.encode(),
    "utf-16.csv": PLAIN.encode("utf-16"),
    "half a character.csv": PLAIN.encode("utf-16")[:-1],
    "utf-32.csv": PLAIN.encode("utf-32"),
    "lonely surrogates.csv": PLAIN.encode() + "\ud800,3\n".encode("utf-8", "surrogatepass"),
    "zeros.csv": PLAIN.encode().replace(b",2", b",\0"),
    "nothing.csv": b"",
    "lines.csv": b"\n\n\n",
    "names.csv": b"name,age\n",
    "an open quote.csv": b'name,age\n"' + CELL.encode() * 1000,
    "a long line.csv": b"name,age\n" + b"x" * 3_000_000,
    "many columns.csv": b",".join(b"c%d" % each for each in range(50_000)) + b"\n",
    "names twice.csv": f"{CELL},{CELL}\n1,2\n".encode(),
    "a cell too many.csv": (PLAIN + f"{CELL},3,4\n").encode(),
    "marked.csv": MARKED.encode(),
    "packed.csv.gz": gzip.compress(PLAIN.encode()),
    "cut off.csv.gz": gzip.compress(PLAIN.encode() * 500)[:-300],
    "not packed.csv.gz": PLAIN.encode(),
    "more behind.csv.gz": gzip.compress(PLAIN.encode()) + b"more",
}
CHOICES: dict[str, tuple[object, ...]] = {
    "encoding": ENCODINGS,
    "delimiter": (",", ";", "\t", "|"),
    "decimal": (".", ","),
    "dates": ("", "%d.%m.%Y"),
    "missing": ((), ("20", CELL)),
}
NO_TEXT = [
    "zlib",
    "bz2",
    "hex",
    "base64",
    "rot13",
    "uu",
    "undefined",
    "idna",
    "punycode",
    "none",
    "a b",
    "x\ny",
    "a\0b",
]


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where files that were handed over are kept."""
    made = tmp_path / "private"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    return made


def said(error: TokumeiError, private: Path) -> None:
    """One sentence that shows neither a cell nor the private place, and carries nothing else along."""
    assert CELL not in str(error)
    assert str(private) not in str(error)
    assert error.__context__ is None or CELL not in str(error.__context__)


@pytest.mark.parametrize("name", FILES)
def test_every_setting_gives_rows_or_a_sentence(name: str, tmp_path: Path, private: Path) -> None:
    (tmp_path / "given").write_bytes(FILES[name])
    file = Chosen.receive(tmp_path / "given", name)
    try:
        assert set(CHOICES) == set(SETTINGS)
        for setting, values in CHOICES.items():
            for value in values:
                file.choose(setting, value)  # type: ignore[arg-type]
                try:
                    assert len(file.beginning().rows) <= 12
                except TokumeiError as error:
                    said(error, private)
            file = _anew(file, tmp_path, name)
        try:
            Session.open_chosen(file).close()
        except TokumeiError as error:
            said(error, private)
    finally:
        file.close()
    assert list(private.iterdir()) == []


def _anew(file: Chosen, folder: Path, name: str) -> Chosen:
    file.close()
    (folder / "given").write_bytes(FILES[name])
    return Chosen.receive(folder / "given", name)


def test_a_bomb_is_refused_by_the_name_that_its_owner_knows(
    tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokumei.io.unpacking.UNPACKED", 2**20)
    monkeypatch.setattr(bounds, "UNPACKED", 2**20)
    (tmp_path / "given").write_bytes(gzip.compress(b"name,age\n" + b"x" * 2**25))
    with pytest.raises(DataError, match=r"^people\.csv\.gz unpacks to more than") as caught:
        Chosen.receive(tmp_path / "given", "people.csv.gz")
    said(caught.value, private)
    assert list(private.iterdir()) == []


@pytest.mark.parametrize("encoding", NO_TEXT)
def test_what_is_no_encoding_of_text_is_refused(encoding: str, tmp_path: Path) -> None:
    """Some encodings of Python unpack bytes, without any limit."""
    place = tmp_path / "people.csv"
    place.write_text(PLAIN, encoding="utf-8")
    with pytest.raises(InvalidParameter, match="there is no encoding"):
        read_table(place, encoding=encoding)
    for command in (["init", str(place)], ["sizes", str(place), "--qi", "age"]):
        done = CliRunner().invoke(app, [*command, "--encoding", encoding])
        assert done.exit_code == 1
        assert len(done.stderr.splitlines()) == 1
        assert "there is no encoding" in done.stderr


def test_text_that_does_not_say_in_which_order_its_bytes_are(tmp_path: Path) -> None:
    place = tmp_path / "people.csv"
    place.write_text(PLAIN, encoding="utf-8")
    for command in (["init", str(place)], ["check", str(place), "--qi", "age"]):
        done = CliRunner().invoke(app, [*command, "--encoding", "utf-16"])
        assert done.exit_code == 1
        assert "is not utf-16 text" in done.stderr
        assert CELL not in done.output
