from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import tokumei as tk
from tests.conftest import columns_of
from tests.release.forging import rewrite
from tokumei.anonymizers.sample import choose, fixed_size
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter, ReleaseError
from tokumei.privacy.sampling import HidingPlace, risk_in_strata
from tokumei.randomness import Key
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 9, step=1)),
        tk.Attribute("town", "insensitive", tk.Categories(["A", "B", "C"])),
        tk.Attribute("row", "insensitive"),
    ]
)
TABLE = pd.DataFrame({"age": np.arange(100) % 10, "town": ["A"] * 60 + ["B"] * 30 + ["C"] * 10, "row": np.arange(100)})
CODED = encode(to_arrow(TABLE)[0], SCHEMA)


def test_a_sample_as_it_is_against_partial_knowledge(make) -> None:
    release = tk.anonymize(make(TABLE.to_dict("list")), SCHEMA, tk.Sampling(41, known=20))
    found = columns_of(release.frame)
    assert len(found["row"]) == len(set(found["row"])) == 41
    assert [row % 10 for row in found["row"]] == found["age"]  # rows are whole
    guarantee = release.guarantees[0]
    assert guarantee.notion == "sampling anonymity"
    assert guarantee.value == pytest.approx(float(1 / tk.samples.partial_risk(100, 20, 41)))
    assert "20 of the 100 people" in guarantee.headline


def test_samples_survive_a_manifest(tmp_path) -> None:
    for method in (
        tk.Sampling(41, known=20),
        tk.PkPerturbation(k=3, sample=0.5, tells="all"),
        tk.PkPerturbation(k=3, sample=tk.samples.Stratified("town", 5), tells="all"),
    ):
        release = tk.anonymize(TABLE, SCHEMA, method)
        release.write(tmp_path / "out", overwrite=True)
        again = tk.read_release(tmp_path / "out")
        assert again.guarantees == release.guarantees
        assert again.mechanism.population(again.rows) == 100


def test_k_is_refused_or_kept() -> None:
    assert tk.samples.largest_sample(100, 20, 4) == 21
    assert tk.anonymize(TABLE, SCHEMA, tk.Sampling(21, known=20, k=4)).guarantees[0].value >= 4
    with pytest.raises(InfeasiblePromise, match=r"k = 4 does not hold for 22 of 100 rows, .*draw at most 21"):
        tk.anonymize(TABLE, SCHEMA, tk.Sampling(22, known=20, k=4))
    with pytest.raises(InfeasiblePromise, match="so the largest k is 5"):
        tk.anonymize(TABLE, SCHEMA, tk.Sampling(2, known=20, k=6))


def test_every_sample_is_equally_likely() -> None:
    small = encode(to_arrow(TABLE.head(5))[0], SCHEMA)
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(3000):
        seen[tuple(choose(2, small, Key.seeded(seed)).order.tolist())] += 1
    assert len(seen) == 20
    assert stats.chisquare(list(seen.values())).pvalue > 1e-4


def test_strata_have_their_sizes_and_a_uniform_order() -> None:
    first = Counter()
    for seed in range(600):
        drawn = choose(tk.samples.Stratified("town", {"A": 2, "C": 6}), CODED, Key.seeded(seed))
        labels = [TABLE["town"][row] for row in drawn.order]
        assert Counter(labels) == {"A": 2, "C": 6}
        first[labels[0]] += 1
    assert stats.binomtest(first["A"], 600, 2 / 8).pvalue > 1e-4  # a thinly sampled stratum does not come first


def test_each_row_of_a_stratum_is_drawn_as_often() -> None:
    seen = Counter(
        int(row)
        for seed in range(800)
        for row in choose(tk.samples.Stratified("town", 3), CODED, Key.seeded(seed)).order
    )
    counts = [seen[row] for row in range(90, 100)]
    assert stats.chisquare(counts).pvalue > 1e-4


