"""Boxes and losses of groups."""

from __future__ import annotations

import numpy as np

from tokumei import Attribute, Categories, Hierarchy, Numbers
from tokumei.partition.partition import Problem, boxes, loss
from tokumei.table.axis import axis_of

AXES = (
    axis_of(Attribute("age", domain=Numbers(0, 4, step=1))),
    axis_of(
        Attribute(
            "place", domain=Categories(["A", "B", "C"]), hierarchy=Hierarchy.groups({"AB": ["A", "B"], "C": ["C"]})
        )
    ),
)


def test_boxes_cover_their_rows_and_loss_counts_suppressed_rows_whole() -> None:
    rows = np.array([[0, 0], [2, 1], [4, 2], [4, 2], [1, 1]], dtype=np.int32)
    problem, labels = Problem(rows, AXES, 2), np.array([0, 0, 1, 1, -1], dtype=np.int32)
    low, high = boxes(problem, labels)
    assert low.tolist() == [[0, 0], [4, 2]] and high.tolist() == [[2, 1], [4, 2]]
    assert loss(problem, labels) == (2 * (2 / 4 + 1 / 2) / 2 + 0 + 1) / 5
