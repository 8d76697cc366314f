"""What every partition must do, whatever its method."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pydantic
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.partition.problems import Distinct, NearShare, adultish, all_partitions, problems, range_axis
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.partition import (
    DBSCAN,
    PARTITIONS,
    SCHEMES,
    AnyPartition,
    Automatic,
    FixedLevels,
    Lattice,
    Mondrian,
    NearestGroups,
    NoiseAware,
    Optimal,
    Published,
    TopDown,
    lattice_bound,
)
from tokumei.partition.partition import Partition, Problem, boxes, loss

EVERY = [
    Mondrian(),
    Mondrian(strict=False),
    Mondrian(choose="gain"),
    Mondrian(strict=False, choose="gain"),
    TopDown(),
    Lattice(effort="fast"),
    Lattice(),
    Lattice(effort="thorough"),
    NearestGroups(),
    NoiseAware(grid=8),
    DBSCAN(),
    DBSCAN(then=NoiseAware(search="greedy"), outliers="group"),
    Automatic(),
]
every = pytest.mark.parametrize("partition", EVERY, ids=repr)
patient = settings(max_examples=40, suppress_health_check=list(HealthCheck))


def check(problem: Problem, labels: np.ndarray) -> None:
    assert labels.dtype == np.int32 and labels.shape == (len(problem.rows),)
    sizes = np.bincount(labels)  # refuses negative labels: nobody is left out
    assert sizes.min() >= problem.k
    low, high = boxes(problem, labels)
    assert (low[labels] <= problem.rows).all() and (problem.rows <= high[labels]).all()
    for constraint in problem.constraints:
        assert constraint.holds(labels, len(sizes)).all()


@every
@given(problem=problems())
@patient
def test_groups_are_large_enough_and_hold_every_row_once(partition: Partition, problem: Problem) -> None:
    check(problem, partition.group(problem))


@every
@given(problem=problems(most_rows=30), seed=st.integers(0, 99), least=st.integers(2, 3))
@patient
def test_constraints_hold_in_every_group(partition: Partition, problem: Problem, seed: int, least: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, len(problem.rows))
    ones = rng.integers(0, 2, len(problem.rows))
    constraints = (Distinct(values, least), NearShare(ones, 0.25))
    problem = replace(problem, constraints=constraints)
    if len(np.unique(values)) < least:
        with pytest.raises(InfeasiblePromise, match="whole table"):
            partition.group(problem)
    else:
        check(problem, partition.group(problem))


@every
def test_constraints_hold_on_a_larger_table(partition: Partition) -> None:
    problem = adultish(500 if getattr(partition, "effort", "") == "thorough" else 2000)
    rng = np.random.default_rng(1)
    values = rng.integers(0, 5, len(problem.rows)) * (problem.rows[:, 0] > 3)
    problem = replace(problem, constraints=(Distinct(values, 2), NearShare((values > 0).astype(float), 0.3)))
    labels = partition.group(problem)
    check(problem, labels)
    assert labels.max() > 10


@every
def test_many_groups_not_one(partition: Partition) -> None:
    problem = adultish(300 if getattr(partition, "effort", "") == "thorough" else 1500)
    labels = partition.group(problem)
    check(problem, labels)
    least_noise = isinstance(partition, NoiseAware) or isinstance(getattr(partition, "then", None), NoiseAware)
    assert loss(problem, labels) < (0.45 if least_noise else 0.35)  # noise is not loss
    assert np.array_equal(labels, partition.group(problem))


@every
def test_a_table_without_enough_rows_is_refused(partition: Partition) -> None:
    problem = adultish(4, k=5)
    with pytest.raises(InfeasiblePromise, match="the table has 4 rows, too few for one group of 5"):
        partition.group(problem)
    with pytest.raises(InfeasiblePromise, match="0 rows"):
        partition.group(replace(problem, rows=problem.rows[:0], k=1))
    with pytest.raises(InvalidParameter, match="at least one column"):
        partition.group(Problem(np.zeros((3, 0), dtype=np.int32), (), 2))
    with pytest.raises(InvalidParameter, match="k must be"):
        partition.group(replace(problem, k=0))


@every
def test_equal_rows_cost_nothing_and_a_group_of_one_is_a_row(partition: Partition) -> None:
    problem = Problem(np.repeat(np.arange(4, dtype=np.int32), 6)[:, None], (range_axis(4),), 3)
    assert loss(problem, partition.group(problem)) == 0 or partition == Mondrian(strict=False)
    rows = np.arange(7, dtype=np.int32)[:, None]
    assert loss(Problem(rows, (range_axis(7),), 1), partition.group(Problem(rows, (range_axis(7),), 1))) == 0


@given(problem=problems(most_rows=7, most_k=3))
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_nobody_beats_all_partitions(problem: Problem) -> None:
    best = min(loss(problem, labels) for labels in all_partitions(len(problem.rows), problem.k))
    for partition in EVERY:
        assert loss(problem, partition.group(problem)) >= best - 1e-12


@given(problem=problems(most_rows=7, most_k=3, trees_only=True))
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_the_bound_is_never_above_the_best_partition(problem: Problem) -> None:
    best = min(loss(problem, labels) for labels in all_partitions(len(problem.rows), problem.k))
    assert lattice_bound(problem, max_iter=60) <= best + 1e-12


def test_they_are_told_apart_by_their_kind() -> None:
    adapter = pydantic.TypeAdapter(AnyPartition)
    for partition in EVERY:
        assert adapter.validate_python(adapter.dump_python(partition)) == partition
    assert {type(partition) for partition in EVERY} == set(PARTITIONS)
    assert set(SCHEMES) == {Optimal, FixedLevels, Published}  # these give labels, and have tests of their own
    assert adapter.validate_python("mondrian") == Mondrian()
    with pytest.raises(pydantic.ValidationError):
        adapter.validate_python({"kind": "unheard_of"})
