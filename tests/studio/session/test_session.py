"""The session: states, history, and that every state is a plan whose run gives the session's own release."""

from __future__ import annotations

import stat
import threading
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokumei as tk
from tests.command_line import Program, tokumei
from tokumei.errors import Cancelled, DataError, InvalidParameter
from tokumei.plan import Plan
from tokumei.studio.session import Session
from tokumei.studio.session.opening import EXAMPLE
from tokumei.words import Words

METHODS = [
    tk.Generalization(k=4, partition=tk.partitions.Mondrian()),
    tk.PkPerturbation(k=3, tells="all"),
    tk.PkPerturbation(k=3, sample=0.5, tells="all"),
    tk.LocalSuppression(k=2),
    None,
]


def test_a_state_is_changed_taken_back_and_taken_again(session: Session) -> None:
    first = session.state
    second = session.change(method=tk.PkPerturbation(k=3, tells="all"))
    third = session.change(seed=5)
    assert session.told(Words("en")) == [f"Opened {EXAMPLE}", "Pk-perturbation, k = 3", "Drawn with a seed"]
    assert session.told(Words("ja")) == [f"「{EXAMPLE}」を開きました", "Pk-攪乱、k = 3", "シードあり"]
    assert (session.undo(), session.undo(), session.redo(), session.redo()) == (second, first, second, third)
    session.go_to(0)
    assert session.change(method=None) == first, "nothing changed, so it is no step"
    assert len(session.history) == 3
    session.change(method=tk.RecordSuppression(k=2))
    assert len(session.history) == 2, "what was taken back is forgotten"
    with pytest.raises(InvalidParameter, match="nothing to redo"):
        session.redo()


def test_a_change_that_cannot_be_leaves_everything_as_it_was(session: Session) -> None:
    before = session.state
    narrow = replace(session.state.schema["age"], domain=tk.Numbers(20, 30, step=1), hierarchy=None)
    with pytest.raises(DataError, match="outside its domain"):
        session.describe(narrow)
    with pytest.raises(InvalidParameter, match="'metod' cannot be changed. Did you mean 'method'"):
        session.change(metod=None)
    with pytest.raises(InvalidParameter, match="no column 'agee'"):
        session.change(prepare=(tk.prepare.Drop("agee"),))
    with pytest.raises(InvalidParameter, match="at most 3 methods can be pinned"):
        session.change(pinned=tuple(tk.RecordSuppression(k=k) for k in range(2, 6)))
    assert session.state == before
    assert len(session.history) == 1


def test_roles_are_given_with_a_word(session: Session) -> None:
    session.give_role("hours", "insensitive")
    assert session.state.schema["hours"].role == "insensitive"
    assert session.told(Words("en"))[-1] == "hours: insensitive"
    session.give_role("person_id", "person")
    assert session.state.schema["person_id"].role == "person"
    session.give_role("person_id", "insensitive")
    assert session.state.schema["person_id"].observed


def test_cards_describe_the_columns(session: Session) -> None:
    cards = {card.name: card for card in session.columns()}
    table = session.table
    assert list(cards) == table.column_names
    for name, card in cards.items():
        assert card.distinct == len(table.column(name).unique())
        if card.role != "identifier":
            assert sum(bar.rows for bar in card.bars) == table.num_rows
            assert len(card.bars) <= 12
    assert cards["person_id"].bars == ()
    assert cards["age"].levels == 2
    assert cards["income"].suggested == "sensitive"


def test_a_card_shows_missing_cells_and_puts_rare_labels_together(tmp_path: Path) -> None:
    letters = [chr(97 + place % 20) for place in range(200)]
    few = [None, *(place % 5 for place in range(199))]
    made = pa.table({"letter": letters, "x": [None, *range(199)], "few": few})
    pyarrow.csv.write_csv(made, tmp_path / "t.csv")
    with Session.open(tmp_path / "t.csv") as session:
        letter, x, fewer = session.columns()
    assert letter.bars[-1].others == 9
    assert [bar.missing for bar in fewer.bars] == [False] * 5 + [True]
    assert letter.bars[-1].rows == 90
    assert (x.missing, x.distinct) == (1, 199)


