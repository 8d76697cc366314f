"""What a good split is worth: a logistic regression on the perturbed rows of Adult, even against suggested.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.optimised_split [seeds]

For each seed 16,281 random rows are released at k = 3, ten columns perturbed and the target kept; 2,000 others are the
pilot; the rest, clean, is for testing. The pilot decides weights and recoding, so neither is tuned on evaluated rows.
"""

from __future__ import annotations

import sys
import warnings

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

RELEASED, PILOT, K = 16_281, 2_000, 3
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


def adult() -> pd.DataFrame:
    frame = pd.read_csv(data.adult(), skipinitialspace=True)
    return frame.rename(columns=str.strip)


def targets(frame: pd.DataFrame) -> dict[str, tuple[pd.Series, list[str]]]:
    """Each target with the columns left to predict it from."""
    return {
        "income over 50K": (frame["income"].str.contains(">"), COLUMNS),
        "45 hours or more": (frame["hours-per-week"] >= 45, [c for c in COLUMNS if c != "hours-per-week"]),
        "married": (
            frame["marital-status"].str.startswith("Married"),
            [c for c in COLUMNS if c not in {"marital-status", "relationship"}],
        ),
    }


def schema(frame: pd.DataFrame, columns: list[str]) -> tk.Schema:
    def attribute(name: str) -> tk.Attribute:
        if name in NUMBERS:
            return tk.Attribute(name, domain=tk.Numbers(int(frame[name].min()), int(frame[name].max()), step=1))
        labels = sorted(frame[name].unique().tolist())
        return tk.Attribute(name, domain=tk.Categories(labels, ordered=name == "age"))

    return tk.Schema([*map(attribute, columns), tk.Attribute("target", "sensitive", tk.Categories([False, True]))])


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
    return roc_auc_score(test["target"], model.decision_function(test.drop(columns="target")))


def prepared(frame: pd.DataFrame, described: tk.Schema, steps: tuple) -> pd.DataFrame:
    """True rows as the released ones look: recoded, not perturbed."""
    table = encode(to_arrow(frame)[0], described)
    for step in steps:
        table = step.apply(table)
    cells = {a.name: a.domain.values_of(table.codes(a.name)).to_pylist() for a in table.schema}
    return pd.DataFrame(cells)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    frame = adult()
    warnings.filterwarnings("ignore")
    for name, (target, columns) in targets(frame).items():
        data = frame[columns].assign(target=target.to_numpy())
        described = schema(frame, columns)
        results = {"even": [], "suggested": [], "without noise": []}
        for seed in range(seeds):
            order = np.random.default_rng(seed).permutation(len(data))
            released, pilot, test = (
                data.iloc[order[a:b]].reset_index(drop=True)
                for a, b in ((0, RELEASED), (RELEASED, RELEASED + PILOT), (RELEASED + PILOT, None))
            )
            found = tk.suggest_split(pilot, described, k=K, rows=RELEASED, target="target")
            even = tk.anonymize(released, described, tk.PkPerturbation(k=K), seed=seed).frame
            ours = tk.anonymize(
                released, described, tk.PkPerturbation(k=K, split=found.split), found.prepare, seed=seed
            ).frame
            results["even"].append(auc(even, test))
            results["suggested"].append(auc(ours, prepared(test, described, found.prepare)))
            results["without noise"].append(auc(released, test))
        print(f"{name} (k = {K}, {seeds} seeds)")
        for what, values in results.items():
            print(
                f"  AUC {what:<14} {np.mean(values):.4f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
