"""The collation check: tables that can be counted by hand, and a twin that tries every multiset."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.arrays import Labels
from tokumei.engines.local import make_release
from tokumei.errors import InvalidParameter, ObservedDomainWarning
from tokumei.partition.partition import Partition, Problem
from tokumei.randomness import Key
from tokumei.risk import _collation_kernels as _kernels
from tokumei.table.frames import to_arrow
from tokumei.values import value

SCHOOL = tk.Hierarchy.groups({"Senior Sec.": ["11th", "12th"], "Post": ["Bachelors", "Masters"]})


def schema(*, tree: bool = True) -> tk.Schema:
    domain = tk.Categories(["11th", "12th", "Bachelors", "Masters"])
    return tk.Schema(
        [
            tk.Attribute("school", "quasi_identifier", domain, SCHOOL if tree else None),
            tk.Attribute("age", "quasi_identifier", tk.Numbers(1, 60, step=1)),
            tk.Attribute("note", "insensitive", tk.Categories(["a", "b", "c"])),
        ]
    )


pytestmark = pytest.mark.usefixtures("in_order")


@value
class Given(Partition):
    """Groups that a test chooses."""

    labels: tuple[int, ...]

    def group(self, problem: Problem) -> Labels:
        return np.array(self.labels, dtype=np.int32)


def check(rows: list[tuple[Any, ...]], labels: list[int], **options: Any) -> Any:
    frame = pd.DataFrame(rows, columns=["school", "age", "note"])
    return tk.disclosure.collation_check(
        frame, tk.Generalization(k=2, partition=Given(tuple(labels))), schema(), **options
    )


TOY = [
    ("Masters", 35, "a"), ("Masters", 36, "a"), ("Masters", 36, "a"),
    ("11th", 20, "a"), ("11th", 33, "b"), ("12th", 30, "c"),
]  # fmt: skip


def test_a_value_counted_once_pins_its_row() -> None:
    """Boxes that hold nothing but their own rows: both groups are resolved, the one row with 12th is pinned."""
    found = check(TOY, [0, 0, 0, 1, 1, 1], statistics="moments")
    assert (found.groups, found.resolved, found.whole, found.ambiguous, found.undecided) == (2, 2, 2, 0, 0)
    assert (found.pinned, found.pinned_groups) == (1, 1)
    # Counts of ages pin every row of the second group, and the youngest of the first.
    assert check(TOY, [0, 0, 0, 1, 1, 1], statistics="counts").pinned == 4


def test_rates_of_the_table_pin_nobody_and_groups_stay_resolvable() -> None:
    found = check(TOY, [0, 0, 0, 1, 1, 1])
    assert (found.resolved, found.whole, found.pinned) == (2, 2, 0)
    assert "No row was pinned." in str(found)


def test_rows_that_could_change_places_are_ambiguous() -> None:
    """Two groups over the same box with the same counts: 11th at 20 and 12th at 30, or the other way round."""
    rows = [
        ("11th", 20, "a"),
        ("12th", 30, "a"),
        ("11th", 25, "a"),
        ("11th", 30, "a"),
        ("12th", 20, "a"),
        ("12th", 25, "a"),
    ]
    labels = [0, 0, 0, 1, 1, 1]
    found = check(rows, labels, statistics="counts")
    # Alike in their boxes, the two groups are one class of six rows: resolved, with every row.
    assert (found.groups, found.resolved, found.whole) == (1, 1, 1)
    # A wider second box makes two classes; 11th at 20 and 12th at 30 may change places with 11th at 30 and 12th at 20.
    rows.append(("Masters", 40, "a"))
    found = check(rows, [*labels, 1], statistics="counts")
    assert (found.groups, found.ambiguous) == (2, 2)


def test_records_with_rows_elsewhere_resolve_no_set_of_rows() -> None:
    rows = [("11th", 20, "a")] * 4 + [("12th", 50, "a")]
    found = check(rows, [0, 0, 1, 1, 1])
    assert found.groups == 2
    assert found.resolved == 1  # the group of two equal rows: one record fits, but which two of four rows do not show
    assert found.whole == 0
    assert found.pinned == 0


def test_columns_released_as_they_are_can_pin_too() -> None:
    assert check(TOY, [0, 0, 0, 1, 1, 1], kept=True).pinned == 3  # a, b and c once each in the second group
    assert check(TOY, [0, 0, 0, 1, 1, 1], kept=False).pinned == 0


def test_a_release_gives_the_same_answer_as_its_method() -> None:
    frame = pd.DataFrame(TOY, columns=["school", "age", "note"])
    method = tk.Generalization(k=2, partition=Given((0, 0, 0, 1, 1, 1)))
    release = tk.anonymize(frame, schema(), tk.Generalization(k=3, partition=tk.partitions.Mondrian()), seed=1)
    for statistics in ("rates", "counts", "moments"):
        of_release = tk.disclosure.collation_check(frame, release, statistics=statistics)
        of_method = tk.disclosure.collation_check(
            frame, tk.Generalization(k=3, partition=tk.partitions.Mondrian()), schema(), statistics=statistics
        )
        assert of_release == of_method
    assert tk.disclosure.collation_check(frame, method, schema()).columns == ("school", "age")


def test_overlapping_boxes_need_the_method() -> None:
    frame = pd.DataFrame(
        [("11th", 20, "a"), ("11th", 40, "a"), ("11th", 30, "a"), ("11th", 50, "a")], columns=["school", "age", "note"]
    )
    method = tk.Generalization(k=2, partition=Given((0, 0, 1, 1)))
    release = tk.anonymize(frame, schema(), method, seed=1)
    assert tk.disclosure.collation_check(frame, release).ambiguous == 2
    with pytest.raises(InvalidParameter, match="give the method instead of the release"):
        tk.disclosure.collation_check(frame, release, statistics="counts")
    assert tk.disclosure.collation_check(frame, method, schema(), statistics="counts").pinned == 4


def brute(view: Any, group: int) -> int:
    """Count the multisets of records that fit, trying all of them."""
    inside = [
        record
        for record in range(len(view.places))
        if (view.places[record] >= view.low[group]).all() and (view.places[record] <= view.high[group]).all()
    ]
    cells = range(view.first[group], view.first[group + 1])
    wanted = {(int(view.column[c]), int(view.value[c])): int(view.count[c]) for c in cells}
    fits = 0
    for some in itertools.combinations_with_replacement(inside, int(view.sizes[group])):
        many = Counter(some)
        if any(count > view.spare[record] for record, count in many.items()):
            continue
        counted = Counter((j, int(v)) for record in some for j, v in enumerate(view.values[record]))
        numbers = view.numbers[list(some)]
        alike = (numbers.sum(axis=0) == view.sums[group]).all() and (
            (numbers**2).sum(axis=0) == view.squares[group]
        ).all()
        fits += bool(counted == wanted and alike)
    return fits


@pytest.mark.parametrize("statistics", ["rates", "counts", "moments"])
@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_search_agrees_with_trying_everything(statistics: Any, kept: bool, seed: int) -> None:
    from tokumei.risk.collation import _searched, _View

    chance = np.random.default_rng(seed)
    n = 15
    frame = pd.DataFrame(
        {
            "school": chance.choice(["11th", "12th", "Masters"], n),
            "age": chance.integers(20, 25, n),
            "note": chance.choice(["a", "b"], n),
        }
    )
    method = tk.Generalization(k=3, partition=Given(tuple(chance.permutation(np.arange(n) // 5).tolist())))
    arrow, origin = to_arrow(frame)
    made = make_release(arrow, origin, schema(tree=seed % 2 == 0), method, (), Key.seeded(seed))
    view = _View(made.table, made.release, made.order, statistics, kept)
    solutions, complete, _ = _searched(view, np.arange(view.groups), 10**6)
    assert complete.all()
    groups = [g for g in range(view.groups) if view.sizes[g] <= 5]
    assert groups
    for g in groups:
        assert solutions[g] == min(2, brute(view, g))


def test_too_little_effort_is_said() -> None:
    frame, described = tk.example_census(rows=400), tk.example_schema()
    found = tk.disclosure.collation_check(frame, tk.Generalization(k=20), described, statistics="counts", effort=1)
    assert found.undecided == found.looked_at
    assert (found.resolved, found.pinned) == (0, 0)
    assert "undecided after 1 steps" in str(found)
    full = tk.disclosure.collation_check(frame, tk.Generalization(k=20), described, statistics="counts")
    assert full.resolved + full.ambiguous + full.undecided == full.looked_at
    assert full.resolved > 0


def test_some_groups_only() -> None:
    frame, described = tk.example_census(rows=600), tk.example_schema()
    some = [
        tk.disclosure.collation_check(
            frame, tk.Generalization(k=5), described, statistics="counts", groups=7, random_state=s
        )
        for s in (1, 1)
    ]
    assert some[0] == some[1]
    assert some[0].looked_at == 7 < some[0].groups
    assert "Looked at 7 of" in str(some[0])


def test_nothing_of_the_data_is_shown() -> None:
    text = str(check(TOY, [0, 0, 0, 1, 1, 1], statistics="counts")) + repr(check(TOY, [0, 0, 0, 1, 1, 1]))
    assert not any(value in text for value in ("11th", "12th", "Masters", "35", "36", "33"))


def test_suppressed_and_left_out_rows_are_candidates() -> None:
    """Three rows keep their cells, and a fourth like them is left out: which three, nobody can tell."""
    frame = pd.DataFrame(
        [("11th", 20, "a")] * 2 + [("12th", 20, "a"), ("12th", 50, "a")], columns=["school", "age", "note"]
    )
    method = tk.Generalization(k=2, partition=Given((0, 0, 0, -1)), suppression_limit=0.25)
    release = tk.anonymize(frame, schema(), method, seed=1)
    assert release.mechanism.left_out == 1
    found = tk.disclosure.collation_check(frame, release)
    assert (found.rows, found.resolved, found.whole) == (3, 1, 1)
    frame.loc[3, "age"] = 20  # now its record is in the box
    found = tk.disclosure.collation_check(frame, tk.anonymize(frame, schema(), method, seed=1))
    assert (found.rows, found.ambiguous) == (3, 1)


def test_what_cannot_be_checked_is_refused() -> None:
    frame, described = tk.example_census(rows=100), tk.example_schema()
    with pytest.raises(InvalidParameter, match="tk.attack, tokumei attack"):
        tk.disclosure.collation_check(frame, tk.PkPerturbation(k=2, tells="all"), described)
    with pytest.raises(InvalidParameter, match="needs the schema"):
        tk.disclosure.collation_check(frame, tk.Generalization(k=2))
    with pytest.raises(InvalidParameter, match="a method or a release"):
        tk.disclosure.collation_check(frame, frame, described)
    with pytest.raises(InvalidParameter, match="statistics must be"):
        tk.disclosure.collation_check(frame, tk.Generalization(k=2), described, statistics="means")  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="groups must be"):
        tk.disclosure.collation_check(frame, tk.Generalization(k=2), described, groups=0)
    with pytest.raises(InvalidParameter, match="groups must be"):
        tk.disclosure.collation_check(frame, tk.Generalization(k=2), described, groups=1.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="effort must be"):
        tk.disclosure.collation_check(frame, tk.Generalization(k=2), described, effort=0)
    release = tk.anonymize(frame, described, tk.Generalization(k=2), seed=1)
    with pytest.raises(InvalidParameter, match="not one of this table"):
        tk.disclosure.collation_check(tk.example_census(rows=99), release)
    stepped = tk.anonymize(frame, described, tk.Generalization(k=2), [tk.prepare.Recode("age", level=1)], seed=1)
    with pytest.raises(InvalidParameter, match="give the schema of the original and the steps"):
        tk.disclosure.collation_check(frame, stepped)
    assert tk.disclosure.collation_check(frame, stepped, described, [tk.prepare.Recode("age", level=1)]).groups > 0


def test_numbers_out_of_reach_end_the_search() -> None:
    whole = lambda *numbers: np.array(numbers, dtype=np.int64)  # noqa: E731
    reach = _kernels.reachable.py_func
    assert reach(2, whole(10), whole(50), whole(0), whole(10))  # 5 and 5
    assert reach(2, whole(10), whole(100), whole(0), whole(10))  # 0 and 10
    assert not reach(2, whole(10), whole(49), whole(0), whole(10))
    assert not reach(2, whole(10), whole(101), whole(0), whole(10))
    assert not reach(2, whole(21), whole(300), whole(0), whole(10))


def test_nothing_is_said_of_publishing() -> None:
    """Warnings of what a release would publish are errors in this suite; the check publishes nothing."""
    frame = pd.DataFrame({"town": ["A"] * 10 + ["B"] * 2})
    with pytest.warns(ObservedDomainWarning):
        seen = tk.Schema.observe(frame)
    assert tk.disclosure.collation_check(frame, tk.Generalization(k=2), seen).pinned == 0


def test_people_with_several_rows_are_refused_in_a_sentence_that_says_what_counts_them() -> None:
    rows = tk.example_census(rows=40).assign(who=np.arange(40) // 2)
    schema = tk.Schema([tk.Attribute("who", "person"), *tk.example_schema()])
    with pytest.raises(
        InvalidParameter, match="several rows could be found by any of them.*risk compare PLAN.*tk.assess_release"
    ):
        tk.disclosure.collation_check(rows, tk.Generalization(k=3), schema)
    assert tk.assess_release(rows, tk.Generalization(k=3), schema, random_state=1) is not None
