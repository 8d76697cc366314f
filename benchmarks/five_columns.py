"""Adult in five columns, with trees learned from rows: age, workclass, education, capital-gain, native-country -> income."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

import tokumei as tk
from benchmarks import data

# How many groups each level of a column's tree has, finest first.
LEVELS = {"age": [16, 5], "workclass": [4], "education": [5], "capital-gain": [11], "native-country": [7]}
TARGET = "income"


def adult() -> pd.DataFrame:
    """All 48,842 rows, a question mark being a value."""
    frame = pd.read_csv(data.adult(), skipinitialspace=True)
    return frame[[*LEVELS, TARGET]]


def bare(frame: pd.DataFrame) -> tk.Schema:
    """The columns without trees; numbers are labels too, so that trees may join whatever is alike."""
    domains = {name: tk.Categories(sorted(frame[name].unique().tolist())) for name in frame}
    roles = {name: "quasi_identifier" if name in LEVELS else "sensitive" for name in frame}
    return tk.Schema([tk.Attribute(name, roles[name], domain) for name, domain in domains.items()])


def with_trees(frame: pd.DataFrame, schema: tk.Schema, target: str) -> tk.Schema:
    """The schema with a tree for each column, learned from the rows given."""
    for name, clusters in LEVELS.items():
        attribute = schema[name]
        schema = schema.replacing(
            replace(attribute, hierarchy=tk.hierarchies.odds_hierarchy(frame, attribute, target, clusters))
        )
    return schema
