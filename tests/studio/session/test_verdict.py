"""The verdict before export: changes are tried on the table, and the one that is taken gives what was measured."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import tokumei as tk
from tokumei.errors import Cancelled, InvalidParameter
from tokumei.reports.mending import advise
from tokumei.studio.screens.duties import verdict_words
from tokumei.studio.session import Session
from tokumei.words import Words

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session.example(rows=400) as made:
        made.change(method=tk.Generalization(k=3, partition=tk.partitions.Mondrian()))
        made.give_duty("inference", "3/4")
        made.give_duty("linking", "1/3")
        yield made


def test_the_change_that_is_taken_gives_what_was_measured(session: Session) -> None:
    words = Words("en")
    assert "1 of 2 not met): Inference." in verdict_words(session.ladder(), session.state.duties, words)
    assert session.advised() is None
    found = session.advise()
    assert session.advised() is found is session.advise()  # kept for the state
    mending = [each for each in found.changes if "inference" in found.mended(each)]
    assert mending
    chosen = mending[0]
    session.take(chosen)
    assert session.state.method == chosen.method
    assert session.ladder()["inference"].value == chosen.values["inference"]
    assert verdict_words(session.ladder(), session.state.duties, words) == "Every duty holds (2 of 2)."
    assert "すべての義務" in verdict_words(session.ladder(), session.state.duties, Words("ja"))
    assert session.advised() is None  # it was about another state
    session.undo()
    assert session.advised() is found


def test_it_is_what_the_command_line_finds(session: Session) -> None:
    again = advise(session.plan(), duties=session.state.duties)
    assert again.describe() == session.advise().describe()


def test_a_seed_voids_every_duty_and_without_duties_there_is_no_verdict(session: Session) -> None:
    words = Words("en")
    session.change(seed=1)
    assert "No duty holds" in verdict_words(session.ladder(), session.state.duties, words)
    assert "No duty has been set" in verdict_words(session.ladder(), "", words)
    session.undo()


def test_trying_stops_when_asked_and_says_what_is_missing(session: Session) -> None:
    session.change(method=tk.Generalization(k=4, partition=tk.partitions.Mondrian()))
    with pytest.raises(Cancelled):
        session.advise(cancelled=lambda: True)
    assert session.advised() is None
    session.change(method=None)
    assert session.advised() is None
    with pytest.raises(InvalidParameter, match="Choose a method first"):
        session.advise()


def test_the_exported_report_is_evidence(tmp_path: Path) -> None:
    tk.example_census(rows=300, frame="pandas").to_csv(tmp_path / "people.csv", index=False)
    with Session.open(tmp_path / "people.csv") as session:
        session.change(method=tk.Generalization(k=3, partition=tk.partitions.Mondrian()))
        kinds = ("release", "plan", "report", "public_report")
        made = session.export(tmp_path / "out", kinds, name="Census")
        private, public = (made.paths[kind].read_text(encoding="utf-8") for kind in ("report", "public_report"))
        files = [tmp_path / "people.csv", made.paths["plan"]]
        own = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
        released = [hashlib.sha256(file.read_bytes()).hexdigest() for file in made.paths["release"].iterdir()]
        assert all(each in private for each in (*own, *released, "Census"))
        assert all(each in public for each in (*released, "Census"))
        assert not any(each in public for each in own)
        # a file that was changed since is not the one that was read
        with (tmp_path / "people.csv").open("a", encoding="utf-8") as file:
            file.write("\n")
        again = session.export(tmp_path / "again", ("report",)).paths["report"].read_text(encoding="utf-8")
        assert own[0] not in again
        assert hashlib.sha256((tmp_path / "people.csv").read_bytes()).hexdigest() not in again
        assert "its rows as read" in again
        assert "people.csv" in again
