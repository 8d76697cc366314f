"""The mixture through the array API: the numbers of the compiled loops, from an implementation that has only the standard's functions."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tests.reconstruction.test_every_release import METHODS, SCHEMA, people
from tokumei.reconstruction import _mixture as mixture
from tokumei.reconstruction import _mixture_arrays as away
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._observed import modelled
from tokumei.reconstruction._segments import Segments
from tokumei.reconstruction.release_model import ReleaseModel

STRICT = "array_api_strict"


@pytest.mark.parametrize("size", [0, 1, 7, 5000])
@pytest.mark.parametrize("targets", [1, 40, 6000])
def test_sums_by_target_are_those_of_a_loop(size: int, targets: int) -> None:
    rng = np.random.default_rng(size + targets)
    where, values = arrays(STRICT), rng.normal(size=(2, 3, 100)) * 10.0 ** rng.integers(-8, 8, 100)
    of = np.minimum(rng.geometric(0.05, size) - 1, targets - 1)  # some have many, most none
    taken = rng.integers(0, 100, size)
    expected = np.zeros((targets, 2, 3))
    np.add.at(expected, of, np.moveaxis(values, 2, 0)[taken])
    found = where.get(Segments.of(of, taken, 100, targets, where).sum(where.put(values)))
    np.testing.assert_allclose(np.moveaxis(found, 2, 0), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", ["noise", "told", "groups", "told in groups", "near rows", "cells"])
def test_every_step_is_that_of_the_compiled_loops(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(away, "BLOCK", 100)  # several blocks
    release = tk.anonymize(people(250), SCHEMA, METHODS[kind], seed=1)
    here = modelled(release, None, None).observed
    counts = here.counted(np.random.default_rng(2).gamma(2.0, size=len(here.which)))
    counts[::5] = 0
    alone = mixture.marginals(here, counts)
    starts = [mixture.started(3, alone, np.random.default_rng(seed)) for seed in range(2)]
    prior = [4.0 * each for each in alone]
    there = mixture.fit_away(replace(here, backend=STRICT), starts, prior, counts, 8)
    for start, found in zip(starts, there, strict=True):
        expected = mixture.fit(here, start, prior, counts, 8)
        assert found.steps == expected.steps
        assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-12)
        np.testing.assert_allclose(found.each, expected.each, rtol=1e-9)
        np.testing.assert_allclose(found.mixture.shares, expected.mixture.shares, rtol=1e-9)
        for mine, theirs in zip(found.mixture.thetas, expected.mixture.thetas, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-14)


def test_each_start_stops_when_it_has_come_to_rest() -> None:
    release = tk.anonymize(people(300), SCHEMA, METHODS["told"], seed=1)
    here = modelled(release, None, None).observed
    counts = here.counted(here.weights)
    alone = mixture.marginals(here, counts)
    drawn = mixture.started(2, alone, np.random.default_rng(0))
    prior = [4.0 * each for each in alone]
    settled = mixture.fit(here, drawn, prior, counts).mixture  # starts where it would stop
    found = mixture.fit_away(replace(here, backend=STRICT), [drawn, settled], prior, counts)
    assert found[1].steps < found[0].steps
    assert [each.steps for each in found] == [mixture.fit(here, each, prior, counts).steps for each in (drawn, settled)]


def test_a_model_is_the_same_on_every_backend_and_can_be_kept() -> None:
    release = tk.anonymize(people(300), SCHEMA, METHODS["told"], seed=1)
    settings: dict[str, Any] = {"n_components": 2, "n_init": 2}
    here, there = (ReleaseModel(**settings, backend=each).fit(release) for each in ("numpy", STRICT))
    assert there.log_likelihood_ == pytest.approx(here.log_likelihood_)
    expected = here.table(["age", "ill"]).pmf_
    np.testing.assert_allclose(there.table(["age", "ill"]).pmf_, expected, atol=1e-9)
    again = pickle.loads(pickle.dumps(there))
    np.testing.assert_allclose(again.table(["age", "ill"]).pmf_, expected, atol=1e-9)


def test_a_backend_that_is_not_there_is_refused_before_any_work() -> None:
    release = tk.anonymize(people(50), SCHEMA, METHODS["told"], seed=1)
    with pytest.raises(tk.errors.InvalidParameter, match="backend must be"):
        tk.reconstruct(release, backend="abacus")
