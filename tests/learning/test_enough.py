"""What a refusal names, how many rows or which k, does give an answer."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tokumei as tk
from benchmarks import regressions
from tests.command_line import in_one_line, tokumei
from tokumei.errors import TooNoisy
from tokumei.learning import foreseen
from tokumei.learning.asked import Asked, asked_of
from tokumei.learning.enough import _largest_k

FORMULA = {"pay": "linear", "ill": "logistic", "visits": "poisson"}
TRIPLES = (tk.tells.Subsets(3, cells=12),)


def released(rows: int, k: float, tells: Any, role: str = "sensitive", seed: int = 0) -> tk.Release:
    whole = regressions.schema(role)
    schema = tk.Schema([each for each in whole if each.name not in {"house", "hours"}])
    people = regressions.people(rows, np.random.default_rng(seed))
    return tk.anonymize(people[list(schema.names())], schema, tk.PkPerturbation(k=k, tells=tells), seed=seed)


@cache
def refused(rows: int, k: float, tells: Any, target: str, role: str = "sensitive") -> tuple[int | None, float | None]:
    """Return the rows and the k that the first refusal of a few releases names."""
    for seed in range(4):
        try:
            asked(released(rows, k, tells, role, seed), target)
        except TooNoisy as error:
            many = re.search(r"About ([\d,]+) rows", str(error))
            named = re.search(r"k = (\d+(\.\d+)?)", str(error))
            return int(many[1].replace(",", "")) if many else None, float(named[1]) if named else None
    pytest.fail("no release was refused")


def asked(release: tk.Release, target: str) -> tk.Regression:
    family: Any = FORMULA[target]
    return tk.regress(release, f"{target} ~ age + sex + area", family=family)


def answered(release: tk.Release, target: str) -> bool:
    try:
        found = asked(release, target)
    except TooNoisy:
        return False
    return bool(np.isfinite(found.estimate).all())


@pytest.mark.parametrize("target", FORMULA)
@pytest.mark.parametrize("tells", ["all", TRIPLES], ids=["noise on every column", "rows tell three"])
def test_a_table_of_ten_times_too_few_rows_says_how_many_it_takes(tells: Any, target: str) -> None:
    rows, _ = refused(2_000, 10, tells, target)
    assert rows is not None and rows > 2_000


@pytest.mark.parametrize(
    ("rows", "k", "tells", "target"),
    [
        (20_000, 100, "all", "pay"),
        (2_000, 10, TRIPLES, "pay"),
        (2_000, 10, TRIPLES, "ill"),
        (2_000, 10, TRIPLES, "visits"),
    ],
)
def test_the_k_that_is_named_gives_an_answer(rows: int, k: float, tells: Any, target: str) -> None:
    _, named = refused(rows, k, tells, target)
    assert named is not None and 1.1 <= named < k
    assert sum(answered(released(rows, named, tells, seed=seed), target) for seed in range(6)) >= 5


@pytest.mark.parametrize(
    ("rows", "k", "tells", "target"),
    [
        (20_000, 100, "all", "pay"),
        (2_000, 10, TRIPLES, "pay"),
        (2_000, 10, TRIPLES, "visits"),
        (20_000, 10, "all", "ill"),
    ],
)
def test_as_many_rows_as_are_named_give_an_answer(rows: int, k: float, tells: Any, target: str) -> None:
    many, _ = refused(rows, k, tells, target)
    assert many is not None
    same = 1 + (k - 1) * (many - 1) / (rows - 1)  # the k that the same noise is worth among so many
    release = released(many, same, tells)
    assert release.mechanism.swap == pytest.approx(float(released(rows, k, tells).mechanism.swap), rel=1e-3)
    assert sum(answered(released(many, same, tells, seed=seed), target) for seed in range(4)) >= 3


@pytest.mark.parametrize("k", [1.16, 1.19, 3, 9.5, 10, 104])
def test_the_k_that_is_named_is_below_that_of_the_release(k: float) -> None:
    """Even where next to nothing is lacking, by the trial: rounded to the nearest, the k named would be the same or larger."""
    release = released(200, k, "all")
    question = asked_of(release, "pay ~ age + sex + area", None, "linear", None, None)
    named = _largest_k(question, lambda _scale: 0.0)
    assert named is not None and 1.1 <= named < k
    low = _largest_k(question, lambda scale: 0.0 if scale >= 1.01 else math.inf)
    assert low is not None and low <= named
    assert low <= 1 + (k - 1) * float(release.mechanism.swap) ** 0.01


def test_more_noise_takes_more_rows() -> None:
    few, many = (refused(2_000, k, TRIPLES, "pay")[0] for k in (10, 40))
    assert few is not None and many is not None and many > few


@pytest.mark.parametrize("target", FORMULA)
@pytest.mark.parametrize("tells", ["all", TRIPLES], ids=["noise on every column", "rows tell three"])
def test_rows_that_count_for_different_numbers_of_people_take_more(
    tells: Any, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variances of weighted means are larger by the mean of the squared weights; single columns are taken to go alike."""
    goes = foreseen._goes
    monkeypatch.setattr(foreseen, "_goes", lambda each, column, shares: goes(each, column, np.ones_like(shares)))
    release = released(2_000, 10, tells)
    even = asked_of(release, f"{target} ~ age + sex + area", None, FORMULA[target], None, None)
    weights = np.where(np.random.default_rng(5).random(release.rows) < 0.5, 0.1, 1.9)
    uneven = replace(even, shares=weights / weights.mean())
    few, many = (_rows(each) for each in (even, uneven))
    assert many == pytest.approx(few * np.mean(uneven.shares**2), rel=0.2)  # others are drawn


