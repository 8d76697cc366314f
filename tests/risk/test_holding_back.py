"""Rare changes wait: patterns counted by hand, the joint guarantee with and without, and what is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tests.conftest import MAKERS, columns_of
from tokumei.errors import DataError, InvalidParameter

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")

PLACE = "A_TEST_OF_HELD_CHANGES"
SCHEMA = tk.Schema(
    [
        tk.Attribute("who", "identifier"),
        tk.Attribute("area", domain=tk.Categories(["n", "e", "s"])),
        tk.Attribute("job", domain=tk.Categories(["a", "b"]), missing=True),
    ]
)
LEAST = 8


def months(seed: int, count: int = 4, rows: int = 200) -> list[pd.DataFrame]:
    """People who move, change their job, join and leave."""
    rng = np.random.default_rng(seed)
    made = [
        pd.DataFrame(
            {
                "who": [f"p{at}" for at in range(rows)],
                "area": rng.choice(["n", "e", "s"], rows),
                "job": rng.choice(["a", "b", None], rows),
            }
        )
    ]
    for month in range(1, count):
        now = made[-1].sample(frac=1, random_state=seed + month).reset_index(drop=True)
        moves, works = rng.random(len(now)) < 0.15, rng.random(len(now)) < 0.03
        now.loc[moves, "area"] = rng.choice(["n", "e", "s"], moves.sum())
        now.loc[works, "job"] = rng.choice(["a", "b"], works.sum())
        joined = pd.DataFrame({"who": [f"m{month}-{at}" for at in range(5)], "area": "n", "job": "a"})
        made.append(pd.concat([now[rng.random(len(now)) > 0.03], joined], ignore_index=True))
    return made


def patterns(tables: list[pd.DataFrame]) -> dict[str, Any]:
    """Write down for every person in which tables they are, and which of their values are the same."""
    rows = [{row["who"]: row for row in table.to_dict("records")} for table in tables]
    made = {}
    for who in set().union(*rows):
        cells = [[None if who not in each else str(each[who][name]) for each in rows] for name in ("area", "job")]
        made[who] = tuple(tuple(each.index(cell) if cell is not None else None for cell in each) for each in cells)
    return made


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_among_few_who_changed_like_them(seed: int) -> None:
    true = months(seed)
    released = [true[0]]
    for table in true[1:]:
        held = tk.disclosure.hold_back(table, released, SCHEMA, "who", least=LEAST)
        released.append(held.frame)
        assert held.among_few == 0
        assert len(set(held.frame["who"])) == len(held.frame)
        assert min(Counter(patterns(released).values()).values()) >= LEAST
        assert len(held.frame) == len(table) - held.left_out + held.still_there
        before, now = (each.set_index("who")[["area", "job"]].astype(str) for each in (released[-2], table))
        given = held.frame.set_index("who")[["area", "job"]].astype(str)
        for who, row in given.iterrows():  # every row is somebody's row of now, or their last one
            options = [each.loc[who].tolist() for each in (before, now) if who in each.index]
            assert row.tolist() in options
    assert min(Counter(patterns(true).values()).values()) < LEAST


def test_a_change_is_released_once_enough_have_changed_alike() -> None:
    first = pd.DataFrame({"who": [f"p{at}" for at in range(20)], "area": ["n"] * 20, "job": ["a"] * 20})
    few, many = first.copy(), first.copy()
    few.loc[:2, "area"] = "s"
    many.loc[:9, "area"] = "s"
    held = tk.disclosure.hold_back(few, [first], SCHEMA, "who", least=10)
    assert (held.kept_as_before, list(held.frame["area"])) == (3, ["n"] * 20)
    later = tk.disclosure.hold_back(many, [first, held.frame], SCHEMA, "who", least=10)
    assert (later.kept_as_before, sorted(later.frame["area"])) == (0, ["n"] * 10 + ["s"] * 10)
    assert tk.disclosure.hold_back(few, [first], SCHEMA, "who", least=10, columns=["job"]).kept_as_before == 0


def test_the_joint_guarantee_counts_what_was_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLACE, "5a" * 32)

    def combined(tables: list[pd.DataFrame]) -> float:
        first = tk.PkPerturbation(k=3, tells="all", repeat=tk.Repeat(f"env:{PLACE}", "who"))
        releases = [tk.anonymize(tables[0], SCHEMA, first)]
        again = tk.PkPerturbation(k=1.5, tells="all", repeat=tk.Repeat(f"env:{PLACE}", "who", like=releases[0]))
        releases += [tk.anonymize(table, SCHEMA, again) for table in tables[1:]]
        counts = tk.disclosure.repeats(tables, releases, SCHEMA, "who")
        assert min(each.people for each in counts.patterns) == min(Counter(patterns(tables).values()).values())
        return tk.combine(releases, counts)[0].value

    true = months(1, 2)
    held = tk.disclosure.hold_back(true[1], true[:1], SCHEMA, "who", least=LEAST)
    without, waited = combined(true), combined([true[0], held.frame])
    assert waited - 1 > 5 * (without - 1)


def test_any_kind_of_frame_gives_the_same_rows() -> None:
    first, second = (columns_of(each.fillna({"job": "a"})) for each in months(2, 2))
    made = [
        columns_of(tk.disclosure.hold_back(maker(second), [maker(first)], SCHEMA, "who", least=LEAST).frame)
        for maker in MAKERS.values()
    ]
    assert made[0] == made[1] == made[2]


def test_what_cannot_be_held_back_is_refused() -> None:
    first, second = months(3, 2)
    for given, problem in (
        ({"least": 0}, "least must be a whole number"),
        ({"released": []}, "one at least"),
        ({"released": [first.drop(columns="area")]}, "no column 'area'"),
        ({"person": "area"}, "identifies people"),
        ({"frame": pd.concat([second, second])}, "one row each"),
    ):
        asked: dict[str, Any] = {"frame": second, "released": [first], "schema": SCHEMA, "person": "who", "least": 5}
        with pytest.raises((DataError, InvalidParameter), match=problem):
            tk.disclosure.hold_back(**(asked | given))
