"""The kernel and linear models of weights: every way of multiplying gives the same, widths mean what is published, and the search pays."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.reconstruction import _bumps, density_ratio
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._bumps import Anew, Features, Near, Ordered, Stored, bumps
from tokumei.reconstruction._products import Product, Structured, product

NUMPY = arrays("numpy")


def described(rows: int, seed: int) -> Features:
    rng = np.random.default_rng(seed)
    return Features(rng.normal(size=(rows, 2)) * [30, 1], rng.integers(0, 3, (rows, 2)))


def by_hand(rows: Features, centers: Features, scale: float) -> np.ndarray:
    """Dummies of 0 and 1 beside the numbers, and the formula."""

    def flat(some: Features) -> np.ndarray:
        dummies = [(some.labels[:, [c]] == np.arange(3)).astype(float) for c in range(2)]
        return np.concatenate([some.numbers, *dummies], axis=1)

    gaps = flat(rows)[:, None, :] - flat(centers)[None, :, :]
    return np.exp(-(gaps**2).sum(axis=2) / scale)


@pytest.mark.parametrize("scale", [0.5, 20.0, 4000.0])
def test_every_way_multiplies_alike(scale: float) -> None:
    rows, centers = described(60, 0), described(35, 1)
    wanted, order = by_hand(rows, centers, scale), Ordered.of(rows, centers, scale)
    ways = [
        Stored(rows, centers, scale, NUMPY),
        Near(order, scale, NUMPY),
        Anew(order, Ordered.of(centers, rows, scale), scale, NUMPY),
    ]
    alpha, masses = np.random.default_rng(2).random(35), np.random.default_rng(3).random(60)
    for way in ways:
        assert way.weights(alpha) == pytest.approx(wanted @ alpha, rel=1e-4, abs=1e-3), way.way
        assert way.added(masses) == pytest.approx(wanted.T @ masses, rel=1e-4, abs=1e-3), way.way
    assert rows.usual() == pytest.approx(-2 * np.log(by_hand(rows, rows, 1e6)).mean() * 5e5, rel=1e-6)


def test_labels_alone_and_no_near_number_are_no_trouble() -> None:
    labels = Features(np.zeros((20, 0)), np.random.default_rng(0).integers(0, 4, (20, 1)))
    made = Near(Ordered.of(labels, labels, 0.1), 0.1, NUMPY)
    assert made.weights(np.ones(20)) == pytest.approx(np.bincount(labels.labels[:, 0])[labels.labels[:, 0]], rel=1e-5)


def test_many_pairs_are_never_stored_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = described(400, 0)
    assert bumps(rows, rows, 0.05, NUMPY, whatever=False).way == "dense"
    monkeypatch.setattr(_bumps, "FEW_PAIRS", 1000)
    assert bumps(rows, rows, 1e5, NUMPY, whatever=False).way == "dense"  # every pair counts
    assert bumps(rows, rows, 0.05, NUMPY, whatever=False).way == "near"
    monkeypatch.setattr(_bumps, "DENSE_PAIRS", 1000)
    assert bumps(rows, rows, 0.05, NUMPY, whatever=False).way == "near"
    monkeypatch.setattr(_bumps, "NEAR_PAIRS", 100)
    assert bumps(rows, rows, 0.05, NUMPY, whatever=True).way == "blocks"
    with pytest.raises(InvalidParameter, match="All 400 rows as centers would be too many.*n_centers, such as 2"):
        bumps(rows, rows, 0.05, NUMPY, whatever=False)


SCHEMA = tk.Schema(
    [
        tk.Attribute("pay", domain=tk.Numbers(0, 1000, step=10)),
        tk.Attribute("hours", domain=tk.Numbers(0, 60, step=1)),
        tk.Attribute("job", domain=tk.Categories(["a", "b", "c"])),
        tk.Attribute("level", domain=tk.Categories(["1", "2", "3", "4"], ordered=True)),
        tk.Attribute("rich", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


def workers(rows: int, seed: int) -> pd.DataFrame:
    """Pay rises with hours and level, and jobs go with levels."""
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 4, rows)
    hours = np.clip(rng.normal(20 + 8 * level, 5), 0, 60).round()
    pay = np.clip(rng.normal(100 + 150 * level + 5 * hours, 60), 0, 1000) // 10 * 10
    job = np.array(["a", "b", "c"])[np.minimum(level, 2)]
    rich = np.where(pay > 500, "yes", "no")
    return pd.DataFrame({"pay": pay, "hours": hours, "job": job, "level": (level + 1).astype(str), "rich": rich})


@pytest.fixture(scope="module")
def release() -> tk.Release:
    return tk.anonymize(workers(500, 0), SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)


def test_the_published_width_is_for_dummies_and_raw_numbers(release: tk.Release) -> None:
    """Weights are a combination of bumps that are computed by hand from the released rows."""
    found = tk.DensityRatio("kernel", sigma2=800.0).fit(release)
    frame = release.frame
    flat = pd.get_dummies(frame, columns=["job", "level", "rich"]).to_numpy(
        dtype=float
    )  # pay and hours stay as they are
    gaps = ((flat[:, None, :] - flat[None, :, :]) ** 2).sum(axis=2)
    kernel = np.exp(-gaps / 800.0)
    assert (found.n_centers_, found.bandwidth_) == (len(frame.drop_duplicates()), None)
    alpha, *_ = np.linalg.lstsq(kernel, found.weights_, rcond=1e-9)
    assert kernel @ alpha == pytest.approx(found.weights_, rel=1e-3, abs=1e-3)
    narrower = np.exp(-gaps / 80.0)  # which bumps of another width are not
    other, *_ = np.linalg.lstsq(kernel[:, :50], (narrower @ np.abs(alpha)), rcond=1e-9)
    assert np.abs(kernel[:, :50] @ other - narrower @ np.abs(alpha)).max() > 0.1


def test_the_widest_kernel_weighs_evenly_and_the_narrowest_freely(release: tk.Release) -> None:
    assert tk.DensityRatio("kernel", sigma2=1e12).fit(release).weights_ == pytest.approx(1, abs=1e-3)
    free = tk.DensityRatio(tol=0.01).fit(release).weights_
    narrow = tk.DensityRatio("kernel", sigma2=1e-3, tol=0.01).fit(release).weights_
    assert np.corrcoef(free, narrow)[0, 1] > 0.999


def test_one_width_only(release: tk.Release) -> None:
    with pytest.raises(InvalidParameter, match="two names for the width"):
        tk.DensityRatio("kernel", sigma2=1, bandwidth=1).fit(release)
    for bad, message in (({"sigma2": -1}, "sigma2 must be"), ({"n_centers": 2.5}, "n_centers must be")):
        with pytest.raises(InvalidParameter, match=message):
            tk.DensityRatio("kernel", **bad).fit(release)


def test_fewer_centers_if_asked_and_stored_or_not_the_weights_are_the_same(
    release: tk.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = tk.DensityRatio("kernel", bandwidth=0.2, n_centers=50, tol=0.001).fit(release)
    every = tk.DensityRatio("kernel", bandwidth=0.2, tol=0.001).fit(release)
    assert (few.n_centers_, every.n_centers_) == (50, len(release.frame.drop_duplicates()))
    monkeypatch.setattr(_bumps, "DENSE_PAIRS", 1000)
    monkeypatch.setattr(_bumps, "SPARSE", 1)
    assert tk.DensityRatio("kernel", bandwidth=0.2, tol=0.001).fit(release).weights_ == pytest.approx(
        every.weights_, abs=0.02
    )
    monkeypatch.setattr(_bumps, "NEAR_PAIRS", 0)
    again = tk.DensityRatio("kernel", bandwidth=0.2, n_centers=50, tol=0.001).fit(release)
    assert again.weights_ == pytest.approx(few.weights_, abs=0.02)


@pytest.mark.parametrize("way", ["dense", "blocks", "structured"])
@pytest.mark.parametrize("library", ["numpy", "array_api_strict"])
def test_many_columns_at_once_are_multiplied_as_one_by_one(way: str, library: str) -> None:
    rng = np.random.default_rng(0)
    matrices = [
        np.full((3, 3), 0.1) + 0.7 * np.eye(3),
        np.eye(2),
        np.exp(-np.abs(np.subtract.outer(range(9), range(9))) / 9),
    ]
    true, released = (np.stack([rng.integers(0, len(m), 40) for m in matrices], axis=1) for _ in range(2))
    made, masses = product(matrices, true, released, way, arrays(library)), rng.random((40, 5))
    plain = np.prod([m[true[:, [c]], released[None, :, c]] for c, m in enumerate(matrices)], axis=0)
    assert made.forward_many(masses) == pytest.approx(plain.T @ masses, rel=0.05 if way == "structured" else 1e-4)


@pytest.mark.parametrize("library", ["numpy", "array_api_strict"])
def test_labels_are_told_apart_all_at_once(library: str) -> None:
    """Columns that share an axis, a kept one, one with an axis of its own, and numbers beside them."""
    rng = np.random.default_rng(1)
    numbers = np.exp(-np.abs(np.subtract.outer(range(12), range(12))) / 12)
    kept = np.full((30, 30), 0.01) + 0.7 * np.eye(30)
    matrices = [
        np.full((3, 3), 0.1) + 0.7 * np.eye(3),
        np.eye(2),
        numbers,
        np.full((2, 2), 0.2) + 0.6 * np.eye(2),
        kept,
    ]
    true, released = (np.stack([rng.integers(0, len(m), 50) for m in matrices], axis=1) for _ in range(2))
    made = product(matrices, true, released, "structured", arrays(library))
    assert isinstance(made, Structured)
    masses = rng.random(50)
    found = made.by_label(masses)
    assert set(found) == {0, 1, 3, 4}
    for column, seen in found.items():
        alone = (true[:, [column]] == np.arange(len(matrices[column]))) * masses[:, None]
        assert seen == pytest.approx(made.forward_many(alone), rel=1e-3, abs=1e-6)


def test_the_linear_model_is_the_same_in_every_way(release: tk.Release) -> None:
    asked = {"tol": 0.001, "smoothing": 0.02}
    dense, structured = (
        tk.DensityRatio("linear", operator=way, **asked).fit(release) for way in ("dense", "structured")
    )
    assert structured.operator_ == "structured"
    assert structured.weights_ == pytest.approx(dense.weights_, abs=0.02)


def test_a_step_of_the_linear_model_does_not_multiply_with_p(
    release: tk.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many steps there are, P is multiplied with the features once, and once more at the end."""
    asked = []

    def counting(*given: object) -> Product:
        made = product(*given)  # type: ignore[arg-type]
        for name in ("forward", "backward", "forward_many"):
            inner = getattr(made, name)
            monkeypatch.setattr(made, name, lambda x, name=name, inner=inner: (asked.append(name), inner(x))[1])
        return made

    monkeypatch.setattr("tokumei.reconstruction._ratio.product", counting)
    few = tk.DensityRatio("linear", smoothing=0, tol=1e-9, max_iter=2)
    many = tk.DensityRatio("linear", smoothing=0, tol=1e-9, max_iter=40)
    with pytest.warns(tk.errors.NotConvergedWarning):
        steps = [(each.fit(release).n_iter_, sorted(asked), asked.clear())[:2] for each in (few, many)]
    assert steps[0][1] == steps[1][1] == ["forward", "forward_many"]
    assert steps[1][0] > steps[0][0]


