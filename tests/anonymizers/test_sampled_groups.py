"""Samples of groups: the guarantees against an exact adversary of its own, who is drawn, and what a forger cannot do.

The adversary knows the whole table, everybody's group, all boxes and channels, how many rows were drawn from each group, and the released
rows; in one part also who was drawn. It enumerates every draw, every release and every assignment, in whole numbers, from what a
manifest says, and shares no code with what it judges.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

import tokumei as tk
from tests.adversarial.twins import matrix_of
from tests.anonymizers.grouping import AllBut, Halving, InTurn, make
from tests.release.forging import rewrite
from tests.release.groups_apart import apart
from tokumei.engines.local import Made
from tokumei.errors import InvalidParameter, MergedGroupsWarning, ReleaseError

Q = "quasi_identifier"
LABELS = list("abc")
SCHEMA = tk.Schema([tk.Attribute("n", Q, tk.Numbers(0, 2, step=1)), tk.Attribute("c", Q, tk.Categories(LABELS))])
DOMAINS: dict[str, list[Any]] = {"n": [0, 1, 2], "c": LABELS}


def worst_beliefs(
    people: list[tuple[Any, ...]], group: dict[str, Any], columns: list[str]
) -> tuple[Fraction, Fraction]:
    """The largest probability of any link, over every release of ``rows`` people: who was drawn being secret, and being known."""
    cells = [
        [DOMAINS[name][place] for place in (box[0] if isinstance(box[0], list) else range(box[0], box[1] + 1))]
        for name, box in zip(columns, group["boxes"], strict=True)
    ]
    matrices = [matrix_of(channel) for channel in group["channels"]]  # P[true][released], as fractions
    where = [{cell: place for place, cell in enumerate(held)} for held in cells]
    secret = known = Fraction(0)
    draws = list(itertools.combinations(range(len(people)), group["rows"]))
    for rows in itertools.combinations_with_replacement(itertools.product(*cells), group["rows"]):
        likely = [
            [math.prod(m[w[u]][w[v]] for m, w, u, v in zip(matrices, where, person, row, strict=True)) for row in rows]
            for person in people
        ]
        total, linked = Fraction(0), Counter[tuple[int, int]]()
        for drawn in draws:
            whole, here = Fraction(0), Counter[tuple[int, int]]()
            for order in itertools.permutations(drawn):
                chance = math.prod(likely[person][row] for row, person in enumerate(order))
                whole += chance
                for row, person in enumerate(order):
                    here[person, row] += chance  # type: ignore[assignment]
            known = max(known, *(each / whole for each in here.values()))
            total += whole
            linked.update(here)
        secret = max(secret, *(each / total for each in linked.values()))
    return secret, known


def attacked(made: Made, frame: dict[str, list[Any]]) -> Iterator[tuple[Fraction, Fraction]]:
    grouping = made.release.mechanism.describe()["grouping"]
    assert made.groups is not None
    for number, group in enumerate(apart(grouping)):
        there = np.flatnonzero(made.groups == number)
        assert len(there) == group["of"] == group["among"]
        people = [tuple(frame[name][row] for name in grouping["columns"]) for row in there]
        yield worst_beliefs(people, group, grouping["columns"])


@pytest.mark.parametrize(("k", "sample"), [(1.5, 0.5), (2, 0.67), (1.7, 0.3)])
def test_every_table_every_draw_every_release_every_assignment(k: float, sample: float) -> None:
    records = [(0, "a"), (0, "b"), (2, "a")]
    close = 0.0
    for rows in itertools.combinations_with_replacement(records, 4):
        frame = {"n": [row[0] for row in rows], "c": [row[1] for row in rows]}
        made = make(frame, SCHEMA, tk.GroupedPkPerturbation(k=k, sample=sample))
        secret, known = (Fraction(each.value) for each in made.release.guarantees)
        assert secret >= k
        for first, second in attacked(made, frame):
            assert first <= 1 / secret
            assert second <= 1 / known
            close = max(close, float(first * secret))
    assert close > 0.97


@pytest.mark.parametrize("partition", [Halving(), InTurn(), AllBut(1)])
@pytest.mark.parametrize("seed", range(3))
def test_groups_of_any_kind(seed: int, partition: Any) -> None:
    rng = np.random.default_rng(seed)
    frame = {"n": rng.integers(0, 3, 7).tolist(), "c": rng.choice(LABELS, 7).tolist()}
    method = tk.GroupedPkPerturbation(k=1.8, partition=partition, sample=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MergedGroupsWarning)
        made = make(frame, SCHEMA, method, seed)
    secret, known = (Fraction(each.value) for each in made.release.guarantees)
    for first, second in attacked(made, frame):
        assert (first <= 1 / secret, second <= 1 / known) == (True, True)


def test_both_guarantees_are_reached() -> None:
    # One person at one end of the box and everybody else at the other: the worst table there is.
    schema = tk.Schema([tk.Attribute("c", Q, tk.Categories(["a", "b", "c"]))])
    frame = {"c": ["a", "b", "b", "b", "b"]}
    made = make(frame, schema, tk.GroupedPkPerturbation(k=2, partition=AllBut(0), sample=0.6))
    secret, known = (each.value for each in made.release.guarantees)
    ((first, second),) = attacked(made, frame)
    assert float(first * Fraction(secret)) == pytest.approx(1, abs=1e-9)
    assert float(second * Fraction(known)) == pytest.approx(1, abs=1e-9)
    assert known < secret == pytest.approx(2, abs=1e-6)


def test_a_sample_of_the_rows_before_they_are_grouped_would_be_caught() -> None:
    # Counting on people who were not drawn when boxes are made from those who were: the box of the sample shows the person at its end.
    schema = tk.Schema([tk.Attribute("n", Q, tk.Numbers(0, 2, step=1))])
    everybody = {"n": [0, 1, 1, 1, 1, 2]}
    boxes = Counter()
    for drawn in itertools.combinations(range(6), 3):
        made = make({"n": [everybody["n"][row] for row in drawn]}, schema, tk.GroupedPkPerturbation(k=2))
        grouping = made.release.mechanism.grouping
        assert grouping is not None
        boxes[tuple((box.low, box.high) for group in grouping.groups for box in group.boxes), 5 in drawn] += 1
    telling = {box for box, _ in boxes if (box, True) in boxes and (box, False) not in boxes}
    assert telling  # these boxes say that the last person was drawn, which the guarantee takes to be secret


def test_noise_for_too_many_others_would_be_caught() -> None:
    schema = tk.Schema([tk.Attribute("c", Q, tk.Categories(["a", "b"]))])
    frame = {"c": ["a", "b", "b", "b", "b"]}
    made, much = (
        make(rows, schema, tk.GroupedPkPerturbation(k=2, partition=AllBut(0), sample=0.6))
        for rows in (frame, {"c": ["a"] + ["b"] * 9})
    )
    grouping, wrong = made.release.mechanism.grouping, much.release.mechanism.grouping
    assert grouping is not None
    assert wrong is not None
    group = grouping.groups[0]._replace(channels=wrong.groups[0].channels)  # noise for ten people, and there are five
    mechanism = replace(made.release.mechanism, grouping=replace(grouping, groups=(group,)))
    ((first, _),) = attacked(replace(made, release=replace(made.release, mechanism=mechanism)), frame)
    assert first > Fraction(11, 20)


def test_less_noise_than_without_a_sample() -> None:
    frame = pd.DataFrame({"c": ["a"] * 40 + ["b"] * 40})
    schema = tk.Schema([tk.Attribute("c", Q, tk.Categories(LABELS))])
    kept = []
    for more in ({}, {"sample": 0.9}, {"sample": 0.5}):
        release = tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=5, partition=AllBut(0), **more), seed=1)
        grouping = release.mechanism.grouping
        assert grouping is not None
        kept.append(grouping.channel(0, "c").retention)  # type: ignore[attr-defined]
    assert kept[0] < kept[1] < kept[2]


@pytest.mark.parametrize("tells", ["all", 1])
def test_numbers_drawn_and_what_comes_back(tells: Any, tmp_path: Path) -> None:
    census = tk.example_census(rows=1500)
    release = tk.anonymize(
        census, tk.example_schema(), tk.GroupedPkPerturbation(k=4, sample=0.3, tells=tells, kept="perturb")
    )
    grouping = release.mechanism.grouping
    assert grouping is not None
    assert release.mechanism.of == grouping.people == 1500
    assert release.rows == sum(max(1, group.of * 3 // 10) for group in grouping.groups if group.of)
    release.write(tmp_path / "out")
    again = tk.read_release(tmp_path / "out")
    assert [each.value for each in again.guarantees] == [each.value for each in release.guarantees]
    weights = again.row_weights()
    assert weights is not None
    assert weights.sum() == pytest.approx(1500)


def test_everybody_of_a_group_is_equally_likely_drawn() -> None:
    frame = {"n": [0, 0, 0, 2, 2, 2, 2, 2]}
    schema = tk.Schema([tk.Attribute("n", Q, tk.Numbers(0, 2, step=1))])
    method = tk.GroupedPkPerturbation(k=2, partition=Halving(), sample=0.67)
    times, pairs, runs = np.zeros(8), Counter(), 600
    for seed in range(runs):
        made = make(frame, schema, method, seed)
        times[made.order] += 1
        pairs[tuple(sorted(made.order[made.order < 3].tolist()))] += 1
    assert chisquare(times[:3]).pvalue > 1e-6
    assert chisquare(times[3:]).pvalue > 1e-6
    assert times[:3].sum() == 2 * runs
    assert times[3:].sum() == 3 * runs
    assert chisquare(list(pairs.values())).pvalue > 1e-6
    assert len(pairs) == 3
    wrong = times[:3] * [1.3, 1, 0.7]
    assert chisquare(wrong).pvalue < 1e-6


def test_tables_of_a_sample_are_weighted_by_groups() -> None:
    # One of ten in a group of 19 rows stands for 19, one of 10 for 10.
    frame = pd.DataFrame({"n": [0] * 19 + [2] * 10})
    schema = tk.Schema([tk.Attribute("n", Q, tk.Numbers(0, 2, step=1))])
    release = tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=2, partition=Halving(), sample=0.1), seed=1)
    assert release.rows == 2
    np.testing.assert_allclose(tk.IterativeBayes(["n"]).fit(release).pmf_, [19 / 29, 0, 10 / 29])


def test_intervals_from_sampled_groups_hold() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"n": rng.integers(0, 3, 300), "c": rng.choice(LABELS, 300), "s": rng.integers(0, 2, 300)})
    schema = tk.Schema([*SCHEMA, tk.Attribute("s", "sensitive", tk.Categories([0, 1]))])
    method = tk.GroupedPkPerturbation(k=3, sample=0.4, partition=tk.partitions.Mondrian(min_size=11))
    held, of = Counter(), 60
    for seed in range(of):
        release = tk.anonymize(frame, schema, method, seed=seed)
        for columns in (("c",), ("s",), ("c", "s")):
            table = tk.IterativeBayes(columns).fit(release).intervals(0.9, about="table")
            share = frame.groupby(list(columns)).size().to_numpy().reshape(table.pmf_.shape) / 300
            held[columns] += float(np.mean((table.low_ <= share) & (share <= table.high_))) / of  # type: ignore[assignment]
    assert all(share > 0.85 for share in held.values()), held


def test_the_measured_attacker_keeps_to_the_promise() -> None:
    census, schema = tk.example_census(rows=400), tk.example_schema()
    found = tk.attack(census, tk.GroupedPkPerturbation(k=3, sample=0.5, kept="perturb"), schema, random_state=1)
    assert found.rows < 200
    assert found.people == 400
    assert found.largest_belief <= 1 / 3 + 1e-9


def groups_in(content: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = content["disclosed"]["mechanism"]["value"]["grouping"]["groups"]
    return found


def more_people(content: Any) -> None:
    for group in groups_in(content):
        group["of"] = group["among"] = 10 * group["of"]
    content["disclosed"]["mechanism"]["value"]["of"] *= 10


def no_people(content: Any) -> None:
    del groups_in(content)[0]["of"]


def other_total(content: Any) -> None:
    content["disclosed"]["mechanism"]["value"]["of"] += 1


def other_share(content: Any) -> None:
    content["declared"]["method"]["sample"] = 0.25


def strata(content: Any) -> None:
    content["declared"]["method"]["sample"] = {"design": "bernoulli", "rate": 0.5, "delta": 0.1, "redraw_above": None}


def exchanged(content: Any) -> None:
    first, second = content["disclosed"]["guarantees"]["value"][:2]
    second["value"], second["numbers"] = first["value"], first["numbers"]


def only_one(content: Any) -> None:
    content["disclosed"]["guarantees"]["value"].pop(1)


def without_sample(content: Any) -> None:
    content["declared"]["method"]["sample"] = None


@pytest.mark.parametrize(
    "change", [more_people, no_people, other_total, other_share, strata, exchanged, only_one, without_sample]
)
def test_forged_samples_are_refused(change: Any, tmp_path: Path) -> None:
    method = tk.GroupedPkPerturbation(k=4, sample=0.5, kept="perturb")
    tk.anonymize(tk.example_census(rows=600), tk.example_schema(), method).write(tmp_path / "out")
    tk.read_release(tmp_path / "out")
    rewrite(tmp_path / "out", change)
    with pytest.raises(ReleaseError):
        tk.read_release(tmp_path / "out")


def test_what_it_refuses() -> None:
    for sample in (0.0, 1.5):
        with pytest.raises(InvalidParameter, match="sampling rate must be above 0 and at most 1"):
            tk.GroupedPkPerturbation(k=2, sample=sample)
    with pytest.raises(InvalidParameter, match="sampling rate must be above 0 and at most 1"):
        tk.GroupedPkPerturbation(k=2, sample=100)
    census, schema = tk.example_census(rows=500), tk.example_schema()
    with pytest.raises(InvalidParameter, match="how many rows of a class are drawn is chance"):
        tk.anonymize(census, schema, tk.GroupedPkPerturbation(k=2, sample=0.5, kept="known"))
