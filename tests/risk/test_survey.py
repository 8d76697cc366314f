"""The risk of survey rows, for classes of any size and any sampled share, against three computations that share nothing with it."""

from __future__ import annotations

import decimal
import json
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from scipy.integrate import quad
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app
from tokumei.risk.survey import individual_risk

SHARES = (1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.3, 0.4999, 0.5, 0.7, 0.9, 0.99, 0.999999, 1.0)
SIZES = (1, 2, 3, 5, 15, 16, 17, 50, 99, 100, 149, 150, 151, 1000, 10**4, 10**5, 10**6)


def mine(f: int, p: float) -> tuple[float, float]:
    """Return the risk of a class, and the share that the weights come to in floats."""
    weights = f / p
    return float(individual_risk([f], [weights])[0]), min(1.0, f / weights)


@pytest.mark.parametrize("f", SIZES)
def test_it_is_the_integral(f: int) -> None:
    """E(1/F | f) = p/f times the integral of exp(-v) / (p + q exp(-v/f)) over v from 0."""
    for share in SHARES:
        found, p = mine(f, share)
        shape = lambda v, p=p: np.exp(-v) / (p + (1 - p) * np.exp(-v / f))  # noqa: E731
        area = quad(shape, 0, 60, epsabs=0, epsrel=1e-13, limit=500)[0]
        assert found == pytest.approx(p / f * area, rel=1e-11), share


@pytest.mark.parametrize("f", [1, 2, 7, 15, 16, 40])
def test_it_is_the_finite_sum_with_400_digits(f: int) -> None:
    with decimal.localcontext() as context:
        context.prec = 400
        for share in SHARES:
            found, given = mine(f, share)
            p = Decimal(given)
            if p < 1:
                x = -p / (1 - p)
                powers = [x ** (j - 1) / (f - j) for j in range(1, f)]
                exact = p / (1 - p) * (sum(powers, Decimal(0)) - x ** (f - 1) * p.ln())
                assert abs(Decimal(found) / exact - 1) < Decimal("1e-13"), share


@pytest.mark.parametrize(("f", "p"), [(1, 0.2), (3, 0.05), (20, 0.5), (150, 0.3), (1000, 0.9)])
def test_it_is_the_mean_of_one_over_the_people(f: int, p: float) -> None:
    """F given f is negative binomial: add up 1/F over all F, term by term."""
    found, p = mine(f, p)
    total, people, log = 0.0, f, f * np.log(p)
    while people < f / p * 40 + 100:
        total += np.exp(log) / people
        log += np.log((1 - p) * people / (people - f + 1))
        people += 1
    assert found == pytest.approx(total, rel=1e-10)


def test_it_lies_within_its_bounds_everywhere() -> None:
    """p/f by Jensen's inequality, and p/(f - 1), which is E(1/(F - 1) | f)."""
    rng = np.random.default_rng(0)
    f = np.ceil(10 ** rng.uniform(0, 6, 20_000))
    p = 10 ** rng.uniform(-9, 0, 20_000)
    found = individual_risk(f, f / p)
    assert np.isfinite(found).all()
    assert (found >= p / f * (1 - 1e-12)).all()
    assert (found <= 1 / f).all()
    several = f > 1
    assert (found[several] <= p[several] / (f[several] - 1) * (1 + 1e-12)).all()


@pytest.mark.parametrize("rows", [100, 150, 1000])
def test_large_classes_have_a_risk_and_small_ones_are_counted(rows: int, tmp_path: Path) -> None:
    """What a command prints: beside one large class, the risk of two that are alone and stand for three people each."""
    table = pa.table({"town": ["A"] * rows + ["B", "C"], "w": [100.0] * rows + [3.0, 3.0]})
    found = tk.assess(table, "town", weights="w").survey
    assert found is not None
    assert found.above == 2
    assert found.highest == pytest.approx(1 / 3 / (1 - 1 / 3) * np.log(3))
    pyarrow.csv.write_csv(table, tmp_path / "people.csv")
    arguments = ["risk", "table", str(tmp_path / "people.csv"), "--qi", "town", "--weights", "w"]
    said = CliRunner().invoke(app, arguments)
    assert said.exit_code == 0, said.output
    assert "nan" not in said.output
    assert "2 rows" in said.output
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output, parse_constant=pytest.fail)
    assert told["survey"]["above"] == 2


def test_weights_beyond_all_people_are_refused() -> None:
    with pytest.raises(tk.errors.InvalidParameter, match="finite number of people"):
        tk.assess(pa.table({"a": ["x", "x"]}), "a", weights=[1.7e308, 1.7e308])
