"""The fits and tables of a model against the slow way: whole matrices, row by row and class by class, without anything left out or shared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tokumei.partition import Mondrian
from tokumei.reconstruction import _expected
from tokumei.reconstruction._expected import expected_tables
from tokumei.reconstruction._mixture import Mixture, Observed, fit, marginals, settle, started
from tokumei.reconstruction._observed import modelled

ROWS = 240
METHODS = {
    "all columns": tk.PkPerturbation(k=3, tells="all"),
    "one thing a row": tk.PkPerturbation(k=3, tells="auto"),
    "groups": tk.GroupedPkPerturbation(k=5),
    "boxes": tk.Generalization(k=5, partition=Mondrian()),
    "near rows": tk.Generalization(k=5),
}


@pytest.fixture(scope="module", params=list(METHODS))
def observed(request: Any) -> Observed:
    people, schema = tk.example_census(rows=ROWS), tk.example_schema()
    return modelled(tk.anonymize(people, schema, METHODS[request.param], seed=3)).observed


def slowly_seen(observed: Observed, thetas: Any, likelihoods: Any) -> tuple[Any, Any, Any]:
    """Return the masses, and the likelihood of each thing by class with the part of its first product."""
    masses = np.concatenate([each @ theta.T for each, theta in zip(likelihoods, thetas, strict=True)])
    both = []
    for part in (observed.first, observed.second):
        made = [
            part.factors[t] * np.prod(masses[part.entries[part.starts[t] : part.starts[t + 1]]], axis=0)
            for t in range(len(part.factors))
        ]
        both.append(np.stack(made))
    return masses, both[0] + both[1], both[0] / np.maximum(both[0] + both[1], 1e-300)


def slowly_tightened(hull: Any, base: Any, theta: Any, added: Any) -> Any:
    """Return what boxes say: value by value, by the formulas at the top of `_hulls`."""
    logs, totals = np.zeros(hull.needed.shape), np.zeros(len(hull.rows))
    for t, u in enumerate(hull.unit):
        if u < 0:
            continue
        believed = base[t] * ((added[t] / np.maximum(base[t] @ theta.T, 1e-300)) @ theta)
        if believed.sum() <= 0:
            continue
        believed, totals[u] = believed / believed.sum(), totals[u] + added[t].sum()
        for x in range(len(believed)):
            if hull.needed[u, x]:
                logs[u, x] += added[t].sum() * np.log1p(-min(believed[x], 1 - 1e-9))
            elif hull.parts[u, x] >= 0:
                same = believed[hull.parts[u] == hull.parts[u, x]].sum()
                logs[u, x] += added[t].sum() * np.log(max(same, 1e-12))
    made = base.copy()
    for t, u in enumerate(hull.unit):
        if u >= 0 and totals[u] > 0:
            chance = np.maximum(-np.expm1(logs[u] * max(hull.rows[u] - 1, 0) / totals[u]), 1e-6)
            needed, parted = hull.needed[u], hull.parts[u] >= 0
            whole = max(np.prod(chance[needed]), 1e-100)
            factor = np.where(needed, whole / chance, whole)
            made[t] *= np.where(parted, np.where(needed, factor, chance), factor)
    return made


def slowly_fitted(observed: Observed, start: Mixture, prior: Any, counts: Any, steps: int) -> tuple[Mixture, float]:
    """Climb some steps."""
    shares, thetas, shown = start.shares, start.thetas, observed.likelihoods
    for step in range(1, steps + 1):
        masses, seen, kept = slowly_seen(observed, thetas, shown)
        added, classes, reached = np.zeros_like(seen), np.zeros(len(shares)), 0.0
        for row, count in zip(observed.rows, counts, strict=True):
            each = shares * np.prod(seen[row[row >= 0]], axis=0)
            reached += count * np.log(each.sum())
            classes += count * each / each.sum()
            for t in row[row >= 0]:
                added[t] += count * each / each.sum()
        if step == steps:
            return Mixture(shares, thetas), reached
        shared = np.zeros_like(masses)
        for t in range(len(seen)):
            for part, weight in ((observed.first, kept[t]), (observed.second, 1 - kept[t])):
                for entry in part.entries[part.starts[t] : part.starts[t + 1]]:
                    shared[entry] += added[t] * weight
        moved = []
        for place, likelihood, theta, imagined in zip(observed.places, shown, thetas, prior, strict=True):
            made = theta * ((shared[place] / np.maximum(masses[place], 1e-300)).T @ likelihood) + imagined
            moved.append(made / made.sum(axis=1, keepdims=True))
        thetas, shares = tuple(moved), (classes + 1) / (classes + 1).sum()
        if observed.tight:
            shown = tuple(
                base if hull is None else slowly_tightened(hull, base, theta, shared[place])
                for hull, base, theta, place in zip(
                    observed.hulls, observed.likelihoods, thetas, observed.places, strict=True
                )
            )
    raise AssertionError


@pytest.mark.parametrize("size", [1, 5])
def test_a_fit_climbs_like_the_slow_way(observed: Observed, size: int) -> None:
    counts = observed.counted(observed.weights)
    start = started(size, marginals(observed, counts), np.random.default_rng(1))
    prior = [4.0 * theta.mean(axis=0) for theta in start.thetas]
    found = fit(observed, start, prior, counts, steps=4)
    mixture, reached = slowly_fitted(observed, start, prior, counts, steps=4)
    assert found.log_likelihood == pytest.approx(reached, rel=1e-9)
    assert float(counts @ found.each) == pytest.approx(reached, rel=1e-9)
    np.testing.assert_allclose(found.mixture.shares, mixture.shares, rtol=1e-8)
    for one, other in zip(found.mixture.thetas, mixture.thetas, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-12)
    assert np.abs(found.mixture.thetas[0] - start.thetas[0]).max() > 1e-4  # it has moved


@pytest.mark.parametrize("at_once", [False, True])
def test_tables_are_those_of_the_slow_way(
    observed: Observed, at_once: bool, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_expected, "MANY", -1 if at_once else 10**9)
    which = request.node.callspec.params["observed"]
    counts = observed.counted(observed.weights)
    mixture = started(4, marginals(observed, counts), np.random.default_rng(2))
    if observed.tight:
        shown = settle(observed, mixture, counts)
        loose = tuple(
            np.zeros(len(each)) if hull is None else (hull.unit >= 0).astype(float)
            for each, hull in zip(observed.likelihoods, observed.hulls, strict=True)
        )
        observed = Observed(
            **{
                **{name: getattr(observed, name) for name in observed.__dataclass_fields__},
                "likelihoods": shown,
                "hulls": (),
                "bases": observed.likelihoods,
                "loose": loose,
                "trust": 0.4 if which == "near rows" else 1.0,
                "spreads": tuple(  # every box its own
                    (which == "boxes") * each * np.where(np.arange(len(each)) % 2, 0.3, 0.1) for each in loose
                ),
            }
        )
    assert observed.bent == (which in {"near rows", "boxes"})
    columns = [0, 1, len(observed.likelihoods) - 1]
    eyes = [np.eye(observed.sizes[each]) for each in columns]
    asked = [([columns[0]], eyes[:1]), (columns[:2], eyes[:2]), (columns[1::-1], eyes[1::-1]), (columns, eyes)]
    of_one, of_two, turned, of_three = expected_tables(observed, mixture, asked)
    whole = slow_table(observed, mixture, columns, counts)
    near: Any = {"rtol": 1e-6, "atol": 1e-6} if at_once else {"rtol": 1e-7, "atol": 1e-12}  # added up in 32 bits
    np.testing.assert_allclose(of_three, whole, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(of_two, whole.sum(axis=2), **near)
    np.testing.assert_allclose(turned, whole.sum(axis=2).T, **near)
    np.testing.assert_allclose(of_one, whole.sum(axis=(1, 2)), **near)
    halves = np.random.default_rng(3).dirichlet(np.ones(2), observed.sizes[columns[0]])  # values shared by cells
    mixed = expected_tables(observed, mixture, [*asked[:2], (columns[:2], [halves, eyes[1]])])
    np.testing.assert_allclose(mixed[2], halves.T @ whole.sum(axis=2), **near)
    np.testing.assert_allclose(mixed[1], of_two, **near)


def slow_table(observed: Observed, mixture: Mixture, columns: list[int], counts: Any) -> Any:
    """Add up what is believed of the columns, row by row, class by class, whether what is shown was kept or not."""
    masses, seen, kept = slowly_seen(observed, mixture.thetas, observed.likelihoods)
    total = np.zeros([observed.sizes[each] for each in columns])
    for row, count in zip(observed.rows, counts, strict=True):
        there = row[row >= 0]
        each = mixture.shares * np.prod(seen[there], axis=0)
        each = count * each / each.sum()
        for c in range(mixture.size):
            made = believed(observed, mixture, masses, kept, there.tolist(), columns, c)
            total += each[c] * made
    return total / total.sum()


def believed(
    observed: Observed, mixture: Mixture, masses: Any, kept: Any, there: list[int], columns: list[int], c: int
) -> Any:
    two = [t for t in there if observed.second.factors[t] > 0]  # things that may have been replaced: one at most
    worlds = [(1.0, observed.first)]
    if two:
        worlds = [(kept[two[0], c], observed.first), (1 - kept[two[0], c], observed.second)]
    out = 0.0
    for chance, part in worlds:
        entries = [
            e
            for t in there
            for p in [part if t in two else observed.first]
            for e in p.entries[p.starts[t] : p.starts[t + 1]]
        ]
        cells = []
        for column in columns:
            place, theta = observed.places[column], mixture.thetas[column][c]
            own = [int(e) - place.start for e in entries if place.start <= e < place.stop]
            cell = theta
            if own:
                cell = observed.likelihoods[column][own[0]] * theta / masses[place, c][own[0]]
                if observed.bases and observed.loose[column][own[0]]:
                    base, power = observed.bases[column][own[0]], np.zeros(len(theta))
                    for x in np.flatnonzero(base):
                        power[x] = (
                            base[x] * (observed.likelihoods[column][own[0]][x] * theta[x] / base[x]) ** observed.trust
                        )
                    share = observed.spreads[column][own[0]]
                    cell = (1 - share) * power / power.sum() + share * base / base.sum()
            cells.append(cell)
        joint = cells[0]
        for cell in cells[1:]:
            joint = joint[..., None] * cell
        out = out + chance * joint
    return out
