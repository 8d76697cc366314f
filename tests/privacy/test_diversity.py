"""Sensitive values in classes, counted by hand and by another road."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.optimize

import tokumei as tk
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter
from tokumei.privacy import class_constraint, diversity
from tokumei.table.coded import CodedTable, encode

TREE = tk.Hierarchy.groups({"lung": ["flu", "cold"], "gut": ["ulcer", "colitis"]}, {"any": ["lung", "gut"]})
ILLS = tk.Categories(["flu", "cold", "ulcer", "colitis"], ordered=True)


def table_of(ill: list[Any], missing: bool = False) -> CodedTable:
    schema = tk.Schema([tk.Attribute("ill", "sensitive", ILLS, TREE, missing=missing)])
    return encode(pa.table({"ill": pa.array(ill, pa.string())}), schema)


def earth_mover(p: Any, q: Any, distance: Any) -> float:
    """The cheapest way to move p to q, by linear programming."""
    m = len(p)
    equal = np.zeros((2 * m, m * m))
    for i, j in itertools.product(range(m), repeat=2):
        equal[i, i * m + j] = equal[m + j, i * m + j] = 1
    return float(scipy.optimize.linprog(np.ravel(distance), A_eq=equal, b_eq=np.concatenate([p, q])).fun)


def test_eight_rows_by_hand() -> None:
    counts = np.array([[2, 2, 0], [3, 1, 0]])
    share = np.array([5 / 8, 3 / 8, 0.0])[:2]
    assert diversity.distinct(counts).tolist() == [2, 2]
    assert diversity.effective(counts)[0] == pytest.approx(2)
    assert diversity.recursive(counts, 2.0).tolist() == [2, 1]  # 3 < 2 (3 + 1) but not 3 < 2 * 1
    assert diversity.variation(counts[:, :2], share).tolist() == [1 / 8, 1 / 8]
    assert diversity.likeness(counts[:, :2], share) == pytest.approx([(1 / 2) / (3 / 8) - 1, (3 / 4) / (5 / 8) - 1])
    assert diversity.disclosure(counts[:, :2], share)[1] == pytest.approx(math.log((3 / 8) / (1 / 4)))


def test_distances_against_linear_programming() -> None:
    rng = np.random.default_rng(0)
    ranks = np.abs(np.subtract.outer(np.arange(4), np.arange(4))) / 3
    groups = np.array([0, 0, 1, 1])
    tree = np.where(np.equal.outer(np.arange(4), np.arange(4)), 0, np.where(np.equal.outer(groups, groups), 0.5, 1.0))
    for _ in range(30):
        counts = rng.integers(0, 6, (1, 4)) + np.array([1, 0, 0, 0])
        share = rng.dirichlet(np.ones(4))
        p = counts[0] / counts.sum()
        assert diversity.ordered_distance(counts, share)[0] == pytest.approx(earth_mover(p, share, ranks), abs=1e-9)
        levels = np.array([groups, np.zeros(4, int)])
        assert diversity.tree_distance(counts, share, levels)[0] == pytest.approx(earth_mover(p, share, tree), abs=1e-9)
        assert diversity.variation(counts, share)[0] == pytest.approx(earth_mover(p, share, 1 - np.eye(4)), abs=1e-9)


def test_hierarchical_closeness_uses_the_columns_tree() -> None:
    table = table_of(["flu", "cold", "ulcer", "colitis"])
    bound = tk.constraints.TCloseness("ill", 0.5, distance="hierarchical").bind(table)
    labels = np.array([0, 0, 1, 1])
    assert bound.numbers(labels, 2).tolist() == [0.5, 0.5]  # half must go to the other branch
    crossed = bound.numbers(np.array([0, 1, 0, 1]), 2)
    assert crossed.tolist() == [0.25, 0.25]  # half must go to the neighbour
    with_missing = tk.constraints.TCloseness("ill", 0.5, distance="hierarchical").bind(
        table_of(["flu", "cold", None], missing=True)
    )
    assert with_missing.numbers(np.array([0, 0, 1]), 2) == pytest.approx([1 / 3, 2 / 3])


def test_rare_values_that_do_not_occur_are_not_counted() -> None:
    table = table_of(["flu", "colitis", "flu", "colitis"])
    ordered = tk.constraints.TCloseness("ill", 1, distance="ordered").bind(table)
    assert ordered.numbers(np.array([0, 1, 0, 1]), 2).tolist() == [0.5, 0.5]  # two values that occur, one rank apart


def test_rows_in_no_group_are_not_counted_and_many_groups_are_counted_in_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    ill = rng.choice(ILLS.values, 300).tolist()
    labels = rng.integers(-1, 40, 300)
    bound = tk.constraints.LDiversity("ill", 2).bind(table_of(ill))
    whole = bound.numbers(labels, 40)
    plain = [len({value for value, label in zip(ill, labels, strict=True) if label == group}) for group in range(40)]
    assert whole.tolist() == plain
    monkeypatch.setattr(class_constraint, "CELLS", 12)
    assert bound.numbers(labels, 40).tolist() == plain


CONSTRAINTS = [
    tk.constraints.LDiversity("ill", 2),
    tk.constraints.LDiversity("ill", 1.7, kind="entropy"),
    tk.constraints.LDiversity("ill", 2, kind="recursive", c=1.3),
    tk.constraints.LDiversity("ill", 3, kind="recursive", c=4),
    tk.constraints.TCloseness("ill", 0.3),
    tk.constraints.TCloseness("ill", 0.25, distance="ordered"),
    tk.constraints.TCloseness("ill", 0.25, distance="hierarchical"),
    tk.constraints.DeltaDisclosure("ill", 1.0),
    tk.constraints.BetaLikeness("ill", 0.8),
    tk.constraints.EnhancedBetaLikeness("ill", 0.8),
    tk.constraints.EnhancedBetaLikeness("ill", 9),
    tk.constraints.AlphaKAnonymity("ill", 0.5),
    tk.constraints.AlphaKAnonymity("ill", 0.3, ["ulcer", "flu"]),
]


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=str)
def test_what_a_constraint_says_of_joining_is_true(constraint: Any) -> None:
    """The search relies on it: two groups that hold do so as one, and 'always' ones with any other group."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(1500):
        ill = rng.choice(ILLS.values, 24, p=rng.dirichlet(np.ones(4) * 2)).tolist()
        labels = rng.integers(0, 2, 24)
        bound = constraint.bind(table_of(ill))
        if labels.min() == labels.max():
            continue
        first, second = bound.holds(labels, 2)
        together = bound.holds(np.zeros(24, int), 1)[0]
        if (first and second) or (constraint.lasting == "always" and (first or second)):
            held += 1
            assert together
    assert held > 20


