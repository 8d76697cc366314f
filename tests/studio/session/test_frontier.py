"""The frontier and the lattice against releases made one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import tokumei as tk
from tokumei.engines.local import prepared_table
from tokumei.errors import Cancelled, InvalidParameter
from tokumei.privacy.rungs import RUNGS
from tokumei.studio.session import Session
from tokumei.studio.session import frontier as frontiers
from tokumei.studio.session import frontier_builder as growing
from tokumei.studio.session.frontier import Frontier
from tokumei.utility.compare import linking_k
from tokumei.utility.quick import Quick
from tokumei.utility.tables import ReconstructedTables


@pytest.fixture(scope="module")
def small() -> Iterator[Session]:
    """Few columns with hierarchies, so that every combination of levels is looked at in no time."""
    with Session.example(rows=300) as session:
        for name in ("marital", "occupation", "hours"):
            session.give_role(name, "insensitive")
        yield session


@pytest.fixture(scope="module")
def found(small: Session) -> tuple[Frontier, list[Frontier]]:
    few = pytest.MonkeyPatch()
    few.setattr(growing, "COARSE", (5, 20))
    few.setattr(growing, "FINE", (3,))
    seen: list[Frontier] = []
    made = small.frontier(partial=seen.append)
    few.undo()
    return made, seen


def test_it_grows_coarse_first_and_ends_whole(found: tuple[Frontier, list[Frontier]]) -> None:
    made, seen = found
    sizes = [sum(point.measured for line in each.lines.values() for point in line.points) for each in seen]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert [each.done for each in seen] == [False] * (len(seen) - 1) + [True]
    assert {name for name, line in seen[0].lines.items() if line.at(5)} == {"full_domain"}
    assert all(line.at(5) for line in made.lines.values())
    assert [point.k for point in made.lines["full_domain"].points] == list(range(2, made.largest + 1))
    assert all(point.measured for point in made.lines["full_domain"].points)


def test_every_point_is_what_its_method_gives(small: Session, found: tuple[Frontier, list[Frontier]]) -> None:
    for name, line in found[0].lines.items():
        point = line.at(5)
        assert point is not None
        assert point.k == 5
        release = tk.anonymize(small.table, small.state.schema, point.method, seed=growing.PREVIEW)
        k = linking_k(release)
        assert k is not None
        assert point.risk == pytest.approx(1 / k), name
        assert point.rows == release.rows
        compared = tk.measure_utility(small.table, release, small.state.schema, reconstruct=False)
        assert compared.released is not None
        assert point.pairs == pytest.approx(compared.released.pair_distance), name
        assert point.marginals == pytest.approx(compared.released.marginal_distance), name
        assert point.basis == ("proved" if "pk" in name or name == "swapping" else "counted")
        assert (point.reconstructed is not None) == (name in {"pk_perturbation", "pk_and_sampling"}), name


def test_after_reconstruction_a_point_is_what_one_fit_of_its_release_gives(
    small: Session, found: tuple[Frontier, list[Frontier]]
) -> None:
    quick = Quick(prepared_table(small.table, small.state.schema, ()))
    for name in ("pk_perturbation", "pk_and_sampling"):
        point = found[0].lines[name].at(5)  # the first k of all, whose fit chooses its own size
        assert point is not None
        release = tk.anonymize(small.table, small.state.schema, point.method, seed=growing.PREVIEW)
        tables = ReconstructedTables(release, n_init=1)
        assert point.reconstructed == pytest.approx(quick.reconstructed(tables).utility), name
        assert point.shown("released") == point.utility
        assert point.shown("reconstructed") == point.reconstructed


def test_the_best_at_a_k_or_more_never_rises_with_k(found: tuple[Frontier, list[Frontier]]) -> None:
    for name, line in found[0].lines.items():
        for side in ("released", "reconstructed"):
            best = [line.best(k, side) for k in range(2, max(each.k for each in line.points if each.measured) + 1)]  # type: ignore[arg-type]
            values = [point.shown(side) for point in best if point is not None]  # type: ignore[arg-type]
            assert values == sorted(values, reverse=True), name  # type: ignore[type-var]
            assert all(point is not None and point.k >= k for k, point in enumerate(best, start=2))
            for point in (each for each in line.points if each.measured):
                own = line.best(point.k, side)  # type: ignore[arg-type]
                assert own is not None
                assert own.shown(side) >= point.shown(side)  # type: ignore[operator, arg-type]
    assert found[0].lines["groups"].best(10**6) is None


def test_every_k_of_full_domain_recoding_is_what_the_search_for_it_alone_gives(
    small: Session, found: tuple[Frontier, list[Frontier]]
) -> None:
    for asked in found[0].lines["full_domain"].points[::9]:
        point = small.point("full_domain", asked.k)
        assert point is not None
        release = tk.anonymize(small.table, small.state.schema, point.method, seed=growing.PREVIEW)
        compared = tk.measure_utility(small.table, release, small.state.schema, reconstruct=False)
        assert compared.released is not None
        assert (point.rows, point.risk) == (release.rows, pytest.approx(1 / (linking_k(release) or 0))), point.k
        assert point.pairs == pytest.approx(compared.released.pair_distance), point.k
        assert point.loss == pytest.approx(compared.loss), point.k


def test_a_look_up_takes_a_point_that_keeps_k(found: tuple[Frontier, list[Frontier]]) -> None:
    made, _ = found
    groups = made.lines["groups"]
    assert [point.k for point in groups.points] == [3, 5, 20]
    assert [groups.at(k).k for k in (2, 3, 4, 6, 20, 21)] == [3, 3, 5, 20, 20, 20]  # type: ignore[union-attr]
    assert [point.k for point in made.lines["microaggregation"].points] == [5, 20]
    assert made.lookup(7)["full_domain"].k == 7  # type: ignore[union-attr]


def test_it_is_drawn_by_the_plots(found: tuple[Frontier, list[Frontier]]) -> None:
    frame = found[0].frame()
    assert set(frame.column("basis").to_pylist()) == {"counted", "proved"}
    assert set(frame.column("side").to_pylist()) == {"released", "reconstructed"}
    assert tk.plots.frontier(frame, "pairs") is not None
    assert tk.plots.frontier(frame, "pairs", rung="inference") is not None


def test_any_rung_of_the_ladder_is_an_axis(small: Session, found: tuple[Frontier, list[Frontier]]) -> None:
    made, _ = found
    for rung in (None, *RUNGS):
        for name, points in made.on_axis(rung).items():
            assert {point.k for point, _, _ in points} == {
                point.k for point in made.lines[name].points if point.measured
            }
            numbers = [place.number for _, place, _ in points if place.number is not None]
            assert numbers == sorted(numbers)
            assert all(place.number is None for _, place, _ in points[len(numbers) :])
    point = made.lines["groups"].at(5)
    assert point is not None
    told = tk.ladder(tk.anonymize(small.table, small.state.schema, point.method, seed=growing.PREVIEW))
    assert point.on("inference") == (told["inference"].value, "counted")
    assert point.on("differencing") == (None, "nothing")
    assert point.on() == (point.risk, point.basis)
    assert replace(point, rungs=()).on("inference") == (None, "asked")


def test_a_point_is_applied_and_pinned(small: Session, found: tuple[Frontier, list[Frontier]]) -> None:
    point = found[0].lines["groups"].at(5)
    assert point is not None
    assert small.apply(point).method == point.method
    assert small.pin(point).pinned == (point.method,)
    assert small.pin(point).pinned == (point.method,)
    assert small.unpin(point.method).pinned == ()
    small.go_to(3)


def test_one_point_more_is_measured_when_asked(small: Session, found: tuple[Frontier, list[Frontier]]) -> None:
    point = small.point("pk_perturbation", 9)
    assert point is not None
    assert point.reconstructed is not None
    assert point.reconstructed > point.utility
    assert small.frontier_now().lines["pk_perturbation"].at(9) == point


def test_what_was_made_before_it_was_stopped_is_kept() -> None:
    with Session.example(rows=150) as session:
        seen: list[Frontier] = []
        with pytest.raises(Cancelled):
            session.frontier(partial=seen.append, cancelled=lambda: len(seen) >= 2)
        assert session.frontier_now().lines["full_domain"].at(5) is not None


def test_a_large_table_is_sampled_for_slow_methods_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "SAMPLED", 100)
    with Session.example(rows=300) as session:
        slow, quick = session.point("microaggregation", 5), session.point("groups", 5)
        assert session.frontier_now().sampled == 100
    assert slow is not None
    assert quick is not None
    assert (slow.sampled, slow.rows, quick.sampled, quick.rows) == (100, 100, None, 300)
    with Session.example(rows=100) as session:
        assert session.frontier_now().sampled is None


def test_fewer_rows_of_many_columns_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "CELLS", 900)
    monkeypatch.setattr(growing, "FEWEST", 20)
    with Session.example(rows=150) as session:
        assert session.frontier_now().sampled == 900 // 8  # the identifier is not released
        monkeypatch.setattr(growing, "FEWEST", 120)
        session.give_role("hours", "insensitive")
        assert session.frontier_now().sampled == 120


def test_no_sampled_point_has_less_risk_than_its_release_of_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "SAMPLED", 100)
    with Session.example(rows=300) as session:
        for name in frontiers.slow():
            point = session.point(name, 3)
            assert point is not None
            release = tk.anonymize(session.table, session.state.schema, point.method, seed=growing.PREVIEW)
            assert point.risk >= 1 / (linking_k(release) or 1), name
            assert point.basis == "asked"
            assert point.average is None
            told = tk.ladder(release)
            assert [each.name for each in point.rungs] == list(RUNGS)
            for rung in point.rungs:
                assert (rung.value or np.inf) >= (told[rung.name].value or np.inf), (name, rung.name)
            assert point.on("linking").number == pytest.approx(1 / 3)
            assert point.on("inference") == (None, "nothing")
            assert point.on("differencing") == (None, "nothing")


def test_of_a_method_that_promises_no_linking_nothing_is_shown_from_a_sample() -> None:
    with Session.example(rows=120) as session:
        point = session.point("microaggregation", 3)
        assert point is not None
        release = tk.anonymize(session.table, session.state.schema, point.method, seed=growing.PREVIEW)
        silent = growing.of_any_rows(replace(point, method=tk.Sampling(sample=0.5, known=2)), release)
        assert (silent.risk, silent.basis) == (1.0, "nothing")
        assert {each.how for each in silent.rungs} == {"nothing"}


def test_of_a_large_table_models_are_fitted_shortly_to_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "SAMPLED", 100)
    monkeypatch.setattr(growing, "STEPS", 7)
    with Session.example(rows=300) as session:
        quick = Quick(prepared_table(session.table, session.state.schema, ()))
        point = session.point("pk_perturbation", 5)
        assert point is not None
        release = tk.anonymize(session.table, session.state.schema, point.method, seed=growing.PREVIEW)
        tables = ReconstructedTables(release, n_init=1, n_components=growing.CLASSES, max_iter=7)
        assert point.reconstructed == pytest.approx(quick.reconstructed(tables).utility)
        longer = ReconstructedTables(release, n_init=1, n_components=growing.CLASSES)
        assert point.reconstructed != pytest.approx(quick.reconstructed(longer).utility, abs=1e-6)
        assert (point.sampled, point.risk, point.basis) == (None, 1 / (linking_k(release) or 1), "proved")


def test_of_a_large_table_full_domain_recoding_is_measured_at_a_few_k_until_others_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(growing, "COARSE", (5, 20))
    monkeypatch.setattr(growing, "FINE", (3, 4))
    monkeypatch.setattr(frontiers, "QUICK", ())
    monkeypatch.setattr(growing, "QUICK", ())
    found = {}
    for sampled in (300, 100, 25):
        monkeypatch.setattr(growing, "SAMPLED", sampled)
        with Session.example(rows=300) as session:
            for name in ("marital", "occupation", "hours"):
                session.give_role(name, "insensitive")
            monkeypatch.setattr(growing, "slow", lambda: ())
            points = session.frontier().lines["full_domain"].points
            found[sampled] = {point.k for point in points if point.measured}
            asked = session.point("full_domain", 11)
            assert asked is not None
            assert asked.measured
    assert found[300] == set(range(2, 151))
    assert {3, 4, 5, 20} <= found[100] < found[300]
    assert {3, 5, 20} <= found[25] < found[300]


def test_what_cannot_be_is_a_note_and_not_the_end() -> None:
    with Session.example(rows=120) as session:
        session.change(prepare=(tk.prepare.Recode("age", 2),))
        assert session.point("microaggregation", 121) is None
        assert "121" in str(session.frontier_now().lines["microaggregation"].note)
        assert session.point("microaggregation", 20) is not None
        for name in session.state.schema.names("quasi_identifier"):
            session.give_role(name, "insensitive")
        with pytest.raises(InvalidParameter, match="no quasi-identifier yet"):
            session.frontier_now()


def test_too_many_combinations_are_said_in_the_lines_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "LARGEST_LATTICE", 10)
    with Session.example(rows=120) as session:
        assert session.point("full_domain", 5) is None
        assert "combinations of levels" in str(session.frontier_now().lines["full_domain"].note)
        with pytest.raises(InvalidParameter, match="combinations of levels"):
            session.lattice()


def test_the_lattice_says_what_is_safe(small: Session) -> None:
    view = small.lattice()
    assert view.size == np.prod(view.heights)
    best = view.best(5)
    ranked = view.ranked(5, most=20)
    assert all(tile.safe(5) for tile in ranked)
    assert [tile.loss for tile in ranked] == sorted(tile.loss for tile in ranked)
    around = view.neighbours(best.levels)
    assert all(sum(abs(a - b) for a, b in zip(tile.levels, best.levels, strict=True)) == 1 for tile in around)
    cut = view.slice("region", "age", best.levels)
    assert cut.loss.shape == (view.heights[view.columns.index("region")], view.heights[view.columns.index("age")])
    node = view.named(best.levels)
    assert cut.loss[node["region"], node["age"]] == best.loss
    assert cut.reach[node["region"], node["age"]] == best.reach
    values = view.tile(dict.fromkeys(view.columns, 0))
    assert values.smallest == small.risk_before().k
    with pytest.raises(InvalidParameter, match="do not keep k = 5"):
        small.apply_levels(dict.fromkeys(view.columns, 0), 5)
    state = small.apply_levels(node, 5)
    release = small.release()
    assert linking_k(release) == pytest.approx(max(5, linking_k(release) or 0))
    assert next(fact.value for fact in release.disclosed if fact.name == "levels") == node
    assert state.method == frontiers.at_levels(5, node)
    small.undo()


def test_levels_that_cannot_be_are_refused(small: Session) -> None:
    view = small.lattice()
    for wrong in ({"age": 0}, (0,), (99,) * len(view.columns)):
        with pytest.raises(InvalidParameter, match="levels must"):
            view.tile(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="two different columns"):
        view.slice("age", "age", (0,) * len(view.columns))
    with pytest.raises(InvalidParameter, match="not a quasi-identifier. Did you mean 'region'"):
        view.slice("age", "regionn", (0,) * len(view.columns))
    with pytest.raises(InvalidParameter, match="from 2 to"):
        view.best(1)