def _rows(question: Asked) -> float:
    people, telling = foreseen.People(question), question.release.mechanism.telling
    if telling is None:
        return people.rows_with({})
    return people.rows_telling(lambda cluster: cluster.channel.retention)


@pytest.mark.parametrize("formula", ["hours ~ age + sex", "sex ~ age + hours"])
@pytest.mark.parametrize("seed", [0, 1])
def test_what_hardly_any_row_tells_is_refused_without_a_number(formula: str, seed: int) -> None:
    """No row tells the three columns together, or one does: nobody who is drawn shows what noise adds."""
    sets = [tk.tells.Subsets(("hours", "age", "sex"), weight=1), tk.tells.Subsets(1, weight=20_000)]
    release = tk.anonymize(
        tk.example_census(rows=4_000), tk.example_schema(), tk.PkPerturbation(5, tells=sets), seed=seed
    )
    told = release.mechanism.telling
    assert told is not None and np.bincount(release.coded.codes(told.label))[0] == seed
    with pytest.raises(TooNoisy, match="Hardly any row tells these columns together") as caught:
        tk.regress(release, formula)
    assert "k =" not in str(caught.value)


def test_of_a_given_matrix_rows_are_named_and_no_k() -> None:
    """PRAM promises no k, so none could be smaller."""
    whole = regressions.schema("sensitive")
    schema = tk.Schema([each for each in whole if each.name in {"sex", "area", "pay"}])
    people = regressions.people(500, np.random.default_rng(1))[list(schema.names())]
    noise = tk.transitions.KeepOrReplace(0.05)
    release = tk.anonymize(people, schema, tk.PRAM(columns={"sex": noise, "area": noise}), seed=1)
    with pytest.raises(TooNoisy, match=r"About [\d,]+ rows with the same noise") as caught:
        tk.regress(release, "pay ~ sex + area")
    assert "k =" not in str(caught.value)


def test_the_command_says_it_in_both_languages(tmp_path: Path) -> None:
    released(2_000, 10, "all").write(tmp_path / "release", allow_seeded=True)
    words = ("regress", "release", "pay ~ age + sex + area")
    ran = tokumei(*words, cwd=tmp_path, code=1)
    assert "rows with the same noise would determine them" in in_one_line(ran.stderr)
    ran = tokumei(*words, cwd=tmp_path, code=1, env={"TOKUMEI_LANGUAGE": "ja"})
    assert "行あれば決まります" in ran.stderr.replace("\n", "")
