"""Top-down: the parting criterion, and the mending against a plain one that looks at everything."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.partition.problems import adultish, problems, range_axis
from tests.partition.test_kernels import cost_of, total_of
from tokumei.partition import Mondrian, TopDown
from tokumei.partition._top_down_kernels import farthest, mend, part, part_down
from tokumei.partition.lines import lines_of
from tokumei.partition.partition import Problem, loss
from tokumei.randomness import generator

quick = settings(max_examples=40)


@given(problem=problems())
@quick
def test_the_farthest_row_makes_the_dearest_pair(problem: Problem) -> None:
    rows, order = problem.rows, np.arange(len(problem.rows))
    found, cost = farthest(lines_of(problem.axes), rows, order, 0, len(rows), 0)
    costs = [cost_of(problem, rows[[0, i]]) for i in order]
    assert np.isclose(cost, max(costs)) and np.isclose(costs[found], max(costs))


@given(problem=problems())
@quick
def test_every_row_goes_where_the_total_rises_less(problem: Problem) -> None:
    rows, order = problem.rows, np.arange(len(problem.rows))
    if len(rows) < 2:
        return
    scratch = np.empty(len(rows), np.int64)
    middle = part(lines_of(problem.axes), rows, order, 0, len(rows), 0, 1, scratch, generator(0))
    chosen = {i: int(place >= middle) for place, i in enumerate(order.tolist())}
    assert sorted(chosen) == list(range(len(rows))) and chosen[0] == 0 and chosen[1] == 1
    sides: list[list[int]] = [[0], [1]]
    for i in range(2, len(rows)):
        rises = [(len(s) + 1) * cost_of(problem, rows[[*s, i]]) - len(s) * cost_of(problem, rows[s]) for s in sides]
        if not np.isclose(rises[0], rises[1]):
            assert chosen[i] == int(rises[1] < rises[0])
        sides[chosen[i]].append(i)


def rises(problem: Problem, labels: np.ndarray, needy: int) -> dict[tuple[str, int], float]:
    """What each way of mending a group would cost, by trying everything."""
    rows, k = problem.rows, problem.k
    own, before, found = np.flatnonzero(labels == needy), total_of(problem, labels), {}
    need = k - len(own)
    for other in np.unique(labels[labels != needy]).tolist():
        found["merge", other] = total_of(problem, np.where(labels == needy, other, labels)) - before
        lent = np.flatnonzero(labels == other)[::-1]  # the order in which rows are linked
        if len(lent) >= k + need:
            wider = np.round([cost_of(problem, rows[[*own, i]]) for i in lent], 9)
            chosen = lent[np.argsort(wider, kind="stable")[:need]]
            # A loan is counted with the lender's box as it was.
            rise = k * cost_of(problem, rows[[*own, *chosen]]) - len(own) * cost_of(problem, rows[own])
            found["loan", other] = rise - need * cost_of(problem, rows[lent])
    return found


@given(problem=problems(most_rows=24), seed=st.integers(0, 99))
@settings(max_examples=80)
def test_mending_takes_the_cheapest_way(problem: Problem, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = len(problem.rows), problem.k
    groups = max(1, n // (2 * k))
    labels = (np.arange(n) % groups).astype(np.int32)
    rng.shuffle(labels)
    if k > 1 and groups > 1:  # one group falls short, all others have k
        labels[np.flatnonzero(labels == 0)[k - 1 :]] = 1
    options = rises(problem, labels, 0) if k > 1 and groups > 1 else {}
    after = labels.copy()
    mend(lines_of(problem.axes), problem.rows, k, after, groups)
    assert np.bincount(after)[np.unique(after)].min() >= k
    if not options:
        assert (after == labels).all()
    elif (after == 0).any():
        (lender,) = np.unique(labels[after != labels])
        assert np.isclose(options["loan", int(lender)], min(options.values()))
    else:
        (partner,) = np.unique(after[labels == 0])
        assert np.isclose(options["merge", int(partner)], min(options.values()))


def test_mending_by_hand() -> None:
    axis = range_axis(21)
    rows = np.array([0, 1, 2, 3, 10, 11, 20], dtype=np.int32)[:, None]
    labels = np.array([0, 0, 0, 1, 2, 2, 3], dtype=np.int32)
    mend(lines_of((axis,)), rows, 2, labels, 4)
    assert labels.tolist() == [
        0,
        0,
        1,
        1,
        2,
        2,
        2,
    ]  # the fourth row borrows the third; nobody can spare one for the last


def test_parting_stops_where_all_are_alike() -> None:
    rows = np.array([3] * 9 + [7] * 9, dtype=np.int32)[:, None]
    labels = np.empty(18, np.int32)
    assert part_down(lines_of((range_axis(9),)), rows, 3, generator(0).permutation(18), 6, labels, generator(0)) == 2
    assert len(set(labels[:9])) == len(set(labels[9:])) == 1


def test_it_loses_less_than_cutting_and_repeats_itself() -> None:
    problem = adultish(3000)
    labels = TopDown().group(problem)
    assert loss(problem, labels) < loss(problem, Mondrian().group(problem))
    assert np.array_equal(labels, TopDown().group(problem))
    assert not np.array_equal(labels, TopDown(random_state=1).group(problem))