def test_risk_before_and_after_say_where_they_come_from(session: Session) -> None:
    assert session.risk_before().k == tk.assess(session.table, session.state.schema).k
    assert session.risk_before() is session.risk_before()
    session.change(method=tk.Generalization(k=4, partition=tk.partitions.Mondrian()))
    after = session.risk_after()
    assert after.basis == "counted"
    assert after.classes is not None
    assert after.highest == after.classes.prosecutor.highest <= 1 / 4
    session.change(method=tk.PkPerturbation(k=4, tells="all"))
    after = session.risk_after()
    assert (after.basis, after.classes) == ("proved", None)
    assert after.highest <= 1 / 4


def test_the_same_state_gives_the_same_release_again_without_a_seed(session: Session) -> None:
    session.change(method=tk.PkPerturbation(k=3, tells="all"))
    release = session.release()
    session.change(method=tk.RecordSuppression(k=2))
    assert session.released() is None
    session.undo()
    assert session.released() is release
    assert session.release() is release


def run_all(session: Session, folder: Path) -> list[pa.Table]:
    """Run the session's plan, text, program and command; return the rows that each gives."""
    held = Path(str(session.opened.source.path))
    (folder / EXAMPLE).write_bytes(held.read_bytes())
    found = [tk.run(session.plan(), seed=session.state.seed).table]
    found.append(tk.run(Plan.from_toml(session.as_toml(), folder), seed=session.state.seed).table)
    (folder / "plan.toml").write_text(session.as_toml(), encoding="utf-8")
    program, *words = session.as_cli().split()
    assert program == "tokumei"
    tokumei(*words, "--output", "by-command", cwd=folder)
    done = Program(session.as_python(), name="script.py", cwd=folder).ended()
    assert done.returncode == 0, done.stderr
    for name in ("by-command", session.plan().output.path):
        found.append(tk.read_release(folder / name, frame="pyarrow").table)
    return found


@pytest.mark.parametrize(
    ("method", "prepare"),
    [
        (tk.Generalization(k=3, partition=tk.partitions.Mondrian()), ()),
        (tk.PkPerturbation(k=3, sample=0.5, tells="all"), (tk.prepare.Recode("age"), tk.prepare.Drop("hours"))),
    ],
)
def test_plan_text_program_and_command_give_the_sessions_own_release(
    session: Session, tmp_path: Path, method: object, prepare: tuple
) -> None:
    session.change(method=method, prepare=prepare, seed=11)
    own = session.release().table
    for other in run_all(session, tmp_path):
        assert other.equals(own)


@given(
    steps=st.lists(
        st.one_of(
            st.sampled_from(["undo", "redo"]),
            st.sampled_from(METHODS),
            st.sampled_from([("hours", "insensitive"), ("region", "identifier"), ("hours", "quasi_identifier")]),
            st.sampled_from([tk.prepare.Recode("age"), tk.prepare.Drop("marital")]),
        ),
        max_size=8,
    )
)
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_whatever_was_done_the_plan_gives_the_release(steps: list) -> None:
    with Session.example(rows=120) as session:
        seen = [session.state]
        for step in steps:
            try:
                if step in ("undo", "redo"):
                    seen.append(getattr(session, step)())
                elif isinstance(step, tuple):
                    seen.append(session.give_role(*step))
                elif isinstance(step, tk.prepare.Recode | tk.prepare.Drop):
                    seen.append(session.change(prepare=(step,)))
                else:
                    seen.append(session.change(method=step))
            except InvalidParameter as error:
                assert "nothing to" in str(error) or "Drop" in str(error)
                assert session.state == seen[-1]
        if session.state.method is None:
            with pytest.raises(InvalidParameter, match="Choose a method first"):
                session.plan()
            return
        session.change(seed=3)
        folder = Path(str(session.opened.source.path)).parent
        again = Plan.from_toml(session.as_toml(), folder)
        assert tk.run(again, seed=session.state.seed).table.equals(session.release().table)


def sent(folder: Path, content: bytes) -> Path:
    (folder / "sent").write_bytes(content)
    return folder / "sent"