def test_bernoulli_in_its_two_honest_forms() -> None:
    sizes = [len(choose(tk.samples.Bernoulli(0.3, delta=0.01), CODED, Key.seeded(seed)).order) for seed in range(300)]
    assert stats.binomtest(sum(sizes), 30_000, 0.3).pvalue > 1e-4
    assert choose(tk.samples.Bernoulli(0.3, delta=0.01), CODED, Key.seeded(1)).planned >= 40
    capped = [
        len(choose(tk.samples.Bernoulli(0.3, redraw_above=30), CODED, Key.seeded(seed)).order) for seed in range(100)
    ]
    assert max(capped) <= 30
    release = tk.anonymize(
        TABLE, SCHEMA, tk.PkPerturbation(k=3, sample=tk.samples.Bernoulli(0.3, redraw_above=30), tells="all")
    )
    assert release.guarantees[0].value >= 3


def test_perturbed_samples_state_k_twice() -> None:
    release = tk.anonymize(TABLE, SCHEMA, tk.PkPerturbation(k=5, sample=40, tells="all"))
    secret, known, epsilon = release.guarantees
    assert secret.value == pytest.approx(5, rel=1e-6)
    assert 1 < known.value < 5
    assert "does not know which people were sampled" in secret.headline
    assert "even one who knows who was sampled" in known.headline
    assert epsilon.notion == "local differential privacy"
    solved = tk.anonymize(TABLE, SCHEMA, tk.PkPerturbation(k=5, sample=40, membership="known", tells="all"))
    assert solved.guarantees[1].value == pytest.approx(5, rel=1e-6)
    assert solved.guarantees[0].value > 5
    assert solved.mechanism.channels["age"].cost < release.mechanism.channels["age"].cost


def test_known_columns_count_in_samples_and_strata() -> None:
    both = tk.anonymize(
        TABLE.drop(columns="row"), SCHEMA.without("row"), tk.PkPerturbation(k=3, sample=0.5, kept="known", tells="all")
    )
    assert both.guarantees[0].numbers["among"] <= 60
    assert both.guarantees[0].value >= 3
    strata = tk.anonymize(
        TABLE.drop(columns="row"),
        SCHEMA.without("row"),
        tk.PkPerturbation(k=3, sample=tk.samples.Stratified("town", 4), tells="all"),
    )
    assert strata.guarantees[0].numbers == {"among": 10, "inside": 4}
    assert strata.disclosed[0].value[0] == {"label": "A", "rows": 60, "drawn": 4}
    hidden = tk.anonymize(
        TABLE.drop(columns="row"),
        SCHEMA.without("row"),
        tk.PkPerturbation(k=3, sample=tk.samples.Stratified("town", 4, labels="hidden"), tells="all"),
    )
    assert "town" not in hidden.schema.names()
    assert hidden.guarantees[0].numbers == {"among": 6 + 12, "inside": 12}
    assert [fact.name for fact in hidden.disclosed] == ["hiding_places"]


def test_rates_are_exact_decimals() -> None:
    assert fixed_size(0.29, 100) == 29
    assert fixed_size(1.0, 100) == 100
    assert fixed_size(0.001, 100) == 1


def test_counts_are_scaled_to_the_original() -> None:
    table = pd.DataFrame({"c": ["x", "y", "y"] * 400})
    schema = tk.Schema([tk.Attribute("c", domain=tk.Categories(["x", "y"]))])
    release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, sample=0.5, tells="all"), seed=1)
    model = tk.IterativeBayes(["c"]).fit(release)
    assert model.counts_.sum() == pytest.approx(1200)
    assert model.pmf_[0] == pytest.approx(1 / 3, abs=0.06)


