"""Rows that tell one thing each, against the exact adversary: what is stated is never broken, and is reached.

Probabilities are worked out here from the integers of the manifest alone, output by output.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.privacy.exact import sampled_posteriors, worst_posterior

Subsets = tk.tells.Subsets
A = tk.Attribute("a", domain=tk.Categories(["x", "y"]))
B = tk.Attribute("b", domain=tk.Categories([False, True]))
C = tk.Attribute("c", domain=tk.Categories(["u", "v", "w"]))
D = tk.Attribute("d", domain=tk.Numbers(0, 3, step=1))
GAPS = tk.Attribute("g", domain=tk.Categories(["only", "other"]), missing=True)
LEVELS = tk.Attribute(
    "l", domain=tk.Categories(["p", "q", "r"]), hierarchy=tk.Hierarchy.groups({"p or q": ["p", "q"], "just r": ["r"]})
)

# columns, and what rows tell
DESIGNS: dict[str, tuple[list[tk.Attribute], Any]] = {
    "one of two": ([A, B], 1),
    "one of two, unlike": ([A, C], 1),
    "both": ([A, B], 2),
    "one or both": ([A, B], (Subsets(1, weight=3), Subsets(2))),
    "named": ([A, B], (Subsets(("a",), weight=5), Subsets(("a", "b"), weight=2))),
    "one with gaps": ([A, GAPS], 1),
    "fine or coarse": ([A, D], (Subsets(2, cells=2), Subsets(1))),
    "coarse only": ([D, A], (Subsets(1, cells=2),)),
    "by its hierarchy": ([LEVELS], (Subsets(1, cells=2), Subsets(1))),
    "two of three": ([A, B, tk.Attribute("e", domain=tk.Categories(["s", "t"]))], 2),
}


def states(attribute: dict[str, Any]) -> int:
    """Count the values that a described column may have, a missing one included."""
    domain = attribute["domain"]
    points = len(domain["values"]) if domain["kind"] == "categories" else round(domain["high"] - domain["low"]) + 1
    return points + int(bool(attribute.get("missing")))


def cells(column: dict[str, Any], grid: int) -> list[int]:
    """Return the cell of each true value of a column; here a line has the order of the codes."""
    points = states(column["original"]) - int(bool(column["original"].get("missing")))
    starts = column["grids"][grid]
    found = [sum(start <= value for start in starts) - 1 if starts else value for value in range(points)]
    return found + [max(found) + 1] * int(bool(column["original"].get("missing")))


def outputs(telling: dict[str, Any]) -> tuple[list[Any], list[Any], np.ndarray]:
    """Return all outputs, all true records, and the probability of each output given each record."""
    names = list(telling["columns"])
    records = list(itertools.product(*(range(states(telling["columns"][n]["original"])) for n in names)))
    whole = sum(cluster["weight"] for cluster in telling["clusters"])
    made, rows = [], []
    for place, cluster in enumerate(telling["clusters"]):
        seen = [
            cells(telling["columns"][n], grid) for n, grid in zip(cluster["columns"], cluster["grids"], strict=True)
        ]
        tuples = list(itertools.product(*(range(max(each) + 1) for each in seen)))
        keep, other = cluster["channel"]["keep"], cluster["channel"]["other"]
        for told in tuples:
            made.append((place, told))
            rows.append(
                [
                    cluster["weight"]
                    / whole
                    * (
                        keep * (tuple(seen[i][r[names.index(n)]] for i, n in enumerate(cluster["columns"])) == told)
                        + other
                    )
                    / (keep + other * len(tuples))
                    for r in records
                ]
            )
    return made, records, np.array(rows)


def frame_of(attributes: Sequence[tk.Attribute], rows: int) -> pd.DataFrame:
    assert all(a.domain is not None for a in attributes)
    return pd.DataFrame({a.name: a.domain.values_of(np.zeros(rows, np.uint8)).to_pandas() for a in attributes})  # type: ignore[union-attr]


def stated(attributes: Sequence[tk.Attribute], rows: int, method: Any) -> tk.Release:
    return tk.anonymize(frame_of(attributes, rows), tk.Schema(list(attributes)), method, seed=1)


@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("k", [1.3, 1.9])
@pytest.mark.parametrize("which", DESIGNS)
def test_no_table_and_no_release_breaks_the_promise(which: str, k: float, rows: int) -> None:
    attributes, tells = DESIGNS[which]
    release = stated(attributes, rows, tk.PkPerturbation(k=k, tells=tells))
    promised = release.guarantees[0].value
    assert k <= promised <= k * (1 + 1e-6)
    _, _, matrix = outputs(release.mechanism.describe()["telling"])
    assert np.allclose(matrix.sum(axis=0), 1, atol=1e-12)
    worst = worst_posterior(matrix, rows)
    assert worst <= 1 / promised * (1 + 1e-12)
    assert worst == pytest.approx(1 / promised, rel=1e-9)  # and it is reached


def test_more_rows() -> None:
    release = stated([A, B], 5, tk.PkPerturbation(k=2.5, tells=1))
    worst = worst_posterior(outputs(release.mechanism.describe()["telling"])[2], 5)
    assert worst == pytest.approx(1 / release.guarantees[0].value, rel=1e-9)


@pytest.mark.parametrize("which", DESIGNS)
def test_epsilon_is_that_of_a_whole_row(which: str) -> None:
    attributes, tells = DESIGNS[which]
    release = stated(attributes, 40, tk.PkPerturbation(k=3, tells=tells))
    (epsilon,) = (each.value for each in release.guarantees if each.notion == "local differential privacy")
    _, _, matrix = outputs(release.mechanism.describe()["telling"])
    largest = float(np.max(np.log(matrix.max(axis=1) / matrix.min(axis=1))))
    assert epsilon == pytest.approx(largest, rel=1e-9)


# Ways to get it wrong, which the same adversary catches.


def kernel(normalise: Callable[[np.ndarray], np.ndarray], t: float) -> np.ndarray:
    """Two columns, one told a row, replaced by labels that are not equally likely."""
    records, shares = list(itertools.product(range(2), range(3))), ([0.05, 0.95], [0.02, 0.08, 0.9])
    parts = [
        np.array(
            [[share * (1 + t * (record[column] == value)) for record in records] for value, share in enumerate(of)]
        )
        for column, of in enumerate(shares)
    ]
    return np.concatenate([normalise(part) for part in parts])


def test_unequal_replacement_normalised_cluster_by_cluster_is_caught() -> None:
    rows, k = 3, 1.5
    t = math.sqrt((rows - 1) / (k - 1)) - 1
    wrong = kernel(lambda part: part / part.sum(axis=0) / 2, t)
    assert np.allclose(wrong.sum(axis=0), 1)
    assert worst_posterior(wrong, rows) > 1 / k * 1.1
    raw = kernel(lambda part: part, t)
    right = raw / raw.sum(axis=0)
    assert worst_posterior(right, rows) <= 1 / k * (1 + 1e-12)


def test_choosing_what_is_told_by_looking_at_the_row_is_caught() -> None:
    """Were a rare value told more often, the choice itself would speak."""
    rows, k = 3, 1.5
    release = stated([A, B], rows, tk.PkPerturbation(k=k, tells=1))
    made, records, matrix = outputs(release.mechanism.describe()["telling"])
    likelier = np.array([[2.0 if (place == 0) == (r[0] == 1) else 1.0 for r in records] for place, _ in made])
    looking = matrix * likelier
    assert worst_posterior(looking / looking.sum(axis=0), rows) > 1 / k * 1.05


def test_spending_the_budget_on_two_clusters_of_one_row_is_caught() -> None:
    rows, k = 3, 1.5
    release = stated([A, B], rows, tk.PkPerturbation(k=k, tells=1))
    one = outputs(stated([A], rows, tk.PkPerturbation(k=k, tells=1)).mechanism.describe()["telling"])[2]
    assert release.mechanism.telling is not None
    assert worst_posterior(np.kron(one, one), rows) > 1 / k * 1.1


# From the table to the release: samples, strata, kept columns, people with several rows.

LABELS = {"a": ["x", "y"], "b": ["s", "t"], "z": ["u", "v"], "town": ["n", "m"]}


def schema_of(roles: dict[str, Any], most: int | None) -> tk.Schema:
    made = [tk.Attribute(name, role, tk.Categories(LABELS[name])) for name, role in roles.items()]
    return tk.Schema([*made, *([tk.Attribute("who", "person", most=most)] if most else [])])


def worst_links(
    release: tk.Release, frame: pd.DataFrame, taken: Sequence[int] | None, hidden: bool
) -> tuple[float, float]:
    """The largest posterior of a person, over all releases with these kept cells: membership secret, and known."""
    made, records, matrix = outputs(release.mechanism.describe()["telling"])
    names = list(release.mechanism.describe()["telling"]["columns"])
    codes = {name: frame[name].map(labels.index).to_numpy() for name, labels in LABELS.items()}
    true = [records.index(tuple(int(codes[n][row]) for n in names)) for row in range(len(frame))]
    kept = {n: release.frame[n].map(LABELS[n].index).to_numpy() for n in release.mechanism.kept}
    who = frame["who"].to_numpy() if "who" in frame else np.arange(len(frame))
    strata = codes["town"] if taken is not None else np.zeros(len(frame), dtype=int)
    size, fits = release.rows, np.ones((len(frame), release.rows))
    for name, shown in kept.items():
        fits *= shown[None, :] == codes[name][:, None]
    labels = kept["town"] if taken is not None and not hidden else None
    found = [0.0, 0.0]
    for shown in itertools.product(range(len(made)), repeat=size):
        likelihood = matrix[np.array(shown)[None, :], np.array(true)[:, None]] * fits
        posterior = sampled_posteriors(
            likelihood, strata, taken or (size,), None if labels is None else labels.tolist()
        )
        found[0] = max(found[0], _of_people(posterior, who))
        if size == len(frame):
            continue
        for drawn in itertools.combinations(range(len(frame)), size):
            mine = list(drawn)
            if taken is None or tuple(np.bincount(strata[mine], minlength=2)) == tuple(taken):
                alone = sampled_posteriors(likelihood[mine], [0] * size, (size,))
                found[1] = max(found[1], _of_people(alone, who[mine]))
    return found[0], found[1]


def _of_people(posterior: np.ndarray, who: np.ndarray) -> float:
    together = np.zeros((who.max() + 1, posterior.shape[1]))
    np.add.at(together, who, posterior)
    return float(together.max())


CASES: dict[str, dict[str, Any]] = {
    "whole": {"roles": {"a": "quasi_identifier", "b": "quasi_identifier"}},
    "perturb": {"roles": {"a": "quasi_identifier", "b": "insensitive"}, "kept": "perturb"},
    "known": {"roles": {"a": "quasi_identifier", "b": "quasi_identifier", "z": "sensitive"}, "kept": "known"},
    "sample": {"roles": {"a": "quasi_identifier", "b": "quasi_identifier"}, "sample": 2},
    "sample, membership known": {
        "roles": {"a": "quasi_identifier", "b": "quasi_identifier"},
        "sample": 3,
        "membership": "known",
    },
    "sample, known": {
        "roles": {"a": "quasi_identifier", "b": "quasi_identifier", "z": "sensitive"},
        "kept": "known",
        "sample": 3,
    },
    "coins": {
        "roles": {"a": "quasi_identifier", "b": "quasi_identifier"},
        "sample": tk.samples.Bernoulli(0.5, redraw_above=3),
    },
    "strata": {
        "roles": {"a": "quasi_identifier", "b": "quasi_identifier", "town": "insensitive"},
        "sample": tk.samples.Stratified("town", {"n": 2, "m": 1}),
    },
    "hidden strata": {
        "roles": {"a": "quasi_identifier", "b": "quasi_identifier", "town": "insensitive"},
        "sample": tk.samples.Stratified("town", {"n": 2, "m": 1}, labels="hidden"),
    },
    "people": {"roles": {"a": "quasi_identifier", "b": "quasi_identifier"}, "people": True},
    "people, sample": {"roles": {"a": "quasi_identifier", "b": "quasi_identifier"}, "people": True, "sample": 3},
    "people, known": {
        "roles": {"a": "quasi_identifier", "b": "quasi_identifier", "z": "sensitive"},
        "kept": "known",
        "people": True,
    },
}


@pytest.mark.parametrize("tells", [1, 2, (Subsets(1), Subsets(2, weight=2))], ids=["one", "both", "mixed"])
@pytest.mark.parametrize("which", CASES)
def test_the_stated_promise_against_every_release_of_random_tables(which: str, tells: Any) -> None:
    case = dict(CASES[which])
    roles, people, sample = case.pop("roles"), case.pop("people", False), case.get("sample")
    stratified = isinstance(sample, tk.samples.Stratified)
    rng, reached, played = np.random.default_rng(5), 0.0, 0
    for turn in range(60):
        rows = 3 if sample is None else 4
        frame = pd.DataFrame({name: rng.choice(labels, rows) for name, labels in LABELS.items()})
        frame["town"] = (["n"] * 2 + ["m"] * 2)[:rows] if not stratified else ["n", "n", "m", "m"]
        if people:
            frame["who"] = np.unique(rng.integers(0, 3, rows), return_inverse=True)[1]
        most = int(np.bincount(frame["who"]).max()) if people else None
        method = tk.PkPerturbation(k=1 + 0.5 * rng.random(), tells=tells, **case)
        try:
            columns = [*roles, *(["who"] if people else [])]
            release = tk.anonymize(frame[columns], schema_of(roles, most), method, seed=turn)
        except tk.errors.InfeasiblePromise:
            continue
        played += 1
        found = worst_links(release, frame, (2, 1) if stratified else None, which == "hidden strata")
        values = [each.value for each in release.guarantees if each.notion == "Pk-anonymity"]
        for value, worst in zip(values, found, strict=False):
            assert worst * value <= 1 + 1e-9
            reached = max(reached, worst * value)
        if played == 3:
            break
    assert played == 3
    assert reached > 0.9


def test_two_releases_joined_by_a_column_that_was_thought_unknown() -> None:
    """What `combine` states is reached by an attacker who has joined the rows, and not passed."""
    frame = pd.DataFrame({"a": ["x", "y", "x"], "b": ["s", "t", "t"], "z": ["u", "v", "u"]})
    schema = schema_of({"a": "quasi_identifier", "b": "quasi_identifier", "z": "sensitive"}, None)
    releases = [tk.anonymize(frame, schema, tk.PkPerturbation(k=k, tells=1), seed=s) for s, k in enumerate((1.8, 2.2))]
    promised = tk.combine(releases)[0].value
    one, two = (outputs(release.mechanism.describe()["telling"])[2] for release in releases)
    joint = (one[:, None, :] * two[None, :, :]).reshape(-1, one.shape[1])
    assert worst_posterior(joint, 3) == pytest.approx(1 / promised, rel=1e-9)
    assert promised < 1.8


# What cannot be asked for.


@pytest.mark.parametrize(
    ("tells", "message"),
    [
        (3, "a row cannot tell 3 columns, since only 2 are perturbed"),
        ((Subsets(("a",)),), "no row would tell 'b'"),
        ((Subsets(("a", "c")),), "tells names 'c', which is not perturbed"),
        ((), "at least one part"),
    ],
)
def test_what_cannot_be_told(tells: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        stated([A, B], 5, tk.PkPerturbation(k=2, tells=tells))


def test_too_many_combinations() -> None:
    """What a row tells could be written, and never read."""
    many = [tk.Attribute(name, domain=tk.Categories(range(3000))) for name in "xy"]
    with pytest.raises(InvalidParameter, match="'x', 'y' have 9,000,000 combinations of values together"):
        stated(many, 9, tk.PkPerturbation(k=2, tells=2))
    assert stated(many, 9, tk.PkPerturbation(k=2)).mechanism.telling is not None


@pytest.mark.parametrize("tells", [0, -1, "some", [Subsets(1), "x"], True, 1.5])
def test_what_is_no_way_to_tell(tells: Any) -> None:
    with pytest.raises(InvalidParameter, match="tells"):
        tk.PkPerturbation(k=2, tells=tells)


def test_a_split_is_for_rows_that_tell_everything() -> None:
    with pytest.raises(InvalidParameter, match="split shares the budget"):
        tk.PkPerturbation(k=2, split={"a": 1.0, "b": 2.0}, tells=1)