def test_the_values_check_themselves() -> None:
    for make, message in (
        (lambda: tk.constraints.LDiversity("s", 0.5), "l must be at least 1"),
        (lambda: tk.constraints.LDiversity("s", 2, kind="recursive"), "c must be given"),
        (lambda: tk.constraints.LDiversity("s", 2, c=3), "c must be given"),
        (lambda: tk.constraints.LDiversity("s", 2, kind="recursive", c=-1.0), "c must be above 0"),
        (lambda: tk.constraints.LDiversity("s", math.inf), "l must be at least 1"),
        (lambda: tk.constraints.TCloseness("s", 1.1), "t must lie between 0 and 1"),
        (lambda: tk.constraints.TCloseness("s", 0.1, distance="far"), "'equal', 'ordered' or 'hierarchical'"),
        (lambda: tk.constraints.DeltaDisclosure("s", 0), "delta must be above 0"),
        (lambda: tk.constraints.BetaLikeness("s", math.nan), "beta must be above 0"),
        (lambda: tk.constraints.EnhancedBetaLikeness("s", 0), "beta must be above 0"),
        (lambda: tk.constraints.AlphaKAnonymity("s", 0), "alpha must be above 0 and at most 1"),
        (lambda: tk.constraints.AlphaKAnonymity("s", 1.5), "alpha must be above 0 and at most 1"),
        (lambda: tk.constraints.AlphaKAnonymity("s", 0.5, []), "values must name at least one"),
        (lambda: tk.constraints.AlphaKAnonymity("s", 0.5, ["a", "a"]), "and each once"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            make()
    plain = encode(pa.table({"s": ["a", "b"]}), tk.Schema([tk.Attribute("s", "sensitive", tk.Categories(["a", "b"]))]))
    with pytest.raises(InvalidParameter, match="needs a hierarchy"):
        tk.constraints.TCloseness("s", 0.1, distance="hierarchical").bind(plain)
    bare = encode(pa.table({"s": ["a", "b"]}), tk.Schema([tk.Attribute("s", "sensitive")]))
    with pytest.raises(DataError, match="no declared domain"):
        tk.constraints.LDiversity("s", 2).bind(bare)


# The six patients of Wong, Li, Fu and Wang (2006), table 1.
PATIENTS = pa.table(
    {
        "job": ["Clerk", "Manager", "Clerk", "Factory worker", "Factory worker", "Technical supporter"],
        "birth": [1975, 1955, 1955, 1955, 1975, 1940],
        "postcode": ["4350", "4350", "5432", "5432", "4350", "4350"],
        "illness": ["HIV", "flu", "flu", "fever", "flu", "fever"],
    }
)


def test_the_published_example_of_alpha_k_anonymity() -> None:
    """With the postcode alone, HIV has a quarter of one class: (0.5, 2)-anonymous, as every other illness is; not (0.2, 2)-anonymous."""
    jobs = ["Clerk", "Manager", "Factory worker", "Technical supporter"]
    schema = tk.Schema(
        [
            tk.Attribute("job", "quasi_identifier", tk.Categories(jobs)),
            tk.Attribute("birth", "quasi_identifier", tk.Numbers(1940, 1975, step=1)),
            tk.Attribute("postcode", "quasi_identifier", tk.Categories(["4350", "5432"])),
            tk.Attribute("illness", "sensitive", tk.Categories(["HIV", "flu", "fever"])),
        ]
    )
    levels = tk.partitions.FixedLevels({"job": 1, "birth": 1, "postcode": 0})

    def make(*constraints: Any, partition: Any = levels) -> Any:
        return tk.anonymize(PATIENTS, schema, tk.Generalization(2, partition, constraints=constraints), seed=1)

    k, every, one = make(
        tk.constraints.AlphaKAnonymity("illness", 0.5), tk.constraints.AlphaKAnonymity("illness", 0.5, ["HIV"])
    ).guarantees
    assert (k.value, every.value, one.value) == (2, 0.5, 0.25)
    assert "no value of 'illness' with a share over 0.5" in every.headline
    assert "none of the values 'HIV' of 'illness' with a share over 0.25" in one.headline
    with pytest.raises(InfeasiblePromise):
        make(tk.constraints.AlphaKAnonymity("illness", 0.2, ["HIV"]))
    assert make(tk.constraints.AlphaKAnonymity("illness", 0.2, ["HIV"]), partition=tk.partitions.Optimal()).guarantees[1].value == 1 / 6  # fmt: skip
    with pytest.raises(InvalidParameter, match="which is not a value of 'illness'. Did you mean 'HIV'"):
        make(tk.constraints.AlphaKAnonymity("illness", 0.5, ["HVI"]))


def test_enhanced_likeness_by_its_definition() -> None:
    """(p - q) / q <= min(β, -ln q) where p > q: Cao and Karras (2012), definition 3."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        ill = rng.choice(ILLS.values, 30, p=rng.dirichlet(np.ones(4))).tolist()
        labels = rng.integers(0, 3, 30)
        beta = float(rng.choice([0.3, 1.0, 3.0]))
        found = tk.constraints.EnhancedBetaLikeness("ill", beta).bind(table_of(ill)).holds(labels, 3)
        for group in range(3):
            mine = [value for value, label in zip(ill, labels, strict=True) if label == group]
            if mine:
                shares = [(mine.count(v) / len(mine), ill.count(v) / 30) for v in set(ill)]
                plain = all(p <= q or (p - q) / q <= min(beta, -math.log(q)) + 1e-12 for p, q in shares)
                assert bool(found[group]) == plain
                held += plain
    assert 100 < held < 1000
    # What β alone allows: half of the table has the flu, and all of a class.
    one = table_of(["flu", "flu", "cold", "cold"])
    alone = np.array([0, 0, 1, 1])
    assert tk.constraints.BetaLikeness("ill", 1).bind(one).holds(alone, 2).all()
    assert not tk.constraints.EnhancedBetaLikeness("ill", 1).bind(one).holds(alone, 2).any()


def test_promises_are_written_on_the_safe_side() -> None:
    words = [constraint.guarantee(0.123456, ["age"], people=False).headline for constraint in CONSTRAINTS]
    assert "l = 0.1234)" in words[0]
    assert all("0.1235)" in each for each in words[4:])
    assert all(each.guarantee(1, ["age"], people=False).notion == each.notion.name for each in CONSTRAINTS)


def test_cells_that_differ_where_their_codes_do_not_are_refused() -> None:
    for step, fits in ((500, True), (1000, False)):
        domain = tk.Numbers(0, 2000, step=step)
        table = encode(pa.table({"pay": [0, 500, 1000, 2000]}), tk.Schema([tk.Attribute("pay", "sensitive", domain)]))
        for constraint in (
            tk.constraints.LDiversity("pay", 2),
            tk.constraints.TCloseness("pay", 0.5),
            tk.constraints.BetaLikeness("pay", 1),
        ):
            if fits:
                assert constraint.bind(table).values == 4
            else:
                with pytest.raises(InvalidParameter, match=r"declare a step that fits, or recode it"):
                    constraint.bind(table)


def test_levels_above_the_first_that_joins_everything_do_not_count() -> None:
    tall = tk.Hierarchy.groups(
        {"lung": ["flu", "cold"], "gut": ["ulcer", "colitis"]},
        {"any": ["lung", "gut"]},
        {"all": ["any"]},
        {"whole": ["all"]},
    )
    cells = pa.table({"ill": pa.array([*ILLS.values, None], pa.string())})
    labels = np.array([0, 0, 1, 1, 1])
    found = []
    for tree in (TREE, tall):
        table = encode(cells, tk.Schema([tk.Attribute("ill", "sensitive", ILLS, tree, missing=True)]))
        found.append(
            tk.constraints.TCloseness("ill", 0.5, distance="hierarchical").bind(table).numbers(labels, 2).tolist()
        )
    assert found[0] == found[1]
    table = encode(cells.slice(0, 4), tk.Schema([tk.Attribute("ill", "sensitive", ILLS, tall)]))
    bound = tk.constraints.TCloseness("ill", 0.5, distance="hierarchical").bind(table)
    assert bound.numbers(labels[:4], 2).tolist() == [0.5, 0.5]


def test_recursive_diversity_takes_c_as_the_decimal_it_is_written_as() -> None:
    assert 55 < 1.1 * 50  # in doubles
    assert diversity.recursive(np.array([[55, 50], [54, 50], [56, 50]]), 1.1).tolist() == [1, 2, 1]
    assert diversity.recursive(np.array([[11 * 10**13, 10**14]]), 1.1).tolist() == [1]
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 40, (400, 3))
    for c in (0.7, 1.1, 1.4, 2.3):
        top, bottom = round(c * 10), 10
        plain = []
        for row in counts.tolist():
            falling = sorted(row, reverse=True)
            plain.append(sum(falling[0] * bottom < top * sum(falling[at:]) for at in range(3)))
        assert diversity.recursive(counts, c).tolist() == plain


def test_the_ordered_distance_needs_an_order() -> None:
    schema = tk.Schema([tk.Attribute("s", "sensitive", tk.Categories(["a", "b", "c"]))])
    table = encode(pa.table({"s": ["a", "b", "c"]}), schema)
    with pytest.raises(InvalidParameter, match="declared as ordered"):
        tk.constraints.TCloseness("s", 0.5, distance="ordered").bind(table)