@pytest.mark.parametrize(
    ("make_it", "error", "message"),
    [
        (
            lambda: tk.samples.Bernoulli(0.5),
            InvalidParameter,
            "may contain everyone, so nothing is guaranteed for certain",
        ),
        (
            lambda: tk.samples.Bernoulli(0.5, delta=0.1, redraw_above=3),
            InvalidParameter,
            "nothing is guaranteed for certain",
        ),
        (lambda: tk.samples.Bernoulli(1.5, delta=0.1), InvalidParameter, "rate must lie between 0 and 1"),
        (lambda: tk.samples.Bernoulli(0.5, delta=2.0), InvalidParameter, "delta must lie between 0 and 1"),
        (lambda: tk.PkPerturbation(k=2, sample=1.5, tells="all"), InvalidParameter, "a sampling rate must be above 0"),
        (lambda: tk.PkPerturbation(k=2, sample=-1, tells="all"), InvalidParameter, "at least one row"),
        (lambda: tk.PkPerturbation(k=2, sample=0, tells="all"), InvalidParameter, "at least one row"),
        (lambda: tk.samples.Stratified("town", {}), InvalidParameter, "names no stratum"),
        (lambda: tk.Sampling(5, known=0), InvalidParameter, "known must be at least 1"),
        (lambda: choose(101, CODED, Key.fresh()), InvalidParameter, "101 cannot be drawn from 100 rows"),
        (
            lambda: choose(tk.samples.Stratified("town", 11), CODED, Key.fresh()),
            DataError,
            "The stratum 'C' of 'town' has 10 rows, so 11",
        ),
        (
            lambda: choose(tk.samples.Stratified("town", {"D": 1}), CODED, Key.fresh()),
            InvalidParameter,
            "no stratum 'D'",
        ),
        (lambda: choose(tk.samples.Stratified("towm", 1), CODED, Key.fresh()), InvalidParameter, "Did you mean 'town'"),
        (lambda: choose(tk.samples.Stratified("age", 1), CODED, Key.fresh()), InvalidParameter, "must have categories"),
        (lambda: choose(tk.samples.Bernoulli(0.5, redraw_above=3), CODED, Key.fresh()), InvalidParameter, "raise it"),
        (
            lambda: tk.anonymize(TABLE, SCHEMA, tk.PkPerturbation(k=50, sample=40, membership="known", tells="all")),
            InfeasiblePromise,
            "the largest k is 40",
        ),
    ],
)
def test_samples_that_cannot_be(make_it, error, message: str) -> None:
    with pytest.raises(error, match=message):
        make_it()


def test_both_promises_can_be_solved_for_when_the_size_is_chance() -> None:
    for sample in (tk.samples.Bernoulli(0.5, redraw_above=60), tk.samples.Bernoulli(0.5, delta=1e-3)):
        for seed in range(5):
            release = tk.anonymize(
                TABLE, SCHEMA, tk.PkPerturbation(k=5, sample=sample, membership="known", tells="all"), seed=seed
            )
            assert release.guarantees[1].value >= 5


def test_known_classes_in_samples_are_read_back(tmp_path) -> None:
    frame = pd.DataFrame({"q": [0, 1] * 100, "s": [True] * 100 + [False] * 100})
    schema = tk.Schema(
        [tk.Attribute("q", domain=tk.Categories([0, 1])), tk.Attribute("s", "sensitive", tk.Categories([False, True]))]
    )
    for seed in range(15):
        release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, kept="known", sample=0.5, tells="all"), seed=seed)
        release.write(tmp_path / "out", overwrite=True, allow_seeded=True)
        assert tk.read_release(tmp_path / "out").guarantees == release.guarantees


def test_what_depends_on_the_strata_is_always_disclosed() -> None:
    """Whether everybody is in one stratum must not show in what is declared."""
    from tokumei.release.manifest import declared_and_disclosed

    declared = set()
    for towns in (["A"] * 100, ["A"] * 55 + ["B"] * 45):
        frame = TABLE.drop(columns="row").assign(town=towns)
        method = tk.PkPerturbation(k=3, sample=tk.samples.Stratified("town", 0.3, labels="hidden"), tells="all")
        one, other = declared_and_disclosed(tk.anonymize(frame, SCHEMA.without("row"), method))
        declared.add(str(one))
        assert "hiding_places" in other
    assert len(declared) == 1


def test_samples_of_numbers_that_may_be_missing_are_solved_closely() -> None:
    schema = tk.Schema([tk.Attribute("x", domain=tk.Numbers(0, 9, step=1), missing=True)])
    frame = pd.DataFrame({"x": [1.0, np.nan] * 500})
    for k in (2, 50):
        value = tk.anonymize(frame, schema, tk.PkPerturbation(k=k, sample=0.5, tells="all")).guarantees[0].value
        assert k <= value <= k * (1 + 1e-5)


