"""Recoded columns as kernels of zeros and ones."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.channel import Kept
from tokumei.mechanism.recoding import RecodedColumn, Recoding, ZeroOne
from tokumei.mechanism.record import Mechanism

TREE = tk.Hierarchy.groups({"north": ["A", "C"], "south": ["B"]}, {"all": ["north", "south"]})
PLACE = tk.Attribute("place", "quasi_identifier", tk.Categories(["A", "B", "C"]), TREE, missing=True)
# the line is A C B, then missing
COLUMN = RecodedColumn(PLACE, ((0, 1), (2, 2), (0, 3)), missing=True)  # north, south, and the star of suppressed rows


def test_what_labels_cover() -> None:
    assert COLUMN.covers.tolist() == [
        [True, False, True, False],
        [False, True, False, False],
        [True, True, True, True],
        [False, False, False, True],
    ]
    assert COLUMN.whole == (0, 3)


def test_the_kernel_of_a_global_recoding_leaves_stars_aside() -> None:
    kernel = Recoding({"place": COLUMN}, "global").conditional("place")
    assert kernel.matrix().tolist() == [[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]


def test_a_column_recoded_to_its_root_has_a_kernel_of_ones() -> None:
    column = RecodedColumn(PLACE, ((0, 3),))
    assert Recoding({"place": column}, "global").conditional("place").matrix().tolist() == [[1, 1, 1, 1]]
    bare = RecodedColumn(tk.Attribute("n", "quasi_identifier", tk.Numbers(0, 4, step=1)), ((0, 4),))
    assert Recoding({"n": bare}, "global").conditional("n").matrix().tolist() == [[1] * 5]


def test_forward_and_backward_are_the_matrix_and_its_transpose_along_any_axis() -> None:
    rng = np.random.default_rng(0)
    kernel = ZeroOne(np.array([2, 0, 0, 3, 2]), 4)
    matrix = kernel.matrix()
    assert matrix.sum(axis=0).tolist() == [1] * 5
    p, w = rng.random((3, 5, 2)), rng.random((3, 4, 2))
    assert kernel.forward(p, 1) == pytest.approx(np.einsum("ij,ajb->aib", matrix, p))
    assert kernel.backward(w, 1) == pytest.approx(np.einsum("ij,aib->ajb", matrix, w))
    assert kernel.forward(p[0, :, 0]) == pytest.approx(matrix @ p[0, :, 0])
    codes = rng.integers(0, 5, 20)
    assert kernel.probability(kernel.code_of[codes], codes).tolist() == [1.0] * 20


def test_a_mechanism_with_recoded_columns_is_described_and_made_again() -> None:
    made = Mechanism({}, ("s",), None, Recoding({"place": COLUMN}, "overlapping"), left_out=3)
    again = Mechanism.from_description(json.loads(json.dumps(made.describe())))
    assert again == made
    assert again.columns == ("s", "place")
    assert str(again.treatment("place")) == "generalized in groups of rows that may overlap, or suppressed"
    assert str(again.treatment("s")) == "released unchanged"
    assert isinstance(again.conditional(tk.Attribute("s", "sensitive", tk.Categories(["a"]))), Kept)
    with pytest.raises(InvalidParameter, match="no distribution of its own"):
        again.conditional(PLACE)
    plain = Mechanism({}, ("s",))
    assert set(plain.describe()) == {"columns", "kept", "rows", "of"}


def test_in_plain_words() -> None:
    def words(*stretches: tuple[int, int]) -> str:
        return str(Recoding({"place": RecodedColumn(PLACE, stretches)}, "global").treatment("place"))

    assert words((0, 1), (2, 2)) == "generalized in the same way in every row"
    assert words((0, 0), (1, 1)) == "released unchanged"
    assert words((0, 0), (1, 1), (0, 3)) == "released unchanged, or suppressed"
    assert words((0, 3)) == "suppressed in every row"


@pytest.mark.parametrize("stretches", [[[0, 9]], [[2, 1]], [[-1, 1]], [[0.0, 1]], [[True, 1]]])
def test_stretches_that_cannot_be(stretches: list[list[int]]) -> None:
    described = {**COLUMN.describe(), "stretches": stretches}
    with pytest.raises(ReleaseError, match="values that it does not have"):
        RecodedColumn.from_description("place", described)


def test_the_kernel_of_many_labels_is_made_from_stretches_and_not_from_pairs() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        attribute = tk.Attribute("n", "quasi_identifier", tk.Numbers(0, 20, step=1))
        edges = np.unique([0, *rng.integers(1, 21, 4).tolist(), 21])
        stretches = [(int(low), int(high) - 1) for low, high in itertools.pairwise(edges)]
        column = RecodedColumn(attribute, (*stretches, (0, 20)))
        kernel = Recoding({"n": column}, "global").conditional("n")
        assert isinstance(kernel, ZeroOne)
        width = column.covers.sum(axis=1, keepdims=True)
        assert kernel.code_of.tolist() == np.argmin(np.where(column.covers, width, 99), axis=0).tolist()
    large = tk.Attribute("n", "quasi_identifier", tk.Numbers(0, 2**18 - 1, step=1))
    column = RecodedColumn(large, tuple((at, at) for at in range(2**18)))
    assert Recoding({"n": column}, "global").conditional("n").outputs == 2**18
    assert "covers" not in vars(column)
