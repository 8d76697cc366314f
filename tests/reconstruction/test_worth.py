"""What perturbed rows are worth, and how far below the best an estimate may be: figures that mean what they say."""

from __future__ import annotations

import math
import re
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app
from tokumei.errors import NotConvergedWarning
from tokumei.mechanism.retention import Retention
from tokumei.randomness import Key
from tokumei.reconstruction._em import ceiling, gap_of, maximise
from tokumei.reconstruction._worth import told
from tokumei.reconstruction.density_ratio import _far

SCHEMA = tk.Schema(
    [
        tk.Attribute("job", domain=tk.Categories(["a", "b", "c"])),
        tk.Attribute("age", domain=tk.Numbers(0, 30, step=1), missing=True),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
SHARES = np.array([0.2, 0.3, 0.5])


def people(rows: int) -> pa.Table:
    rng = np.random.default_rng(0)
    age = np.clip(np.rint(rng.normal(15, 5, rows)), 0, 30)
    return pa.table(
        {
            "job": rng.choice(["a", "b", "c"], rows, p=SHARES),
            "age": pa.array(age, mask=rng.random(rows) < 0.1),
            "ill": rng.choice(["no", "yes"], rows),
        }
    )


def test_a_share_kept_or_drawn_anew_is_worth_its_squared_correlation() -> None:
    """Of two values: keep^2 p(1-p) / (y(1-y)), which is what the corrected share's variance says."""
    for keep, p in ((0.5, 0.5), (0.2, 0.1), (0.9, 0.3)):
        shares, matrix = np.array([p, 1 - p]), keep * np.eye(2) + (1 - keep) / 2
        y = float((matrix @ shares)[0])
        assert told(matrix, shares, np.eye(2)) == pytest.approx(keep**2 * p * (1 - p) / (y * (1 - y)))


def test_ends_of_the_scale() -> None:
    assert told(np.eye(3), SHARES, np.eye(3)) == pytest.approx(1)
    assert told(np.full((3, 3), 1 / 3), SHARES, np.eye(3)) == pytest.approx(0, abs=1e-12)
    assert told(np.eye(2), np.array([1.0, 0.0]), np.eye(2)) == 1  # nothing varies, so nothing is lost


def test_it_is_what_the_spread_of_estimates_says() -> None:
    """Seeded: the same column is perturbed 300 times, and its shares are estimated from each."""
    channel, rows = Retention.solve(3, Fraction(1, 12)), 3000
    codes = np.repeat(np.arange(3), np.rint(SHARES * rows).astype(int)).astype(np.uint8)
    found = []
    for seed in range(300):
        seen = np.bincount(channel.sample(codes, Key.seeded(seed).stream("x")), minlength=3).astype(float)
        found.append(maximise(seen, channel.forward, channel.backward, np.ones(3), 1e-4, 2000).estimate)
    true, noise = float(np.sum(SHARES * (1 - SHARES))), float(np.var(found, axis=0, ddof=1).sum())
    counted = true / (noise + true / rows)  # who is in the table is chance too
    claimed = rows * told(channel.matrix(), SHARES, np.eye(3))
    assert claimed == pytest.approx(counted, rel=0.15)
    assert claimed < rows / 3


def test_weights_say_what_the_rows_are_worth_with_their_noise(tmp_path: Path) -> None:
    release = tk.anonymize(people(2000), SCHEMA, tk.PkPerturbation(k=50, tells="all"), seed=1)
    model = tk.DensityRatio("linear").fit(release)
    assert set(model.rows_worth_) == {"job", "age"}
    assert model.effective_rows_ == pytest.approx(min(model.rows_worth_.values()))
    assert 0 < model.effective_rows_ < 500
    release.write(tmp_path / "r", allow_seeded=True)
    said = CliRunner().invoke(app, ["reconstruct", str(tmp_path / "r"), "--model", "linear"])
    assert said.exit_code == 0, said.output
    figures = [
        int(each) for each in re.findall(r"no more than (\d+) \(.*?\) to (\d+)", said.output.replace("\n", " "))[0]
    ]
    assert figures == sorted(round(each) for each in model.rows_worth_.values())


# How far below the best.


def test_a_gap_is_never_more_than_any_table_could_gain() -> None:
    """A cell that has nearly vanished makes the tangent useless: it would say 10^30."""
    channel = Retention.solve(3, Fraction(1, 50))
    seen, prior = np.array([50.0, 30.0, 20.0]), np.full(3, 2.0)
    start = np.array([1e-30, 0.5, 0.5])
    stopped = maximise(seen, channel.forward, channel.backward, start, 1e-9, 0, prior)
    best = maximise(seen, channel.forward, channel.backward, np.ones(3), 1e-9, 5000, prior)
    assert best.gap <= 1e-9
    assert best.log_likelihood - stopped.log_likelihood <= stopped.gap < 1000
    assert best.log_likelihood <= ceiling(seen, prior)


@pytest.mark.parametrize("seed", range(5))
def test_no_distribution_exceeds_the_ceiling(seed: int) -> None:
    rng = np.random.default_rng(seed)
    seen, prior = rng.integers(0, 40, 6).astype(float), rng.random(6)
    for _ in range(200):
        y, p = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6))
        assert seen @ np.log(y) + prior @ np.log(p) <= ceiling(seen, prior)
    there = seen > 0
    exact = float(seen[there] @ np.log(seen[there] / seen.sum()) + prior @ np.log(prior / prior.sum()))
    assert exact == pytest.approx(ceiling(seen, prior))
    assert gap_of(np.array([1e40]), 10.0, 3.0) == 3.0
    assert gap_of(np.array([1e40]), 10.0) > 1e40


def test_a_bound_that_says_nothing_is_not_told() -> None:
    assert _far(2.06e32, 30_000) == _far(math.inf, 30_000) == "their distance from the best is not known"
    assert _far(12.345, 30_000) == "their log-likelihood may be 12.3 below the best"


def test_what_is_said_of_a_fit_that_stopped_is_within_reason() -> None:
    release = tk.anonymize(people(500), SCHEMA, tk.PkPerturbation(k=100, tells="all"), seed=1)
    with warnings.catch_warnings(record=True) as told_of:
        warnings.simplefilter("always", NotConvergedWarning)
        table = tk.IterativeBayes(["job", "age"], max_iter=1, smoothing=10.0).fit(release)
    said = float(re.findall(r"may be ([\d.e+]+) below", str(told_of[0].message))[0])
    cells = math.prod(table.pmf_.shape)
    assert said <= (500 + 10) * math.log(cells)  # as if it were spread evenly
