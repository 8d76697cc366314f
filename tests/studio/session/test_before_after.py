"""Before and after, records and export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter, OutputError, ReleaseError
from tokumei.plan import Plan
from tokumei.release.files import read_release
from tokumei.studio.session import Session
from tokumei.studio.session.opening import EXAMPLE
from tokumei.words import Words


@pytest.mark.filterwarnings("ignore:After reconstruction. The noise leaves open")
def test_shares_and_cross_tables_are_those_of_the_utility_room(session: Session) -> None:
    session.change(method=tk.PkPerturbation(k=3, tells="all"), seed=2)
    found = session.before_after(reconstruct=True)
    given = session.table, session.release(), session.state.schema
    measured = tk.measure_utility(*given)
    assert found.columns == measured.columns
    np.testing.assert_allclose(found.associations, measured.associations)
    assert found.released is not None
    assert found.reconstructed is not None
    assert measured.reconstructed is not None
    assert found.reconstructed.pair_distance == pytest.approx(measured.reconstructed.pair_distance)
    for one, two in (("sex", "income"), ("income", "sex")):
        table, cross = tk.comparisons.contingency(*given, [one, two]), found.cross(one, two)
        for side in ("original", "released", "reconstructed"):
            np.testing.assert_allclose(getattr(cross, side).reshape(-1) * 400, table.column(side).to_numpy(), atol=1e-9)
    for marginal in found.marginals:
        assert marginal.original.sum() == pytest.approx(1)
        assert len(marginal.labels) == len(marginal.original)
    assert found is session.before_after(reconstruct=True)
    assert session.before_after().reconstructed is None


def test_rows_that_tell_two_columns_are_compared_and_shown(session: Session) -> None:
    session.change(method=tk.PkPerturbation(k=3, tells=2), seed=2)
    found = session.before_after()
    measured = tk.measure_utility(session.table, session.release(), session.state.schema, reconstruct=False)
    assert found.released is not None
    assert measured.released is not None
    assert found.released.pair_distance == pytest.approx(measured.released.pair_distance)
    assert "Shares of a column are those of the rows that tell it." in str(found.notes[0])
    assert session.scores("income").released is None
    assert session.attack().attack is not None
    telling = session.release().mechanism.telling
    assert telling is not None
    for record in session.records(0, "row", 100).records:  # a cell that is not told is not shown as a missing one
        assert record.released is not None
        told = set(record.released) & set(telling.columns)
        assert ", ".join(name for name in telling.columns if name in told) == record.released[telling.label]


def test_a_dropped_column_is_left_out_of_the_comparison(session: Session) -> None:
    session.change(method=tk.Generalization(k=3, partition=tk.partitions.Mondrian()), prepare=(tk.prepare.Drop("sex"),))
    found = session.before_after()
    assert "sex" not in found.columns
    assert found.associations.shape == (len(found.columns), len(found.columns))


def test_averages_are_taken_as_they_are(session: Session) -> None:
    session.change(method=tk.Microaggregation(k=3, partition=tk.partitions.MDAV()))
    found = session.before_after(reconstruct=True)
    assert found.released is not None
    assert found.reconstructed is not None
    assert found.reconstructed.pair_distance == pytest.approx(
        found.released.pair_distance, abs=0.02
    )  # long columns in bins


def test_scores_are_those_of_the_utility_room(session: Session) -> None:
    session.change(method=tk.PkPerturbation(k=2, tells="all"), seed=1)
    found = session.scores("income")
    measured = tk.measure_utility(
        session.table, session.release(), session.state.schema, target="income", reconstruct=False
    ).released
    assert found.released is not None
    assert measured is not None
    assert measured.prediction is not None
    assert found.released.learned_from_original == pytest.approx(measured.prediction.learned_from_original)
    with pytest.raises(InvalidParameter, match="not a column that can be predicted. Did you mean 'income'"):
        session.scores("incme")


def test_records_at_most_risk_come_first_without_identifiers(session: Session) -> None:
    page = session.records(size=20)
    sizes = [record.class_size for record in page.records]
    assert sizes == sorted(sizes)
    assert (page.pages, page.rows, len(page.records)) == (20, 400, 20)
    risks = session.risk_before().records
    for record in page.records:
        assert "person_id" not in record.cells
        assert record.cells["age"] == str(session.table.column("age")[record.row].as_py())
        assert record.risk == risks.prosecutor[record.row]
        assert record.released is None
    assert [record.row for record in session.records(1, "row", 20).records] == list(range(20, 40))
    assert page.records[0].cells["region"] not in repr(page)


def test_a_record_shows_what_it_became(session: Session) -> None:
    session.change(
        method=tk.Generalization(k=3, partition=tk.partitions.Mondrian()), prepare=(tk.prepare.Drop("hours"),), seed=1
    )
    session.release()
    for record in session.records(0, "row", 10).records:
        assert record.released is not None
        assert "hours" not in record.released
        assert record.released["income"] == record.cells["income"], "it is released as it is"
    session.change(method=tk.Sampling(0.5, known=2), prepare=())
    session.release()
    became = [record.released for record in session.records(0, "row", 100).records]
    assert any(each is None for each in became)
    assert any(each is not None for each in became)


@pytest.mark.parametrize(
    ("page", "order", "size"), [(99, "risk", 25), (-1, "risk", 25), (0, "age", 25), (0, "row", 101)]
)
def test_pages_are_bounded(session: Session, page: int, order: str, size: int) -> None:
    with pytest.raises(InvalidParameter):
        session.records(page, order, size)  # type: ignore[arg-type]


def test_everything_is_exported_and_the_promise_counted_again(session: Session, tmp_path: Path) -> None:
    session.change(method=tk.Generalization(k=3, partition=tk.partitions.Mondrian()))
    done = session.export(tmp_path / "out", ["release", "plan", "script", "public_report", "data"])
    assert done.recounted == read_release(tmp_path / "out" / "release").guarantees
    assert done.rows == 400
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "release",
        "plan.toml",
        "release.py",
        "report.html",
        EXAMPLE,
    }
    plan = Plan.read(done.paths["plan"])
    assert tk.run(plan, seed=1).rows == 400
    assert "<html" in done.paths["public_report"].read_text(encoding="utf-8")
    with pytest.raises(OutputError, match="already exists"):
        session.export(tmp_path / "out", ["plan"])
    again = session.export(tmp_path / "out", ["release"], "csv", overwrite=True)
    assert (again.paths["release"] / "data.csv").is_file()


def test_a_promise_that_is_not_kept_is_not_exported(session: Session, tmp_path: Path) -> None:
    session.change(method=tk.Generalization(k=3, partition=tk.partitions.Mondrian()))
    drawn = session._drawn()
    lies = tuple(replace(promise, value=300.0) for promise in drawn.release.guarantees)
    forged = replace(drawn.made, release=replace(drawn.release, guarantees=lies))
    session._releases.put((session.plan(), None), replace(drawn, made=forged))
    with pytest.raises(ReleaseError):
        session.export(tmp_path / "out", ["release", "plan"])
    assert not (tmp_path / "out" / "release").exists()
    assert not (tmp_path / "out" / "plan.toml").exists()


def test_perturbed_rows_are_attacked_and_rows_made_alike_are_not(session: Session) -> None:
    session.change(method=tk.PkPerturbation(k=5, tells="all"), seed=1)
    found = session.attack()
    assert found.attack is not None
    assert found.attack.largest_belief <= 1 / 5 + 1e-9
    assert found.attacked is None
    session.change(method=tk.Generalization(k=5, partition=tk.partitions.Mondrian()))
    assert session.attack().attack is None


def test_kinds_that_cannot_be_are_refused(session: Session, tmp_path: Path) -> None:
    session.change(method=tk.Generalization(k=3, partition=tk.partitions.Mondrian()))
    for kinds in ([], ["everything"]):
        with pytest.raises(InvalidParameter, match="kinds must be some of"):
            session.export(tmp_path, kinds)  # type: ignore[arg-type]
    (tmp_path / "t.csv").write_text("age,sex\n" + "30,F\n40,M\n" * 9, encoding="utf-8")
    with Session.open(tmp_path / "t.csv") as other, pytest.raises(InvalidParameter, match="original stays where it is"):
        other.export(tmp_path / "out", ["data"])


def test_hierarchies_are_tried_and_taken(session: Session) -> None:
    tree = session.learned_hierarchy("occupation", [4, 2])
    column = session.state.schema["occupation"]
    changed = tk.Attribute("occupation", "quasi_identifier", column.domain, tree)
    effects = session.level_effects(changed)
    assert [effect.labels for effect in effects][1:] == [4, 2, 1]
    assert [effect.unique for effect in effects] == sorted((each.unique for each in effects), reverse=True)
    assert session.state.schema["occupation"].hierarchy is None
    session.hierarchy("occupation", tree)
    assert session.state.schema["occupation"].observed
    assert session.told(Words("en"))[-1] == "occupation: another hierarchy"


def test_nothing_says_a_cell(tmp_path: Path) -> None:
    """Labels, notes and problems name columns and count rows; the history does too."""
    names = [f"secret{place}" for place in range(30)]
    table = pa.table({"town": names * 4, "age": list(range(120))})
    pyarrow.csv.write_csv(table, tmp_path / "t.csv")
    with Session.open(tmp_path / "t.csv") as session:
        session.give_role("age", "sensitive")
        session.change(method=tk.RecordSuppression(k=2))
        session.release()
        said = session.told(Words("en")) + list(session.notes()) + [repr(session.release()), repr(session)]
    assert not any("secret" in text for text in said)