def test_strata_are_weighted_when_shares_are_estimated() -> None:
    """A hundred of each stratum are drawn, but the estimate is about the original."""
    rng = np.random.default_rng(0)
    town = rng.choice(["A", "B"], 5000, p=[0.9, 0.1])
    frame = pd.DataFrame({"town": town, "q": np.where(rng.random(5000) < np.where(town == "A", 0.2, 0.8), 1, 0)})
    schema = tk.Schema(
        [
            tk.Attribute("town", "insensitive", tk.Categories(["A", "B"])),
            tk.Attribute("q", domain=tk.Categories([0, 1])),
        ]
    )
    release = tk.anonymize(
        frame, schema, tk.PkPerturbation(k=2, sample=tk.samples.Stratified("town", 400), tells="all"), seed=1
    )
    model = tk.IterativeBayes(["town", "q"]).fit(release)
    assert model.pmf_.sum(axis=1) == pytest.approx([(town == "A").mean(), (town == "B").mean()], abs=1e-3)
    assert model.pmf_[:, 1].sum() == pytest.approx(frame["q"].mean(), abs=0.05)
    assert model.counts_.sum() == pytest.approx(5000)
    hidden = tk.anonymize(
        frame, schema, tk.PkPerturbation(k=2, sample=tk.samples.Stratified("town", 400, labels="hidden"), tells="all")
    )
    with pytest.warns(tk.errors.UnweightedWarning, match="describe the sample"):
        tk.IterativeBayes(["q"]).fit(hidden)


def test_a_quasi_identifier_is_not_released_as_a_stratum() -> None:
    schema = SCHEMA.replacing(tk.Attribute("town", "quasi_identifier", tk.Categories(["A", "B", "C"])))
    with pytest.raises(InvalidParameter, match="'town' is a quasi-identifier, and released strata"):
        tk.anonymize(TABLE, schema, tk.PkPerturbation(k=3, sample=tk.samples.Stratified("town", 5), tells="all"))
    tk.anonymize(
        TABLE, schema, tk.PkPerturbation(k=3, sample=tk.samples.Stratified("town", 5, labels="hidden"), tells="all")
    )


# Strata of a sample released unchanged.


UNSEEN = Fraction(1, 10**9)  # the chance of a value that nobody knows; the risk is the limit as it vanishes


def strongest_link(
    sizes: tuple[int, ...], taken: tuple[int, ...], known: tuple[int, ...], alike: str, labels: bool
) -> Fraction:
    """The largest posterior of any link to a known person: every table the attacker thinks possible, every draw, every release.

    ``known`` people of each stratum have a value of their own. The others have, in the attacker's belief, the value of one of the known: of
    their own stratum, or of all, as ``alike`` says.
    """
    strata = [h for h, n in enumerate(sizes) for _ in range(n)]
    first = {h: sum(sizes[:h]) for h in range(len(sizes))}
    familiar = {first[h] + i: h for h, n in enumerate(known) for i in range(n)}  # who has their own number as value
    others = [person for person in range(len(strata)) if person not in familiar]
    total: Counter[tuple[tuple[int, int], ...]] = Counter()
    linked: dict[tuple[tuple[tuple[int, int], ...], int, int], Fraction] = {}
    choices = []
    for person in others:
        like = [each for each, h in familiar.items() if alike == "all" or h == strata[person]]
        like = like or list(familiar)
        choices.append([*((each, (1 - UNSEEN) / len(like)) for each in like), (-1, UNSEEN)])
    for values in itertools.product(*choices):
        weight = math.prod((chance for _, chance in values), start=Fraction(1))
        record = {**{person: person for person in familiar}, **dict(zip(others, (v for v, _ in values), strict=True))}
        parts = [
            itertools.combinations(range(first[h], first[h] + n), m)
            for h, (n, m) in enumerate(zip(sizes, taken, strict=True))
        ]
        for drawn in itertools.product(*(list(part) for part in parts)):
            people = [person for part in drawn for person in part]
            for order in itertools.permutations(people):
                release = tuple((record[p], strata[p] if labels else 0) for p in order)
                total[release] += weight  # type: ignore[assignment]
                for row, person in enumerate(order):
                    if person in familiar:
                        key = (release, person, row)
                        linked[key] = linked.get(key, Fraction(0)) + weight
    return max(weight / total[release] for (release, _, _), weight in linked.items())


