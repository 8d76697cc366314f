"""The quick ways of the attack against the slow one: the same beliefs, and a sample that lies as near as it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.risk import links
from tokumei.risk.attack import Attack
from tokumei.risk.told_beliefs import Told

SCHEMA = tk.example_schema()


def alike(one: Attack, other: Attack, *, rel: float = 1e-3) -> None:
    assert one.expected == pytest.approx(other.expected, rel=rel)
    assert one.largest_belief == pytest.approx(other.largest_belief, rel=rel)
    assert (one.people, one.rows, one.above) == (other.people, other.rows, other.above)
    for name, guess in one.sensitive.items():
        assert abs(guess.right - other.sensitive[name].right) <= 0.01 * guess.people
        assert guess.without == other.sensitive[name].without
    assert (one.linked is None) == (other.linked is None)
    if one.linked is not None and other.linked is not None:
        assert abs(one.linked - other.linked) <= 4 * np.sqrt(one.expected + 1)


@pytest.mark.parametrize("tells", ["all", 2])
@pytest.mark.parametrize("options", [{"k": 4}, {"k": 11, "kept": "known"}])
def test_groups_are_attacked_together_as_one_by_one(
    monkeypatch: pytest.MonkeyPatch, tells: Any, options: dict[str, Any]
) -> None:
    frame = tk.example_census(rows=400)
    method = tk.GroupedPkPerturbation(tells=tells, **options)
    together = tk.attack(frame, method, SCHEMA, random_state=1)
    monkeypatch.setattr(links, "BLOCK", 0)
    alike(tk.attack(frame, method, SCHEMA, random_state=1), together)
    assert "group by group" in together.ways


@pytest.mark.parametrize("tells", ["all", 2])
@pytest.mark.parametrize("sample", [None, 300])
def test_what_is_known_cuts_a_table_into_blocks(
    monkeypatch: pytest.MonkeyPatch, tells: Any, sample: int | None
) -> None:
    """People and rows that agree in the known columns, by themselves or by a matrix that forbids all other pairs."""
    frame = tk.example_census(rows=400)
    schema = SCHEMA.replacing(tk.Attribute("sex", "insensitive", SCHEMA["sex"].domain))
    method = tk.PkPerturbation(k=3, tells=tells, kept="known", sample=sample)
    release = tk.anonymize(frame, schema, method, seed=1)
    quick = tk.attack(frame, release, schema)

    def slow(target: links.Target) -> links.Links:
        people, rows = np.arange(target.table.rows), np.arange(target.release.rows)
        return links._alone(target, people, rows, None, target.known, 1.0)

    monkeypatch.setattr("tokumei.risk.attack.links", slow)
    alike(tk.attack(frame, release, schema), quick, rel=0.02)


def test_a_sample_of_rows_as_they_are_is_counted() -> None:
    """Among f people who are alike, s of whom were drawn, each is in a given row with probability 1/f."""
    frame = pd.DataFrame({"a": [0] * 30 + [1] * 10 + [2] * 5 + [3]})
    schema = tk.Schema([tk.Attribute("a", domain=tk.Categories([0, 1, 2, 3]))])
    release = tk.anonymize(frame, schema, tk.Sampling(36, known=1), seed=2)
    drawn = release.frame["a"].value_counts()
    found = tk.attack(frame, release, schema)
    assert found.expected == pytest.approx(len(drawn), rel=2e-3)
    assert found.people == 46


@pytest.mark.parametrize("tells", [1, 2, (tk.tells.Subsets(3, cells=4), tk.tells.Subsets(1))])
@pytest.mark.parametrize(("k", "sample"), [(1.05, None), (4, None), (4, 250)])
def test_what_rows_tell_is_believed_as_by_all_pairs(
    monkeypatch: pytest.MonkeyPatch, tells: Any, k: float, sample: int | None
) -> None:
    frame = tk.example_census(rows=350)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=k, tells=tells, sample=sample), seed=4)
    quick = tk.attack(frame, release, SCHEMA)
    told = links._looked_at
    monkeypatch.setattr(  # a column in which all are alike changes nothing, and all pairs are gone through
        links, "_looked_at", lambda r, t, d, g: (told(r, t, d, g)[0], [links._alike(t.rows, d.rows)])
    )
    slow = tk.attack(frame, release, SCHEMA)
    alike(slow, quick)
    assert slow.ways == quick.ways


def test_a_random_sample_of_people_is_as_near_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = tk.example_census(rows=2500)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)
    every = tk.attack(frame, release, SCHEMA)
    assert every.out_of is None
    assert every.error is None
    for name, less in (("PAIRS", 1e5), ("SAMPLE", 1e5), ("PEOPLE", 600)):
        monkeypatch.setattr(links, name, less)
    some = tk.attack(frame, release, SCHEMA)
    assert (some.people, some.out_of) == (600, 2500)
    assert some.error is not None
    assert abs(some.expected / some.people - every.expected / every.people) < 4 * some.error / some.people
    assert some.error / some.expected < 0.1
    assert some.largest_belief <= every.largest_belief * 1.2
    (guess,), (whole,) = some.sensitive.values(), every.sensitive.values()
    assert guess.right / guess.people == pytest.approx(whole.right / whole.people, abs=0.08)
    assert "a random sample of 600 people out of 2,500 was attacked" in str(some)
    assert tk.attack(frame, release, SCHEMA) == some


def test_links_of_sampled_people_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With hardly any noise the attacker links most people, of the sample as of all; and of nobody's row it is sure by halves alone."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.integers(0, 12, 1500) for name in "abc"})
    schema = tk.Schema([tk.Attribute(name, domain=tk.Categories(list(range(12)))) for name in "abc"])
    method = tk.PkPerturbation(k=1.01, tells="all")
    every = tk.attack(frame, method, schema, random_state=3)
    for name, less in (("PAIRS", 1e5), ("SAMPLE", 1e5), ("PEOPLE", 700)):
        monkeypatch.setattr(links, name, less)
    some = tk.attack(frame, method, schema, random_state=3)
    assert every.linked is not None
    assert some.linked is not None
    share = every.linked / every.people
    assert share > 0.02
    assert abs(some.linked / 700 - share) < 4 * np.sqrt(share / 700)


def test_told_beliefs_sum_to_one_a_row() -> None:
    """The loops' own sums, by powers of scales, against beliefs written out for every person and tuple."""
    frame = tk.example_census(rows=120)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=2, tells=1), seed=1)
    seen: list[Told] = []
    made = Told.__init__

    def kept(self: Told, *given: Any) -> None:
        made(self, *given)
        seen.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Told, "__init__", kept)
        tk.attack(frame, release, SCHEMA)
    told, telling = seen[0], release.mechanism.telling
    assert telling is not None
    beliefs = np.zeros(len(told.rows))
    for person in range(120):
        one = told.people[told.person_of[person]]
        r = told._scales[told.person_of[person]]
        for place, (cluster, code) in enumerate(told.rows.tolist()):
            columns = telling.clusters[cluster].columns
            cells = [list(telling.columns).index(name) for name in columns]
            mine = 0
            for size, at in zip(telling.shape(telling.clusters[cluster]), cells, strict=True):
                mine = mine * size + int(one[at])
            gain = 1 / float(telling.clusters[cluster].channel.ratio) if mine == code else 1.0
            x = told._swept[place] * gain * r
            beliefs[place] += 0.5 * (1 - np.sqrt(1 - 4 * x))
    assert beliefs == pytest.approx(np.ones(len(beliefs)), abs=2e-3)


@pytest.mark.parametrize("block", [2**14, 2**22])
def test_a_sample_has_its_share_of_people_of_every_part(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """The few of a small part are believed in most: a sample with too few of them, or all of them, would not be one of everybody."""
    rng, people = np.random.default_rng(4), 6000
    ages = tk.Numbers(0, 39, step=1)
    schema = tk.Schema(
        [
            tk.Attribute("a", domain=ages),
            tk.Attribute("b", domain=ages),
            tk.Attribute("part", "insensitive", tk.Categories(["large", "small"])),
        ]
    )
    frame = pd.DataFrame({name: rng.integers(0, 40, people) for name in "ab"})
    frame["part"] = np.where(np.arange(people) < 5200, "large", "small")
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=50, kept="known", tells="all"), seed=1)
    every = tk.attack(frame, release, schema)
    for name, value in (("BLOCK", block), ("PAIRS", 1e5), ("SAMPLE", 6e5), ("PEOPLE", 400)):
        monkeypatch.setattr(links, name, value)
    some = tk.attack(frame, release, schema)
    assert some.out_of == people and 300 < some.people < 600 and some.error is not None
    assert abs(some.expected / some.people - every.expected / people) < 4 * some.error / some.people
