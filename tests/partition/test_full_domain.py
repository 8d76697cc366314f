"""Full-domain recoding against every node counted one by one, in plain Python."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.partition.full_domain import _kernels, frontier
from tokumei.partition.full_domain.frontier import every_best
from tokumei.partition.full_domain.nodes import Nodes
from tokumei.partition.full_domain.optimal import Optimal
from tokumei.partition.partition import Problem
from tokumei.partition.rows import problem_of, rows_allowed
from tokumei.table.axis import axis_of
from tokumei.table.coded import CodedTable, encode

Q = "quasi_identifier"


def random_schema(rng: np.random.Generator) -> tk.Schema:
    attributes = []
    for place in range(int(rng.integers(1, 4))):
        labels = [f"{place}{letter}" for letter in "abcdefg"[: rng.integers(2, 8)]]
        missing = bool(rng.integers(2))
        if rng.integers(3) == 0:
            attributes.append(
                tk.Attribute(f"c{place}", Q, tk.Categories(labels, ordered=bool(rng.integers(2))), missing=missing)
            )
            continue
        rows = [(label, f"{place}g{rng.integers(3)}") for label in labels]
        if rng.integers(2):
            rows = [(*row, "*") for row in rows]
        attributes.append(
            tk.Attribute(f"c{place}", Q, tk.Categories(labels), tk.Hierarchy.groups(*_levels(rows)), missing=missing)
        )
    return tk.Schema((*attributes, tk.Attribute("ill", "sensitive", tk.Categories(["n", "y", "z"]))))


def _levels(rows: list[tuple[str, ...]]) -> list[dict[str, list[str]]]:
    levels: list[dict[str, list[str]]] = []
    for level in range(1, len(rows[0])):
        groups: dict[str, list[str]] = {}
        for row in rows:
            if row[level - 1] not in groups.setdefault(row[level], []):
                groups[row[level]].append(row[level - 1])
        levels.append(groups)
    return levels


def random_table(schema: tk.Schema, rows: int, rng: np.random.Generator) -> CodedTable:
    columns: dict[str, Any] = {}
    for attribute in schema:
        share = rng.dirichlet(np.ones(attribute.states) * 0.6)
        columns[attribute.name] = attribute.domain.values_of(rng.choice(attribute.states, rows, p=share))
    return encode(pa.table(columns), schema)


def every_node(problem: Problem, limit: int) -> dict[tuple[int, ...], tuple[int, float]]:
    """Count suppressed rows and loss of every node, in plain Python."""
    found = {}
    for levels in itertools.product(*(range(axis.levels) for axis in problem.axes)):
        cells = [
            tuple(
                (int(axis.first[level, place]), int(axis.last[level, place]))
                for axis, level, place in zip(problem.axes, levels, row, strict=True)
            )
            for row in problem.rows.tolist()
        ]
        sizes = Counter(cells)
        numbers = {cell: place for place, cell in enumerate(sizes)}
        labels = np.array([numbers[cell] for cell in cells])
        good = [sizes[cell] >= problem.k for cell in numbers]
        for constraint in problem.constraints:
            good = [a and bool(b) for a, b in zip(good, constraint.holds(labels, len(numbers)), strict=True)]
        suppressed, total = 0, 0.0
        for cell, label in zip(cells, labels, strict=True):
            if good[label]:
                total += sum(
                    (high - low) / max(axis.size - 1, 1) for axis, (low, high) in zip(problem.axes, cell, strict=True)
                )
            else:
                suppressed += 1
                total += len(problem.axes)
        if suppressed <= limit:
            found[levels] = (suppressed, total / len(cells) / len(problem.axes))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_the_search_finds_what_counting_every_node_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    schema = random_schema(rng)
    table = random_table(schema, int(rng.integers(4, 40)), rng)
    constraints: list[Any] = [
        [],
        [tk.constraints.LDiversity("ill", 2)],
        [tk.constraints.LDiversity("ill", 1.6, kind="entropy")],
        [tk.constraints.LDiversity("ill", 2, kind="recursive", c=1.5)],
        [tk.constraints.TCloseness("ill", 0.25), tk.constraints.BetaLikeness("ill", 1.0)],
        [tk.constraints.EnhancedBetaLikeness("ill", 1.5)],
        [tk.constraints.AlphaKAnonymity("ill", 0.6)],
    ][seed % 7]
    k, limit = int(rng.integers(2, 5)), int(rng.choice([0, 0.1 * table.rows, 0.4 * table.rows, table.rows]))
    problem = problem_of(
        table, schema.names("quasi_identifier"), k, [constraint.bind(table) for constraint in constraints]
    )
    nodes = every_node(problem, limit)
    if not nodes:
        with pytest.raises(InfeasiblePromise, match="not even the coarsest"):
            Optimal().search(problem, limit)
        return
    found = Optimal().search(problem, limit)
    assert found.loss == pytest.approx(min(loss for _, loss in nodes.values()), abs=1e-9)
    assert nodes[found.levels] == (found.suppressed, pytest.approx(found.loss))
    assert found.checked <= math.prod(Nodes(problem).shape)


@pytest.mark.parametrize("seed", range(25))
def test_the_frontier_finds_what_counting_every_node_finds(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    schema = random_schema(rng)
    table = random_table(schema, int(rng.integers(10, 40)), rng)
    limit = int(rng.choice([0, 3, table.rows]))
    problem = problem_of(table, schema.names("quasi_identifier"), 2)
    ks = sorted(rng.choice(np.arange(2, 11), 4, replace=False).tolist())
    for best in every_best(problem, ks, limit):
        nodes = every_node(Problem(problem.rows, problem.axes, best.k), limit)
        assert best.loss == pytest.approx(min(loss for _, loss in nodes.values()), abs=1e-9)
        assert nodes[tuple(best.levels.values())] == (best.suppressed, pytest.approx(best.loss))


@pytest.mark.parametrize("seed", range(15))
def test_one_pass_counts_the_classes_of_every_node(seed: int) -> None:
    rng = np.random.default_rng(2000 + seed)
    schema = random_schema(rng)
    table = random_table(schema, int(rng.integers(10, 40)), rng)
    limit, ks = int(rng.choice([0, 4])), [2, 3, 5, 9]
    problem = problem_of(table, schema.names("quasi_identifier"), 2)
    found = frontier.every_node(problem, ks, limit)
    for node in itertools.product(*(range(height) for height in found.reach.shape)):
        places = [
            axis.first[level, problem.rows[:, j]]
            for j, (axis, level) in enumerate(zip(problem.axes, node, strict=True))
        ]
        sizes = Counter(zip(*(each.tolist() for each in places), strict=True)).values()
        assert (found.smallest[node], found.classes[node]) == (min(sizes), len(sizes))
        assert found.reach[node] == sum(sum(size for size in sizes if size < k) <= limit for k in ks)
        levels = np.array(node)
        plain = Nodes(Problem(problem.rows, problem.axes, 1))
        assert found.least[node] == pytest.approx(plain.mean_loss(levels, plain.labels(levels)))


@pytest.mark.parametrize("seed", range(20))
def test_fixed_levels_are_one_node_of_the_search(seed: int) -> None:
    rng = np.random.default_rng(3000 + seed)
    schema = random_schema(rng)
    table = random_table(schema, int(rng.integers(10, 40)), rng)
    limit = int(rng.choice([0, 4, table.rows]))
    problem = problem_of(table, schema.names("quasi_identifier"), 2)
    good = every_node(problem, limit)
    for node in itertools.product(*(range(height) for height in Nodes(problem).shape)):
        chosen = tk.partitions.FixedLevels(dict(zip(schema.names("quasi_identifier"), node, strict=True)))
        if node not in good:
            with pytest.raises(InfeasiblePromise, match="would be suppressed"):
                chosen.search(problem, limit)
            continue
        found = chosen.search(problem, limit)
        assert found.levels == node
        assert good[node] == (found.suppressed, pytest.approx(found.loss))


def test_the_release_at_fixed_levels_is_that_of_the_best_levels(
    people: dict[str, list[Any]], schema: tk.Schema
) -> None:
    best = tk.anonymize(pa.table(people), schema, tk.Generalization(k=2, partition=tk.partitions.Optimal()), seed=1)
    levels = next(fact.value for fact in best.disclosed if fact.name == "levels")
    fixed = tk.anonymize(
        pa.table(people), schema, tk.Generalization(k=2, partition=tk.partitions.FixedLevels(dict(levels))), seed=1
    )
    assert fixed.table.equals(best.table)
    assert fixed.guarantees == best.guarantees
    reason = next(fact.reason for fact in fixed.disclosed if fact.name == "levels")
    assert reason.describe()["how"] == "holder"


def test_levels_that_cannot_be_are_refused(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    names = schema.names("quasi_identifier")
    right = dict.fromkeys(names, 1)

    def fails(levels: dict[str, int]) -> str:
        with pytest.raises(InvalidParameter) as error:
            tk.anonymize(pa.table(people), schema, tk.Generalization(k=2, partition=tk.partitions.FixedLevels(levels)))
        return str(error.value)

    assert "which is not a quasi-identifier" in fails({**right, "zzz": 1})
    assert f"needs a level for '{names[0]}' too" in fails(dict.fromkeys(names[1:], 1))
    assert f"the level of '{names[0]}' must be between 0 and" in fails({**right, names[0]: 9})


def test_columns_too_wide_for_one_word() -> None:
    rng = np.random.default_rng(5)
    domain = tk.Numbers(0, 2**20 - 1, step=1)
    tree = tk.Hierarchy.intervals([0, 2**10, 2**19, 2**20 - 1], [0, 2**20 - 1])
    axes = tuple(axis_of(tk.Attribute(f"c{j}", Q, domain, tree)) for j in range(4))
    rows = rng.choice(np.array([3, 2**10 + 1, 2**19 + 5, 2**20 - 1]), (60, 4)).astype(np.int32)
    problem = Problem(rows, axes, 3)
    assert Nodes(problem).packed[0].shape[1] == 2
    nodes = every_node(problem, 6)
    assert Optimal().search(problem, 6).loss == pytest.approx(min(loss for _, loss in nodes.values()))
    assert every_best(problem, [3], 6)[0].loss == pytest.approx(min(loss for _, loss in nodes.values()))


def test_roll_up_against_its_plain_twin() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        table = random_table(random_schema(rng), 50, rng)
        nodes = Nodes(problem_of(table, table.schema.names("quasi_identifier"), 2))
        keys, counts, _ = nodes.packed
        levels = np.array([rng.integers(height) for height in nodes.heights])
        out, sizes, source = np.empty_like(keys), np.empty_like(counts), np.empty_like(counts)
        slots = np.empty(256, dtype=np.int32)
        changed = np.flatnonzero(levels > 0)
        made = _kernels.roll_up(keys, counts, changed, levels, nodes.first, *nodes.packing, slots, out, sizes, source)
        rows = nodes.problem.rows
        cells = np.stack(
            [
                axis.first[level, rows[:, j]]
                for j, (axis, level) in enumerate(zip(nodes.problem.axes, levels, strict=True))
            ],
            axis=1,
        )
        plain = Counter(map(tuple, cells.tolist()))
        words, shifts, masks = nodes.packing
        fast = {
            tuple(int((out[at, w] >> s) & m) for w, s, m in zip(words, shifts, masks, strict=True)): int(sizes[at])
            for at in range(made)
        }
        assert fast == dict(plain)
        assert _kernels.rows_below(sizes, made, 3) == sum(n for n in plain.values() if n < 3)


def test_groups_without_suppression_are_classes_of_k(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    table = encode(pa.table(people), schema)
    labels = Optimal().arrange(table, problem_of(table, ("age", "sex"), 7), 0).labels
    assert np.bincount(labels).min() >= 7


def test_the_public_frontier(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    found = tk.partitions.frontier(pa.table(people), schema, ks=[2, 20, 60], suppression_limit=0.1)
    assert [best.k for best in found] == [2, 20, 60]
    assert found[-1].levels == {"age": 1, "sex": 1}
    assert found[-1].loss == 1
    for ks in ([], [1], [61]):
        with pytest.raises(InvalidParameter, match="ks must be"):
            tk.partitions.frontier(pa.table(people), schema, ks=ks)
    with pytest.raises(InvalidParameter, match="between 0 and 1"):
        tk.partitions.frontier(pa.table(people), schema, ks=[2], suppression_limit=1.5)


def test_too_many_nodes_are_refused_in_one_sentence() -> None:
    tree = tk.Hierarchy.intervals(*([[0, 1, 2, 3]] * 7))
    axes = tuple(axis_of(tk.Attribute(f"c{j}", Q, tk.Numbers(0, 3, step=1), tree)) for j in range(9))
    problem = Problem(np.zeros((3, 9), dtype=np.int32), axes, 2)
    with pytest.raises(InvalidParameter, match="combinations of levels"):
        Optimal().search(problem, 0)


def test_a_share_of_rows_is_read_as_written() -> None:
    assert [rows_allowed(share, 100) for share in (0, 0.29, 0.07, 1)] == [0, 29, 7, 100]
