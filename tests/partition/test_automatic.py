"""What is chosen for which table, and that it is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tokumei as tk
from tests.partition.problems import adultish, tree_axis
from tokumei.partition import Automatic, Lattice, Mondrian, NearestGroups
from tokumei.partition.partition import Problem


def test_the_size_of_the_table_decides() -> None:
    problem = adultish(300)
    assert Automatic().chosen(problem) == Lattice()
    assert np.array_equal(Automatic().group(problem), Lattice().group(problem))
    axis = tree_axis([set(range(0, 64, 4)), set(range(0, 64, 16))], 64)
    wide = Problem(np.zeros((500, 15), dtype=np.int32), (axis,) * 15, 5)
    assert Automatic().chosen(wide) == NearestGroups()
    assert Automatic().chosen(replace(wide, rows=np.zeros((1_000_001, 15), dtype=np.int8))) == Mondrian(False, "gain")
    assert Automatic().chosen(replace(problem, rows=np.zeros((200_000, 6), dtype=np.int8))) == Lattice("fast")
    assert Automatic().chosen(replace(wide, k=1_000_000)) == Mondrian(False, "gain")


def test_the_values_of_the_rows_do_not() -> None:
    problem = adultish(300)
    assert Automatic().chosen(replace(problem, rows=0 * problem.rows)) == Automatic().chosen(problem)


def test_with_constraints_the_better_of_two_is_taken_and_said() -> None:
    people = tk.example_census(rows=1500)[["age", "sex", "region", "income"]]
    schema = tk.Schema([tk.example_schema()[name] for name in people])
    closest = (tk.constraints.TCloseness("income", t=0.2),)

    def lost(partition: tk.partitions.Automatic | Mondrian | Lattice) -> tuple[float, tk.Release]:
        release = tk.anonymize(people, schema, tk.Generalization(k=5, partition=partition, constraints=closest))
        return tk.measure_utility(people, release, schema).loss, release

    loss, release = lost(tk.partitions.Automatic())
    others = [lost(each)[0] for each in (Lattice(), Mondrian(strict=False, choose="gain"))]
    assert min(others) < max(others)
    assert loss == pytest.approx(min(others))
    told = {fact.name: fact for fact in release.disclosed}["partition"]
    assert "tried on the rows" in str(told.reason)
