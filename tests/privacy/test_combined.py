from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import tokumei as tk
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.errors import InvalidParameter
from tokumei.privacy.exact import link_posteriors

CENSUS = tk.example_census(rows=2000)
SCHEMA = tk.example_schema()


def test_fully_perturbed_releases_keep_what_they_promise() -> None:
    method = tk.PkPerturbation(k=10, kept="perturb")
    releases = [tk.anonymize(CENSUS, SCHEMA, method) for _ in range(2)]
    pk, epsilon = tk.combine(releases)
    assert pk.value == pytest.approx(10, rel=1e-6)
    assert epsilon.value == pytest.approx(2 * releases[0].guarantees[1].value)
    assert epsilon.numbers["age"] == pytest.approx(2 * releases[0].guarantees[1].numbers["age"])


def test_joinable_releases_add_up_their_budgets() -> None:
    releases = [tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=10)) for _ in range(2)]
    pk = tk.combine(releases)[0]
    assert pk.value == pytest.approx(1 + 1999 * (9 / 1999) ** 2, rel=1e-5)
    assert "joined by 'income'" in str(pk)
    mixed = [releases[0], tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=4, kept="perturb"))]
    assert tk.combine(mixed)[0].value == pytest.approx(4, rel=1e-6)


def test_joined_rows_against_the_exact_adversary() -> None:
    """Three people, rows of two releases joined: the posterior reaches the joint promise, and passes each single one."""
    coin = tk.Attribute("b", domain=tk.Categories([False, True]))
    channel = solve_channels([coin], 3, 1.5, "even")["b"]
    joint = np.kron(channel.matrix(), channel.matrix())
    same = joint[np.ix_([0, 3], [0, 3])]  # people do not change between releases
    worst = 0.0
    for table in np.ndindex(2, 2, 2):
        for release in np.ndindex(4, 4, 4):
            likelihood = joint[np.array(release)[None, :], 3 * np.array(table)[:, None]]
            worst = max(worst, float(link_posteriors(likelihood).max()))
    promised = 1 + 2 * channel.swap * channel.swap
    assert worst == pytest.approx(float(1 / promised), rel=1e-9)
    assert worst > 1 / 1.5 * 1.05
    assert same.shape == (2, 2)
    assert promised == 1 + 2 * Fraction(channel.swap) ** 2


def test_combining_needs_something_to_combine() -> None:
    release = tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=10))
    with pytest.raises(InvalidParameter, match="at least two"):
        tk.combine([release])
    with pytest.raises(InvalidParameter, match="promise Pk-anonymity each"):
        tk.combine([release, tk.anonymize(CENSUS, SCHEMA, tk.Sampling(5, known=3))])
