"""Means over folds."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa


def mean_over_folds(table: pa.Table, without: Sequence[str] = ()) -> pa.Table:
    """Average the scores over the folds, in the order of the table; ``spread`` is the standard deviation of the accuracy."""
    labels = [name for name in table.column_names if name not in {"fold", "accuracy", "auc", *without}]
    placed = table.append_column("place", pa.array(range(table.num_rows)))
    grouped = placed.group_by(labels, use_threads=False).aggregate(
        [("accuracy", "mean"), ("accuracy", "stddev"), ("auc", "mean"), ("fold", "count"), ("place", "min")]
    )
    grouped = grouped.sort_by("place_min").drop_columns("place_min")
    renamed = {"accuracy_mean": "accuracy", "accuracy_stddev": "spread", "auc_mean": "auc", "fold_count": "folds"}
    return grouped.rename_columns([renamed.get(name, name) for name in grouped.column_names])