def test_uploads_are_bounded_private_and_removed(tmp_path: Path) -> None:
    rows = b"age,sex\n" + b"30,F\n40,M\n" * 20
    with Session.receive(sent(tmp_path, rows), "../../etc/<b>people</b>.csv") as session:
        held = Path(str(session.opened.source.path))
        assert session.name == "b>.csv"
        assert held.name == "table.csv"
        assert stat.S_IMODE(held.parent.stat().st_mode) == 0o700
        session.change(method=tk.RecordSuppression(k=2))
        assert str(held.parent) not in session.as_toml() + session.as_python()
    assert not held.parent.exists()
    assert not (tmp_path / "sent").exists()  # moved, not copied
    with pytest.raises(DataError, match="larger than 10 bytes"):
        Session.receive(sent(tmp_path, rows), "people.csv", limit=10)
    with pytest.raises(DataError, match="no known file extension"):
        Session.receive(sent(tmp_path, rows), "people.exe")


def test_a_broken_upload_is_refused_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        Session.receive(sent(tmp_path, b"a,b\n1,2\nsecret\n"), "people.csv")
    assert "people.csv cannot be read: line 3" in str(error.value)
    assert "secret" not in str(error.value)
    assert "tokumei-" not in str(error.value)


def test_the_delimiter_is_told_by_the_first_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('"a,b";c\n1;2\n3;4\n', encoding="utf-8")
    with Session.open(tmp_path / "t.csv") as session:
        assert session.table.column_names == ["a,b", "c"]
        assert session.state.source.delimiter == ";"


def test_a_database_table_is_opened(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "d.db")) as database:
        database.execute("CREATE TABLE people AS SELECT i % 5 AS age, 'x' || (i % 3) AS town FROM range(60) t(i)")
    with Session.open(f"duckdb:///{tmp_path}/d.db", "people") as session:
        session.change(method=tk.RecordSuppression(k=2), seed=1)
        assert tk.run(Plan.from_toml(session.as_toml()), seed=1).table.equals(session.release().table)
    with pytest.raises(InvalidParameter, match="needs the name of a table"):
        Session.open(f"duckdb:///{tmp_path}/d.db")


def test_work_can_be_stopped_and_is_told(session: Session) -> None:
    told: list[tuple[float, str]] = []
    session.change(method=tk.PkPerturbation(k=3, tells="all"))
    session.release(progress=lambda share, note: told.append((share, note)))
    assert told
    assert all(0 <= share <= 1 for share, _ in told)
    with pytest.raises(Cancelled):
        session.frontier(cancelled=lambda: True)


def test_threads_share_one_result(session: Session) -> None:
    session.change(method=tk.PkPerturbation(k=3, tells="all"))
    found: list[tk.Release] = []
    threads = [threading.Thread(target=lambda: found.append(session.release())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len({id(release) for release in found}) == 1


def test_a_quantity_is_declared_with_a_tick(tmp_path: Path) -> None:
    rows = {
        "roof": [1, 2, 9] * 10,
        "case": list(range(30)),
        "spent": [x / 7 for x in range(30)],
        "town": ["a", "b"] * 15,
    }
    pa.csv.write_csv(pa.table(rows), tmp_path / "t.csv")
    with Session.open(tmp_path / "t.csv") as session:
        assert session.state.schema["roof"].domain == tk.Categories([1, 2, 9])
        assert not session.state.schema["spent"].domain.quantity  # type: ignore[union-attr]
        session.declare_quantity("roof", True)
        session.declare_quantity("spent", True)
        assert session.state.schema["roof"].domain == tk.Numbers(1, 9, step=1)
        assert session.state.schema["spent"].domain.quantity  # type: ignore[union-attr]
        assert "another domain" in session.told(Words("en"))[-1]
        session.change(method=tk.Microaggregation(k=5))
        assert "quantity = false" not in session.as_toml()
        session.declare_quantity("roof", False)
        session.declare_quantity("spent", False)
        assert session.state.schema["roof"].domain == tk.Categories([1, 2, 9])
        assert "quantity = false" in session.as_toml()
        assert "quantity=False" in session.as_python()
        assert set(session.release().table.column("roof").to_pylist()) <= {1, 2, 9}
        with pytest.raises(InvalidParameter, match="'town' does not hold numbers"):
            session.declare_quantity("town", True)
