"""Adult in the ten columns of the paper on density ratios: what is released, and a logistic regression to judge it by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tokumei as tk
from benchmarks import data
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow

RELEASED, PILOT = 16_281, 2_000
COLUMNS = [
    "age",
    "workclass",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
]
NUMBERS = {"education-num", "capital-gain", "capital-loss", "hours-per-week"}

WORK = {
    "government": ["Federal-gov", "Local-gov", "State-gov"],
    "own business": ["Self-emp-inc", "Self-emp-not-inc"],
    "private": ["Private"],
    "other work": ["?", "Never-worked", "Without-pay"],
}
MARRIAGE = {
    "married": ["Married-AF-spouse", "Married-civ-spouse"],
    "was married": ["Divorced", "Married-spouse-absent", "Separated", "Widowed"],
    "single": ["Never-married"],
}
TRADE = {
    "office": ["Adm-clerical", "Exec-managerial", "Prof-specialty", "Sales", "Tech-support"],
    "service": ["Armed-Forces", "Other-service", "Priv-house-serv", "Protective-serv"],
    "manual": [
        "Craft-repair",
        "Farming-fishing",
        "Handlers-cleaners",
        "Machine-op-inspct",
        "Transport-moving",
    ],
    "other trade": ["?"],
}
FAMILY = {
    "spouse": ["Husband", "Wife"],
    "relative": ["Other-relative", "Own-child"],
    "no relative": ["Not-in-family", "Unmarried"],
}


def adult() -> pd.DataFrame:
    frame = pd.read_csv(data.adult(), skipinitialspace=True)
    return frame.rename(columns=str.strip)


def targets(frame: pd.DataFrame) -> dict[str, tuple[pd.Series, list[str]]]:
    """Six targets, each with the columns left to predict it from."""

    def without(*made_of: str) -> list[str]:
        return [c for c in COLUMNS if c not in made_of]

    return {
        "income over 50K": (frame["income"].str.contains(">"), COLUMNS),
        "45 hours or more": (frame["hours-per-week"] >= 45, without("hours-per-week")),
        "married": (frame["marital-status"].str.startswith("Married"), without("marital-status", "relationship")),
        "40 years or more": (frame["age"] >= 40, without("age")),
        "male": (frame["sex"] == "Male", without("sex", "relationship")),
        "13 years of education or more": (frame["education-num"] >= 13, without("education-num")),
    }


def schema(frame: pd.DataFrame, columns: list[str], trees: bool = False) -> tk.Schema:
    """Describe columns and the target; with trees, each column has a hierarchy of a few levels, written down beforehand."""

    def attribute(name: str) -> tk.Attribute:
        domain: Any
        if name in NUMBERS:
            domain = tk.Numbers(int(frame[name].min()), int(frame[name].max()), step=1)
        else:
            domain = tk.Categories(sorted(frame[name].unique().tolist()), ordered=name == "age")
        return tk.Attribute(name, domain=domain, hierarchy=tree(name, domain) if trees else None)

    return tk.Schema([*map(attribute, columns), tk.Attribute("target", "sensitive", tk.Categories([False, True]))])


def tree(name: str, domain: Any) -> Any:
    """Return the levels of a column; the last of each is a star."""
    groups = {"workclass": WORK, "marital-status": MARRIAGE, "occupation": TRADE, "relationship": FAMILY}
    if name in groups:
        return tk.Hierarchy.groups(groups[name], {"*": list(groups[name])})
    if name == "sex":
        return tk.Hierarchy.groups({"*": ["Female", "Male"]})
    if name == "capital-gain":
        return tk.Hierarchy.intervals([0, 1, 5_000, 10_000, 100_000], [0, 1, 100_000], [0, 100_000])
    if name == "capital-loss":
        return tk.Hierarchy.intervals([0, 1, 1_500, 2_000, 5_000], [0, 1, 5_000], [0, 5_000])
    return tk.Hierarchy.order(domain, fanout=[4, 2] if name == "education-num" else [5, 2, 2])


def auc(train: pd.DataFrame, test: pd.DataFrame, weights: np.ndarray | None = None) -> float:
    """A logistic regression fitted to released rows, with or without weights, and used on true ones."""
    numeric = [
        c
        for c in train.columns
        if c != "target" and pd.api.types.is_numeric_dtype(train[c]) and train[c].nunique() > 2 and c in NUMBERS
    ]
    others = [c for c in train.columns if c not in {*numeric, "target"}]
    features = make_column_transformer((StandardScaler(), numeric), (OneHotEncoder(handle_unknown="ignore"), others))
    model = make_pipeline(features, LogisticRegression(max_iter=1000)).fit(
        train.drop(columns="target"), train["target"], logisticregression__sample_weight=weights
    )
    return float(roc_auc_score(test["target"], model.decision_function(test.drop(columns="target"))))


def coarse_auc(release: tk.Release, test: pd.DataFrame) -> float:
    """The same for rows whose cells were made coarser, through the encoder that suits the learner."""
    learner = LogisticRegression(max_iter=1000)
    columns = [name for name in release.frame.columns if name != "target"]
    model = make_pipeline(tk.encoders.encoder_for(learner, release), learner)
    model.fit(release.frame[columns], release.frame["target"])
    return float(roc_auc_score(test["target"], model.decision_function(test[columns])))


def prepared(frame: pd.DataFrame, described: tk.Schema, steps: tuple) -> pd.DataFrame:
    """True rows as the released ones look: recoded, not perturbed."""
    table = encode(to_arrow(frame)[0], described)
    for step in steps:
        table = step.apply(table)
    cells = {a.name: a.domain.values_of(table.codes(a.name)).to_pylist() for a in table.schema}
    return pd.DataFrame(cells)
