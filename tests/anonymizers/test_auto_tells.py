"""What rows tell is picked from public numbers by the error to expect, which the formula states and draws confirm."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.anonymizers.auto_tells import pick
from tokumei.anonymizers.telling_search import options_of
from tokumei.errors import InvalidParameter
from tokumei.mechanism.expected_errors import Part, expected_errors
from tokumei.words import Words

SIZES = (12, 9, 10, 7, 12, 6, 2, 6, 5, 9)
COLUMNS = [tk.Attribute(f"c{place}", domain=tk.Categories(list(range(size)))) for place, size in enumerate(SIZES)]
INCOME = tk.Attribute("income", "sensitive", tk.Categories(["low", "high"]))
AGE = tk.Attribute("age", domain=tk.Numbers(0, 99, step=1))


def swap(rows: int, k: float) -> float:
    return (k - 1) / (rows - 1)


def subset(columns: int, together: int, cells: Any, weight: float = 1.0) -> Part:
    clusters = np.array(list(itertools.combinations(range(columns), together)))
    return Part(clusters, np.full(len(clusters), weight / len(clusters)), np.asarray(cells, dtype=float))


def told(tells: Any, rows: int, k: float, attributes: Any = COLUMNS, kept: Any = ()) -> Any:
    return pick(tells, attributes, kept, rows, swap(rows, k))


# The formula


def test_one_column_that_all_rows_tell_has_the_error_of_its_formula() -> None:
    t = math.exp(2) - 1
    rho = t / (t + 5)
    right = 0.8 * 0.5 * math.sqrt(2 / math.pi) * math.sqrt(4 / (1000 * rho**2))
    found = expected_errors([subset(1, 1, [5])], 1000, math.exp(-4)).mean_one
    assert found == pytest.approx(1 / math.hypot(1 / right, 1 / 0.6))
    assert expected_errors([subset(1, 1, [1])], 1000, math.exp(-4)).mean_one < 1e-9  # one value is known
    assert expected_errors([subset(1, 1, [5])], 1000, math.exp(-4)).mean_two is None


def test_inverted_draws_are_off_as_the_formula_says_before_it_counts_smoothing() -> None:
    rng, rows, cells, t = np.random.default_rng(3), 2000, 8, math.exp(3) - 1
    rho = t / (t + cells)
    true = np.full(cells, 1 / cells)
    seen = rng.multinomial(rows, rho * true + (1 - rho) / cells, size=4000) / rows
    raw = np.abs((seen - (1 - rho) / cells) / rho - true).sum(axis=1).mean() / 2
    stated = expected_errors([subset(1, 1, [cells])], rows, math.exp(-6)).mean_one
    unsmoothed = 1 / math.sqrt(1 / stated**2 - 1 / 0.6**2) / 0.8
    assert unsmoothed == pytest.approx(raw, rel=0.02)


def test_columns_never_told_together_are_off_by_what_they_typically_share() -> None:
    two = expected_errors([subset(3, 1, [4, 4, 4])], 10**12, 1e-6).mean_two
    assert two == pytest.approx(0.1, rel=1e-3)
    assert expected_errors([subset(3, 2, [4, 4, 4])], 10**12, 1e-6).mean_two < 1e-3


def test_a_part_that_is_coarse_tells_nothing_within_its_cells() -> None:
    fine, coarse = subset(2, 1, [12, 12]), subset(2, 1, [3, 3])
    both = expected_errors([fine, coarse], 4000, 0.01).mean_one
    assert expected_errors([fine], 4000, 0.01).mean_one < both < expected_errors([fine], 2000, 0.01).mean_one
    assert expected_errors([fine, fine], 4000, 0.01).mean_one == pytest.approx(
        expected_errors([fine], 4000, 0.01).mean_one
    )


def test_pure_noise_says_nothing_and_is_at_most_as_wrong_as_that() -> None:
    errors = expected_errors([subset(3, 2, [4, 5, 6])], 1000, 1.0)
    assert errors.mean_one == pytest.approx(0.6)


# What is picked


def test_few_rows_tell_one_column_and_many_tell_two() -> None:
    assert {len(part.columns) for part in told("auto", 2_000, 10).parts} == {1}
    assert [part.columns for part in told("auto", 16_281, 3).parts] == [2]
    assert {len(part.columns) for part in told("auto", 16_281, 50).parts} == {1}
    assert [part.columns for part in told("auto", 200_000, 50).parts] == [2]


@pytest.mark.parametrize("rows", [2_000, 16_281, 200_000])
@pytest.mark.parametrize("k", [3, 10, 50])
@pytest.mark.parametrize("purpose", ["pairs", "marginals"])
def test_nothing_that_can_be_asked_for_by_number_is_better(rows: int, k: float, purpose: Any) -> None:
    def of(errors: Any) -> float:
        return float(errors.mean_two if purpose == "pairs" else errors.mean_one)

    best = of(told(tk.tells.Auto(purpose), rows, k).errors)
    assert best <= min(of(told(m, rows, k).errors) for m in (1, 2, 3)) * (1 + 1e-9)


def test_columns_told_alone_weigh_more_the_more_cells_they_have() -> None:
    weights = {part.columns[0]: part.weight for part in told("auto", 2_000, 10).parts}
    by_size = sorted(range(len(SIZES)), key=SIZES.__getitem__)
    found = [weights[f"c{place}"] for place in by_size]
    assert found == sorted(found) and found[0] < found[-1]


def test_a_target_that_is_perturbed_is_told_with_the_others_more_often() -> None:
    parts = told(tk.tells.Auto(target="c3"), 16_281, 3).parts
    assert sum(part.columns == 2 for part in parts) <= 1
    stars = [part for part in parts if part.columns != 2]
    assert {part.columns for part in stars} == {("c3", a.name) for a in COLUMNS if a.name != "c3"}


def test_a_target_that_is_released_costs_nothing() -> None:
    plain, aimed = (told(each, 16_281, 3, kept=[INCOME]) for each in ("auto", tk.tells.Auto(target="income")))
    assert aimed.errors.mean_one <= plain.errors.mean_one * 1.001
    # single columns tell all there is about a column that every row has: they win earlier
    several = [
        rows for rows in range(2_000, 60_000, 2_000) if told("auto", rows, 10, kept=[INCOME]).parts[0].columns == 2
    ]
    aimed_at = [
        rows
        for rows in range(2_000, 60_000, 2_000)
        if told(tk.tells.Auto(target="income"), rows, 10, kept=[INCOME]).parts[0].columns == 2
    ]
    assert several[0] < aimed_at[0]


def test_numbers_get_finer_with_more_rows_and_coarser_with_more_noise() -> None:
    def cells(rows: int, k: float) -> int:
        return told(1, rows, k, [AGE, *COLUMNS]).parts[0].cells["age"]

    assert cells(500, 10) < cells(16_281, 10) < cells(1_000_000, 10)
    assert cells(2_000, 100) < cells(2_000, 3)
    assert {each.asked for each in options_of(AGE)} == {4, 6, 8, 12, 16, 24, 36, 48}


def test_a_hierarchy_gives_the_levels() -> None:
    tree = tk.Hierarchy.order(AGE.domain, fanout=[10, 5])
    levels = tk.Attribute("age", domain=AGE.domain, hierarchy=tree)
    assert [each.asked for each in options_of(levels)] == [2, 10, 100]
    assert told(2, 3_000, 10, [levels, *COLUMNS]).parts[0].cells == {"age": 10}
    towns = [f"t{place}" for place in range(400)]
    groups = {f"g{place}": towns[place * 40 : place * 40 + 40] for place in range(10)}
    town = tk.Attribute("town", domain=tk.Categories(towns), hierarchy=tk.Hierarchy.groups(groups, {"*": list(groups)}))
    plain = tk.Attribute("town", domain=tk.Categories(towns))
    assert [each.asked for each in options_of(town)] == [10, 400]
    assert [each.asked for each in options_of(plain)] == [400]  # nobody says which towns belong together
    few = told("auto", 2_000, 10, [town, *COLUMNS]).parts
    assert {count for part in few for count in (part.cells or {}).values()} == {10}
    assert (
        told(2, 2_000, 10, [town, *COLUMNS]).parts[0].cells is None
    )  # categories are told in full where it is not asked


def test_what_was_given_is_left_alone() -> None:
    parts = (tk.tells.Subsets(2, cells=4), tk.tells.Subsets(("age", "c0"), cells={"age": 7}), tk.tells.Subsets(1))
    found = told(parts, 5_000, 10, [AGE, *COLUMNS]).parts
    assert found[:2] == parts[:2]
    assert found[2].columns == 1 and list(found[2].cells) == ["age"]


def test_the_choice_is_the_same_for_any_two_tables_of_a_schema() -> None:
    rng = np.random.default_rng(1)
    schema = tk.Schema([AGE, *COLUMNS[:4], INCOME])
    one = pd.DataFrame({a.name: a.domain.values_of(np.zeros(900, int)).to_pylist() for a in schema})
    many = pd.DataFrame({a.name: a.domain.values_of(rng.integers(0, a.domain.size, 900)).to_pylist() for a in schema})
    for tells in ("auto", tk.tells.Auto("marginals"), tk.tells.Auto(target="income"), tk.tells.Auto(target="c1"), 2):
        releases = [tk.anonymize(each, schema, tk.PkPerturbation(k=4, tells=tells)) for each in (one, many)]
        first, second = (each.mechanism.telling for each in releases)
        assert first == second
        assert releases[0].guarantees == releases[1].guarantees
        assert not releases[0].disclosed


def test_the_guarantee_is_kept_and_the_data_holder_is_told_what_was_picked() -> None:
    frame, schema = tk.example_census(rows=3000), tk.example_schema()
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=10, tells="auto"))
    assert release.guarantees[0].value >= 10
    english = [Words("en").say(note) for note in release.record.notes]
    assert english[0] == "Each row tells 1 of 7 columns, drawn at random from 7 combinations."
    assert any(text.startswith("Told in coarser cells, at most this many: age 5, hours ") for text in english)
    assert any("after reconstruction" in text for text in english)
    assert any("No row tells two perturbed columns." in text for text in english)
    assert "各行は 7 列のうち 1 列だけ" in Words("ja").say(release.record.notes[0])
    aimed = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells=tk.tells.Auto(target="sex")))
    assert aimed.method["tells"] == {"purpose": "pairs", "target": "sex"}


def test_a_wrong_purpose_is_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidParameter, match="a target is for pairs; leave it out"):
        tk.tells.Auto("marginals", target="age")
    with pytest.raises(InvalidParameter, match="'incom' is not released. Did you mean 'income'"):
        told(tk.tells.Auto(target="incom"), 1000, 3, kept=[INCOME])
    with pytest.raises(InvalidParameter, match="'ages', which is not perturbed"):
        told((tk.tells.Subsets(1, cells={"ages": 4}),), 1000, 3, [AGE, *COLUMNS])
    with pytest.raises(InvalidParameter, match="at least one part"):
        told((), 1000, 3)
