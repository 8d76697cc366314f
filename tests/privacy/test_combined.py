from __future__ import annotations

import numpy as np
import pytest

import tokumei as tk
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.errors import InvalidParameter
from tokumei.privacy.attackers import LearnsNothingFrom
from tokumei.privacy.exact import link_posteriors

CENSUS = tk.example_census(rows=2000)
SCHEMA = tk.example_schema()


def test_fully_perturbed_releases_keep_what_they_promise() -> None:
    method = tk.PkPerturbation(k=10, kept="perturb", tells="all")
    releases = [tk.anonymize(CENSUS, SCHEMA, method) for _ in range(2)]
    pk, epsilon, _ = tk.combine(releases)
    assert pk.value == pytest.approx(10, rel=1e-6)
    assert epsilon.value == pytest.approx(2 * releases[0].guarantees[1].value)
    assert epsilon.numbers["age"] == pytest.approx(2 * releases[0].guarantees[1].numbers["age"])


def test_joinable_releases_add_up_their_budgets() -> None:
    releases = [tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=10, tells="all")) for _ in range(2)]
    pk = tk.combine(releases)[0]
    assert pk.value == pytest.approx(1 + 1999 * (9 / 1999) ** 2, rel=1e-5)
    assert "joins rows by 'income'" in str(pk)
    assert pk.attacker == LearnsNothingFrom(columns=("income",))


def test_one_release_with_unknown_columns_weakens_all() -> None:
    """What another release shows of the column, or of how it goes with the others, makes it less unknown."""
    keeps = tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=10, tells="all"))
    shows = tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=5, kept="perturb", tells="all"))
    pk = tk.combine([keeps, shows])[0]
    assert pk.value == pytest.approx(1 + 1999 * (9 / 1999) * (4 / 1999), rel=1e-5)
    assert "whatever" not in pk.headline


def test_unknown_columns_of_samples_or_other_tables_promise_nothing() -> None:
    """Who is in one and not in the other stands out."""
    whole = tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=10, tells="all"))
    sample = tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=10, sample=1999, membership="known", tells="all"))
    fewer = tk.anonymize(CENSUS.head(1999), SCHEMA, tk.PkPerturbation(k=10, tells="all"))
    for other in (sample, fewer):
        assert tk.combine([whole, other])[0].value == 1


def test_known_columns_leave_each_release_its_promise() -> None:
    releases = [tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=k, kept="known", tells="all")) for k in (10, 4)]
    pk = tk.combine(releases)[0]
    assert pk.value == pytest.approx(4, rel=1e-6)
    assert pk.headline.startswith("No attacker, whatever they know")
    sampled = tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=10, kept="perturb", sample=0.5, tells="all"))
    joint = tk.combine([releases[0], sampled])[0]
    assert joint.value == pytest.approx(sampled.guarantees[1].value)
    assert "and about who was sampled" in joint.headline


def test_known_columns_against_the_exact_adversary() -> None:
    """He knows everything and holds both releases: the posterior of a link in one does not depend on the other."""
    coin = tk.Attribute("b", domain=tk.Categories([False, True]))
    matrix = solve_channels([coin], 3, 1.5, "even")["b"].matrix()
    people = np.array([0, 1, 1])
    for one in np.ndindex(2, 2, 2):
        alone = link_posteriors(matrix[np.array(one)[None, :], people[:, None]])
        assert alone.max() <= 1 / 1.5 * (1 + 1e-9)


def test_joined_rows_against_the_exact_adversary() -> None:
    """Three people, rows of two releases joined: the posterior reaches the joint promise, and passes each single one."""
    coin = tk.Attribute("b", domain=tk.Categories([False, True]))
    channel = solve_channels([coin], 3, 1.5, "even")["b"]
    joint = np.kron(channel.matrix(), channel.matrix())
    worst = 0.0
    for table in np.ndindex(2, 2, 2):
        for release in np.ndindex(4, 4, 4):
            likelihood = joint[np.array(release)[None, :], 3 * np.array(table)[:, None]]
            worst = max(worst, float(link_posteriors(likelihood).max()))
    promised = 1 + 2 * channel.swap * channel.swap
    assert worst == pytest.approx(float(1 / promised), rel=1e-9)
    assert worst > 1 / 1.5 * 1.05


def test_combining_needs_something_to_combine() -> None:
    release = tk.anonymize(CENSUS, SCHEMA, tk.PkPerturbation(k=10, tells="all"))
    with pytest.raises(InvalidParameter, match="at least two"):
        tk.combine([release])
    with pytest.raises(InvalidParameter, match="each guarantee Pk-anonymity"):
        tk.combine([release, tk.anonymize(CENSUS, SCHEMA, tk.Sampling(5, known=3))])
