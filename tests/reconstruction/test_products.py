"""Three ways to multiply with P(released row | true row), and one result."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter, MissingDependency
from tokumei.mechanism.grid_laplace import GridLaplace
from tokumei.mechanism.likelihood import Packed, distinct, seen
from tokumei.reconstruction import _products
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._products import Blocks, Dense, Layout, Structured, product

ROWS = 400


@pytest.fixture(scope="module")
def case() -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """Columns of every kind: retention, any matrix, wide noise on numbers with and without missing, kept."""
    rng = np.random.default_rng(5)
    schema = tk.Schema(
        [
            tk.Attribute("colour", domain=tk.Categories(list("rgb"))),
            tk.Attribute("many", domain=tk.Categories([str(i) for i in range(30)])),
            tk.Attribute("age", domain=tk.Numbers(0, 80, step=1)),
            tk.Attribute("pay", domain=tk.Numbers(0, 1000, step=1), missing=True),
            tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        ]
    )
    pay = rng.integers(0, 1001, ROWS).astype(object)
    pay[::9] = None
    people = {
        "colour": rng.choice(list("rgb"), ROWS).tolist(),
        "many": [str(i) for i in rng.integers(0, 30, ROWS)],
        "age": rng.integers(0, 81, ROWS).tolist(),
        "pay": pay.tolist(),
        "ill": rng.choice(["no", "yes"], ROWS).tolist(),
    }
    release = tk.anonymize(pa.table(people), schema, tk.PkPerturbation(k=3, tells="all"), seed=2)
    matrices, true, released = [], [], []
    for attribute in schema:
        codes = release.coded.codes(attribute.name)
        other = rng.integers(0, attribute.states, 300)
        column = seen(release.mechanism.conditional(attribute), other, codes, 64)
        matrices.append(column.matrix)
        true.append(column.true)
        released.append(column.released)
    matrices.append(rng.dirichlet(np.ones(5), size=4))  # any matrix: four true values, five released ones
    true.append(rng.integers(0, 4, 300))
    released.append(rng.integers(0, 5, ROWS))
    whole = np.ones((300, ROWS))
    for matrix, mine, theirs in zip(matrices, true, released, strict=True):
        whole *= matrix[mine[:, None], theirs[None, :]]
    return matrices, np.stack(true, axis=1), np.stack(released, axis=1), whole


@pytest.mark.parametrize("library", ["numpy", "array_api_strict"])
@pytest.mark.parametrize("way", ["dense", "blocks", "structured"])
def test_every_way_gives_the_products_of_the_matrix(case, way, library) -> None:
    matrices, true, released, whole = case
    where = arrays(library)
    made = (
        Structured(Layout.of(matrices, 1e-7), true, released, where)
        if way == "structured"
        else product(matrices, true, released, way, where)
    )
    assert made.way == way
    rng = np.random.default_rng(0)
    masses, weights = rng.dirichlet(np.ones(300)), rng.gamma(2.0, size=ROWS)
    assert where.get(made.forward(where.put(masses))) == pytest.approx(masses @ whole, rel=2e-3)
    assert where.get(made.backward(where.put(weights))) == pytest.approx(whole @ weights, rel=2e-3)


def test_a_few_features_are_nearly_as_good_as_all(case) -> None:
    matrices, true, released, whole = case
    masses = np.random.default_rng(0).dirichlet(np.ones(300))
    off = []
    for tolerance in (1e-1, 1e-2, 1e-3):
        layout = Layout.of(matrices, tolerance)
        assert layout.featured[:2] == (2, 3)
        made = Structured(layout, true, released, arrays("numpy"))
        off.append(np.mean(np.abs(made.forward(masses) / (masses @ whole) - 1)))
    assert off[0] > off[1] > off[2]
    assert len(Layout.of(matrices).chosen) < 10
    assert off[1] < 0.02


def test_small_columns_share_an_axis_and_kept_ones_need_no_pass(case) -> None:
    layout = Layout.of(case[0])
    assert {axis.columns for axis in layout.axes if axis.matrix is None} == {(4,)}
    assert {axis.columns for axis in layout.axes if axis.matrix is not None} == {(1, 0), (5,)}
    assert layout.featured == (2, 3)


def test_the_way_is_chosen_by_size(case, monkeypatch) -> None:
    matrices, true, released, _ = case
    where = arrays("numpy")
    assert isinstance(product(matrices, true, released, "auto", where), Dense)
    monkeypatch.setattr(_products, "DENSE_PAIRS", 1000)
    assert isinstance(product(matrices, true, released, "auto", where), Structured)
    with pytest.raises(InvalidParameter, match="do not fit"):
        product(matrices, true, released, "dense", where)
    monkeypatch.setattr(_products, "LARGEST_TENSOR", 10)
    assert isinstance(product(matrices, true, released, "auto", where), Blocks)
    with pytest.raises(InvalidParameter, match="too many labels"):
        product(matrices, true, released, "structured", where)
    with pytest.raises(InvalidParameter, match="operator must be"):
        product(matrices, true, released, "quick", where)


def test_the_matrix_is_packed_without_loss(case) -> None:
    matrices, true, released, whole = case
    packed = Packed.of(matrices, released)
    assert packed.whole(true) == pytest.approx(whole, rel=1e-5)
    masses = np.random.default_rng(0).dirichlet(np.ones(300))
    assert packed.forward(true, masses) == pytest.approx(masses @ whole)
    assert packed.backward(true, np.ones(ROWS)) == pytest.approx(whole @ np.ones(ROWS))


def test_fine_grids_are_looked_at_in_bins() -> None:
    channel = GridLaplace.solve(10_000, Fraction(1, 9))
    codes = np.array([0, 5000, 9999])
    column = seen(channel, codes, codes, 100)
    assert column.matrix.shape == (100, 100)
    assert column.matrix.sum(axis=1) == pytest.approx(np.ones(100))
    exact = channel.probability(np.arange(10_000), np.array(5000))
    assert column.matrix[50] == pytest.approx(exact.reshape(100, 100).sum(axis=1), rel=0.02)


def test_distinct_rows_are_counted() -> None:
    rows, place, counts = distinct([np.array([1, 0, 1]), np.array([2, 2, 2])], 3)
    assert rows[place].tolist() == [[1, 2], [0, 2], [1, 2]]
    assert sorted(counts) == [1, 2]


def test_libraries_that_are_not_there_are_named() -> None:
    with pytest.raises(InvalidParameter, match="backend must be"):
        arrays("fortran")
    with pytest.raises(MissingDependency, match="needs cupy, which is not installed"):
        arrays("cupy")