@pytest.mark.parametrize("alike", ["all", "stratum"])
@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize(
    ("sizes", "taken", "known"),
    [
        ((3, 2), (1, 1), (2, 0)),
        ((3, 2), (2, 1), (1, 1)),
        ((3, 3), (1, 2), (0, 1)),
        ((4, 1), (1, 1), (2, 0)),
        ((4, 2), (2, 1), (1, 0)),
    ],
)
def test_no_link_in_strata_is_believed_more_than_promised(sizes: Any, taken: Any, known: Any, labels: bool, alike: str) -> None:  # fmt: skip
    found = strongest_link(sizes, taken, known, alike, labels)
    places = [HidingPlace(n - m, m) for n, m in zip(sizes, taken, strict=True)]
    risk, _ = risk_in_strata(places, sum(known))
    assert found <= risk * (1 + Fraction(1, 10**6))  # the mass on unseen values
    if labels:  # a stratum is a table of its own: where everyone known is of one, nothing is given away there
        (place,) = [h for h, n in enumerate(known) if n == sum(known)] or [None]
        if place is not None:
            own = tk.samples.partial_risk(sizes[place], sum(known), taken[place])
            assert found == pytest.approx(float(own), abs=1e-6)


def test_people_drawn_for_certain_are_recognized_for_certain() -> None:
    # Why probabilities that differ from person to person are not offered: the rest of the table does not help those who are always drawn.
    assert tk.samples.partial_risk(7, 1, 3) == Fraction(1, 5)
    assert strongest_link((1, 6), (1, 2), (1, 0), "all", labels=False) == pytest.approx(1, abs=1e-6)
    assert risk_in_strata([HidingPlace(0, 1), HidingPlace(4, 2)], 1)[0] == 1


@pytest.mark.parametrize("labels", ["released", "hidden"])
def test_strata_of_a_sample_as_it_is(labels: Any, tmp_path: Path) -> None:
    sample = tk.samples.Stratified("town", {"A": 20, "B": 5, "C": 1}, labels=labels)
    release = tk.anonymize(TABLE, SCHEMA, tk.Sampling(sample, known=2, k=5))
    assert release.rows == 26
    assert release.guarantees[0].value == 5  # C has 9 people who were not drawn
    release.write(tmp_path / "out")
    again = tk.read_release(tmp_path / "out")
    assert again.guarantees == release.guarantees
    assert ("strata" in {fact.name for fact in again.disclosed}) == (labels == "released")
    with pytest.raises(
        InfeasiblePromise, match="one has 9 people who are not drawn, which guarantees k = 5, and 10 would"
    ):
        tk.anonymize(TABLE, SCHEMA, tk.Sampling(sample, known=2, k=5.5))
    with pytest.raises(InvalidParameter, match="cannot know 101 of 100 people"):
        tk.anonymize(TABLE, SCHEMA, tk.Sampling(sample, known=101))


def fewer_drawn(content: Any) -> None:
    for place in (content["disclosed"]["hiding_places"]["value"][0], content["disclosed"]["strata"]["value"][2]):
        place["drawn"] = 0
    content["disclosed"]["guarantees"]["value"][0]["numbers"]["inside"] = 0


def larger_stratum(content: Any) -> None:
    place, said = content["disclosed"]["hiding_places"]["value"][0], content["disclosed"]["guarantees"]["value"][0]
    place["rows"], place["drawn"] = 60, 20
    said["numbers"].update({"among": 60, "inside": 20})
    said["value"] = 20.5
    said["assumes"][-1].update({"rows": 60, "not_drawn": 40})


def no_strata(content: Any) -> None:
    content["declared"]["method"]["sample"] = 26


@pytest.mark.parametrize("change", [fewer_drawn, larger_stratum, no_strata])
def test_forged_strata_are_refused(change: Any, tmp_path: Path) -> None:
    sample = tk.samples.Stratified("town", {"A": 20, "B": 5, "C": 1})
    tk.anonymize(TABLE, SCHEMA, tk.Sampling(sample, known=2)).write(tmp_path / "out")
    rewrite(tmp_path / "out", change)
    with pytest.raises(ReleaseError):
        tk.read_release(tmp_path / "out")