TABLES = {
    "workers": (workers, SCHEMA),
    "census": (
        lambda rows, seed: (
            tk.example_census(rows=4 * rows).iloc[seed * rows : (seed + 1) * rows].reset_index(drop=True)
        ),
        tk.example_schema(),
    ),
    "labels": (
        lambda rows, seed: workers(rows, seed).drop(columns=["pay", "hours"]),
        SCHEMA.without("pay", "hours"),
    ),
}


def apart(frame: pd.DataFrame, weights: np.ndarray | None, true: pd.DataFrame, columns: list[str]) -> float:
    """The mean total variation of all tables of two columns, numbers in five bins."""

    def binned(some: pd.DataFrame) -> pd.DataFrame:
        made = {}
        for name in columns:
            cells = some[name]
            if pd.api.types.is_numeric_dtype(true[name]) and true[name].nunique() > 10:
                edges = np.quantile(true[name], [0.2, 0.4, 0.6, 0.8])
                cells = pd.Series(np.searchsorted(edges, some[name].to_numpy()), index=some.index)
            made[name] = cells.astype(str)
        return pd.DataFrame(made)

    here, there = binned(frame), binned(true)
    mine = np.ones(len(here)) if weights is None else weights
    found = []
    for pair in combinations(columns, 2):
        shares = pd.Series(mine).groupby([here[name].to_numpy() for name in pair]).sum() / mine.sum()
        wanted = there.groupby(list(pair)).size() / len(there)
        found.append(shares.sub(wanted.rename_axis(shares.index.names), fill_value=0).abs().sum() / 2)
    return float(np.mean(found))


@pytest.mark.parametrize("name", TABLES)
def test_the_width_that_is_chosen_is_never_worse_than_no_weights(name: str) -> None:
    """Within chance over four seeds, and it gains at least half of what the best fixed width gains."""
    make, schema = TABLES[name]
    gains, best = [], []
    for seed in range(4):
        true = make(400, seed)
        release = tk.anonymize(true, schema, tk.PkPerturbation(k=2, tells="all"), seed=seed)
        columns = [a.name for a in release.schema if a.domain is not None]
        plain = apart(release.frame, None, true, columns)
        chosen = tk.DensityRatio("kernel").fit(release)
        assert chosen.bandwidth_ in density_ratio.WIDTHS
        gains.append(plain - apart(release.frame, chosen.weights_, true, columns))
        fixed = [tk.DensityRatio("kernel", bandwidth=width).fit(release).weights_ for width in (1.0, 0.1)]
        best.append(max(plain - apart(release.frame, each, true, columns) for each in fixed))
    error = np.std(gains, ddof=1) / 2
    assert np.mean(gains) > -2 * error
    assert np.mean(gains) > 0.5 * np.mean(best) - 2 * error
