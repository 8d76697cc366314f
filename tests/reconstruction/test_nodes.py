"""Features of a column: its values, and the stretches that they lie in."""

import numpy as np

import tokumei as tk
from tokumei.reconstruction._model_columns import ModelColumn
from tokumei.reconstruction._nodes import Nodes


def column(attribute: tk.Attribute, bins: list[int] | None = None) -> ModelColumn:
    codes = np.arange(attribute.states) if bins is None else np.array(bins)
    return ModelColumn(attribute, codes, (1 / np.bincount(codes))[codes], kept=False)


def test_an_order_is_cut_in_halves() -> None:
    nodes = Nodes.of(column(tk.Attribute("x", domain=tk.Numbers(0, 3, step=1))))
    assert nodes.ends.tolist() == [[0, 0], [1, 1], [2, 2], [3, 3], [0, 1], [2, 3]]
    assert nodes.of_values().toarray().tolist() == [
        [1, 0, 0, 0, 1, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 0, 1, 0, 0, 1],
        [0, 0, 0, 1, 0, 1],
    ]


def test_a_label_has_what_all_its_values_have() -> None:
    nodes = Nodes.of(column(tk.Attribute("x", domain=tk.Numbers(0, 3, step=1))))
    values = nodes.of_values().toarray()
    for low in range(4):
        for high in range(low, 4):
            shared = values[low : high + 1].min(axis=0)
            assert nodes.of_stretches(np.array([[low, high]])).toarray().tolist() == [shared.tolist()]


def test_labels_of_a_hierarchy_are_features() -> None:
    tree = tk.Hierarchy.groups({"north": ["A", "C"], "south": ["B"]})
    attribute = tk.Attribute("place", domain=tk.Categories(["A", "B", "C"]), hierarchy=tree, missing=True)
    values = Nodes.of(column(attribute)).of_values().toarray()
    assert values.shape == (4, 5)
    assert values[:, 4].tolist() == [1, 0, 1, 0]
    assert (values[:, :4] == np.eye(4)).all()


def test_values_without_an_order_are_alone() -> None:
    nodes = Nodes.of(column(tk.Attribute("x", domain=tk.Categories(["a", "b", "c"]))))
    assert (nodes.of_values().toarray() == np.eye(3)).all()
    assert not nodes.of_stretches(np.array([[0, 2]])).toarray().any()  # everything says nothing


def test_bins_that_lie_apart_have_themselves_only() -> None:
    attribute = tk.Attribute("x", domain=tk.Numbers(0, 4, step=1))
    values = Nodes.of(column(attribute, [0, 1, 0, 2, 2])).of_values().toarray()
    assert values[:, :3].tolist() == np.eye(3).tolist()
    assert not values[0, 3:].any()


def test_a_stretch_that_cuts_a_bin_is_none() -> None:
    tree = tk.Hierarchy.intervals([0, 2, 4])
    attribute = tk.Attribute("x", domain=tk.Numbers(0, 3, step=1), hierarchy=tree)
    assert Nodes.of(column(attribute, [0, 1, 1, 2])).of_values().shape == (3, 3)
    assert Nodes.of(column(attribute, [0, 1, 2, 2])).of_values().shape == (3, 4)
