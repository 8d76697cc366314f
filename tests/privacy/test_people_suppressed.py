"""Local suppression of people with several rows, against an adversary who weighs every assignment that fits the cells.

They know the whole original table, and of the release what stands in it. Each released row is one of the original rows that agree with it
in all cells that are shown; all ways to give each original row one released row count alike. What they believe is counted here by
dynamic programming over subsets of rows, with nothing of the library but the released frame.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InfeasiblePromise

COLUMNS = {"a": ["u", "v"], "b": ["x", "y", "z"]}


def people(seed: int, rows: int, most: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    cells = {name: rng.choice(labels, rows) for name, labels in COLUMNS.items()}
    return pd.DataFrame({"who": rng.integers(0, most, rows), **cells})


def schema() -> tk.Schema:
    columns = [tk.Attribute(name, domain=tk.Categories(labels)) for name, labels in COLUMNS.items()]
    return tk.Schema([tk.Attribute("who", "person"), *columns])


def fits(frame: pd.DataFrame, released: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Say which original row may be which released one."""
    true, shown = (each[list(COLUMNS)].to_numpy(dtype=object) for each in (frame, released))
    return np.array([[all(s in ("*", t) for s, t in zip(row, cells, strict=True)) for row in shown] for cells in true])


def largest_belief(frame: pd.DataFrame, released: pd.DataFrame) -> float:
    """The largest probability that a released row is one of a person's."""
    may, who, rows = fits(frame, released), frame["who"].to_numpy(), len(frame)
    before: list[Counter[int]] = [Counter({0: 1})]
    for row in range(rows):
        ways: Counter[int] = Counter()
        for used, count in before[-1].items():
            for one in np.flatnonzero(may[:, row]):
                if not used >> int(one) & 1:
                    ways[used | 1 << int(one)] += count
        before.append(ways)
    after: Counter[int] = Counter({(1 << rows) - 1: 1})
    largest, total = 0.0, before[-1][(1 << rows) - 1]
    for row in reversed(range(rows)):
        linked, earlier = np.zeros(who.max() + 1), Counter[int]()
        for used, count in before[row].items():
            for one in np.flatnonzero(may[:, row]):
                rest = after[used | 1 << int(one)] if not used >> int(one) & 1 else 0
                linked[who[one]] += count * rest
                earlier[used] += rest
        largest, after = max(largest, float(linked.max()) / total), earlier
    return largest


def test_no_belief_is_above_the_guarantee_and_some_reach_it() -> None:
    reached = 0
    for seed in range(24):
        frame = people(seed, 8, 5)
        try:
            release = tk.anonymize(frame, schema(), tk.LocalSuppression(k=2), seed=1)
        except InfeasiblePromise:
            assert Counter(frame["who"]).most_common(1)[0][1] * 2 > len(frame), "it is refused only where nothing helps"
            continue
        belief, promised = largest_belief(frame, release.frame), release.guarantees[0].value
        assert promised >= 2
        assert belief <= 1 / promised + 1e-12
        reached += belief > 1 / promised - 1e-12
    assert reached > 5


def test_rows_treated_as_people_would_break_it() -> None:
    """The oracle can fail: the same tables released as if every row were somebody else's."""
    broken = 0
    for seed in range(12):
        frame = people(seed, 8, 5)
        rows = tk.anonymize(frame.drop(columns="who"), schema().without("who"), tk.LocalSuppression(k=2), seed=1)
        broken += largest_belief(frame, rows.frame) > 1 / 2 + 1e-12
    assert broken > 3


def test_a_household_with_most_rows_is_refused() -> None:
    frame = pd.DataFrame({"who": [0, 0, 0, 0, 1, 2], "a": ["u"] * 6, "b": ["x", "y", "z", "x", "y", "z"]})
    with pytest.raises(InfeasiblePromise, match="a person would have more than 1 in 2 rows"):
        tk.anonymize(frame, schema(), tk.LocalSuppression(k=2), seed=1)


def test_people_with_one_row_each_are_suppressed_as_rows_are() -> None:
    frame = people(3, 200, 5).assign(who=range(200))
    one = tk.anonymize(frame, schema(), tk.LocalSuppression(k=4), seed=1)
    other = tk.anonymize(frame.drop(columns="who"), schema().without("who"), tk.LocalSuppression(k=4), seed=1)
    assert Counter(map(str, one.table.to_pylist())) == Counter(map(str, other.table.to_pylist()))
