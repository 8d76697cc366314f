"""What benchmarks store is what the pages show, and Adult is what is known under its name."""

from __future__ import annotations

import hashlib
import http.server
import importlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import board, data, full, honest, stored
from benchmarks.row import Measured, Row, measure

ROWS = [["perturbed", 3, 0.80481, None], ["kernel", 3, 0.8, 1200]]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    table = stored.Table(["method", "k", "AUC", "rows"], ROWS, {"AUC": ".3f"})
    stored.store("paper", {"auc": table}, command="make it", seeds=range(4), packages=["numpy"], sheets=tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", stored.pages(), ids=lambda p: p.name)
def test_pages_show_what_is_stored(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert stored.filled(text) == text, "run python -m benchmarks.stored"


def test_every_interval_that_is_printed_covers_as_often_as_it_says() -> None:
    found = json.loads((stored.RESULTS / "coverage_honest.json").read_text(encoding="utf-8"))["tables"]["coverage"]
    measured: dict[str, list[tuple[int, float]]] = {name: [] for name in honest.RELEASES}
    for name, _, releases, *cells in found["rows"]:
        measured[name] += [(releases, cell) for cell in cells if isinstance(cell, float)]
    assert all(releases >= 200 and 0.85 <= cell <= 0.95 for each in measured.values() for releases, cell in each)
    assert {row[0] for row in found["rows"]} == set(honest.RELEASES)
    assert len(measured["swapping, k = 5"]) == 2  # shares of one column and means, about the population


def test_a_changed_figure_is_found(kept: Path) -> None:
    text = stored.filled(
        "<!-- stored paper auc --><!-- end --> and <!-- stored paper auc 'kernel / 3' AUC -->?<!-- end -->."
    )
    assert "| perturbed | 3 | .805 |  |\n| kernel | 3 | .800 | 1,200 |" in text
    assert "`make it`" in text
    assert "seeds 0 to 3" in text
    assert text.endswith("and <!-- stored paper auc 'kernel / 3' AUC -->.800<!-- end -->.")
    assert stored.filled(text.replace(".805", ".905")) == text


@pytest.mark.parametrize("file", sorted((stored.ROOT / "benchmarks").glob("*.py")), ids=lambda file: file.stem)
def test_every_program_finds_what_it_imports(file: Path) -> None:
    importlib.import_module(f"benchmarks.{file.stem}")


def test_how_numbers_are_shown() -> None:
    table = stored.Table(["a", "b", "c"], [[-0.0001, -0.00004, 0.1234]], {"a": ".3f", "b": "+.1%", "c": ".1%"})
    assert [table.cell(table.rows[0], name) for name in "abc"] == [".000", "+0.0%", "12.3%"]


def test_what_a_run_keeps(kept: Path) -> None:
    content = json.loads((kept / "paper.json").read_text(encoding="utf-8"))
    assert {"command", "date", "machine", "versions", "seeds", "tables"} == set(content)
    assert content["machine"]["cores"] >= 1
    assert (kept / "paper_auc.csv").read_text(encoding="utf-8").splitlines()[1] == "perturbed,3,0.80481,"
    with pytest.raises(LookupError):
        stored.shown("paper auc nothing AUC")
    with pytest.raises(ValueError, match="3 cells"):
        stored.Table(["a", "b"], [[1, 2, 3]])


def test_the_board_tells_what_got_worse() -> None:
    assert not board.worse(Measured(1, 1, 9.0, 0.1), None)
    assert not board.worse(Measured(1, 1, 1.2, 0.01), (1.0, 0.01))  # within a quarter
    assert not board.worse(Measured(1, 1, 1.5, 0.3), (1.0, 0.01))  # within the spread of the rounds
    assert board.worse(Measured(1, 1, 1.5, 0.05), (1.0, 0.01))
    row = Row("w", "a", lambda: None, lambda: None, at_most=2)
    assert board.verdict(row, 2.5) == ("2.50×", "≤ 2×", False)
    assert measure(row).spread >= 0
    with pytest.raises(SystemExit, match="no rows named nothing"):
        next(board.rows(["nothing"]))


def test_everything_is_run_with_the_pages_last(tmp_path: Path) -> None:
    (tmp_path / "paper.py").write_text(f"{full.MAIN}\n    pass\n", encoding="utf-8")
    (tmp_path / "shared.py").write_text("HELP = 1\n", encoding="utf-8")
    (tmp_path / "__init__.py").write_text("", encoding="utf-8")
    assert full.programs(tmp_path) == ["benchmarks.papers.paper"]
    assert full.steps()[:2] == [["benchmarks.board", "--store"], ["benchmarks.peers"]]
    assert full.steps()[-1] == ["benchmarks.stored"]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    first = b"39, State-gov, 77516, <=50K\n50, Private, 83311, >50K\n\n"
    second = b"|1x3 Cross validator\n25, Private, 226802, <=50K.\n\n"
    for name, content in zip(data.PARTS, (first, second), strict=True):
        (tmp_path / name).write_bytes(content)
        monkeypatch.setitem(data.PARTS, name, hashlib.sha256(content).hexdigest())
    monkeypatch.delenv("TOKUMEI_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=str(tmp_path))  # type: ignore[arg-type]

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_adult_is_fetched_once_and_checked(served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "SOURCE", served)
    lines = data.adult().read_text(encoding="utf-8").splitlines()
    assert lines == [data.COLUMNS, "39,State-gov,77516,<=50K", "50,Private,83311,>50K", "25,Private,226802,<=50K"]
    (tmp_path / "adult.data").write_bytes(b"something else")
    assert data.adult().is_file()  # kept
    data.adult().unlink()
    with pytest.raises(SystemExit, match="not the file known"):
        data.adult()
    (tmp_path / "adult.data").unlink()
    with pytest.raises(SystemExit, match="could not be fetched"):
        data.adult()
    assert not list((tmp_path / "cache" / "tokumei").iterdir())


def test_a_table_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TOKUMEI_DATA", raising=False)
    with pytest.raises(SystemExit, match="set TOKUMEI_DATA"):
        data.path("census.csv")
    monkeypatch.setenv("TOKUMEI_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match="has no census.csv"):
        data.path("census.csv")


def test_everything_that_is_stored_is_measured_anew_by_one_command() -> None:
    run = {" ".join(step) for step in full.steps()}
    for file in stored.RESULTS.glob("*.json"):
        command = json.loads(file.read_text(encoding="utf-8"))["command"].removeprefix("python -m ").split()
        whole = {" ".join(command[:length]) for length in range(1, len(command) + 1)}
        assert run & whole, f"{file.name}: {' '.join(command)}"
