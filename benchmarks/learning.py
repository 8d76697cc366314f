"""Models learned from k-anonymous rows of Adult: six learners, three encoders, two kinds of test rows.

    TOKUMEI_DATA=folder-with-adult.csv python benchmarks/learning.py [--quick] [--plots FOLDER] [--save FILE.csv] [--only NAME ...] [--ks K ...]
    TOKUMEI_DATA=folder-with-adult.csv python benchmarks/learning.py --read FILE.csv ... [--plots FOLDER]
    TOKUMEI_DATA=folder-with-adult.csv python benchmarks/learning.py --routes

age, workclass, education, capital-gain and native-country predict income; trees, groups and rates come from the training
part of each of five folds; all parameters are the learners' own defaults (the logistic regression may take more steps).
Learners are fitted to the different rows with their numbers as weights, except LightGBM, which counts rows in its leaves.
``--quick`` looks at k = 1, 2, 10 and leaves out the forest. ``--routes`` compares encoding with reconstruction at the
same k. XGBoost and LightGBM are left out with a message if they are not installed.
"""

from __future__ import annotations

import argparse
import importlib
import time
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

import tokumei as tk
from five_columns import LEVELS, TARGET, adult, bare
from tokumei.utility.study import Study

KS = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
LINEAR = ("logistic regression", "linear SVC")
UNWEIGHTED = ("LightGBM",)


def learners(quick: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"logistic regression": LogisticRegression(max_iter=2000), "linear SVC": LinearSVC()}
    if not quick:
        made["random forest"] = RandomForestClassifier(random_state=0)
    made["gradient boosting"] = GradientBoostingClassifier(random_state=0)
    for name, module, model, settings in (
        ("XGBoost", "xgboost", "XGBClassifier", {"n_jobs": 1}),
        ("LightGBM", "lightgbm", "LGBMClassifier", {"n_jobs": 1, "verbose": -1}),
    ):
        try:
            made[name] = getattr(importlib.import_module(module), model)(**settings)
        except ImportError:
            print(f"{name} is not installed and left out; pip install 'tokumei[bench]' brings it.")
    return made


def show(found: Any) -> None:
    """Print the mean accuracy, and say where encoders stand to each other."""
    means = found.means
    ks = sorted(means["k"].unique())
    for kind in ("raw", "generalized"):
        print(f"\n{kind.capitalize()} test rows, accuracy in %:\n")
        print("| learner | encoder | " + " | ".join(f"k = {k}" for k in ks) + " |")
        print("|---|---|" + "---:|" * len(ks))
        tested = means[means["test"] == kind]
        pairs = ((learner, encoder) for learner in tested["learner"].unique() for encoder in tested["encoder"].unique())
        for learner, encoder in pairs:
            of = tested[(tested["learner"] == learner) & (tested["encoder"] == encoder)]
            cells = of.set_index("k")["accuracy"]
            shown = [f"{100 * cells[k]:.2f}" if k in cells else "" for k in ks]
            print(f"| {learner} | {encoder} | " + " | ".join(shown) + " |")
    wide = means.pivot_table(index=["learner", "test", "k"], columns="encoder", values="accuracy")
    coarse = wide[wide.index.get_level_values("k") > 1] * 100
    linear = coarse[coarse.index.get_level_values("learner").isin(LINEAR)]
    print("\nLeast advantage over leaves at any k > 1, in points:")
    for kind in ("raw", "generalized"):
        of = {"rates, linear models": linear, "rates": coarse, "ancestors": coarse}
        least = {n: (x[n.split(",")[0]] - x["leaves"]).xs(kind, level="test").min() for n, x in of.items() if len(x)}
        print(f"  {kind} test rows: " + ", ".join(f"{name} {points:+.2f}" for name, points in least.items()))
    if 10 in ks:
        raw = wide.xs("raw", level="test")
        lost = (raw.xs(1, level="k")["leaves"] - raw.xs(10, level="k")["ancestors"]) * 100
        print("Lost by k = 10 with ancestors, raw test rows, against leaves of the table as it is:")
        print("  " + ", ".join(f"{name} {points:.2f}" for name, points in lost.items()))


def run(frame: pd.DataFrame, asked: argparse.Namespace) -> Study:
    models = {name: model for name, model in learners(asked.quick).items() if not asked.only or name in asked.only}
    return tk.study(
        frame,
        bare(frame),
        TARGET,
        models,
        ks=asked.ks or ((1, 2, 10) if asked.quick else KS),
        test="both",
        trees=LEVELS,
        weighted=[name for name in models if name not in UNWEIGHTED],
    )


def read(files: list[Path]) -> Study:
    """Put scores together that were saved before."""
    return Study(pa.concat_tables([pyarrow.csv.read_csv(file) for file in files]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Models learned from k-anonymous rows of Adult.")
    parser.add_argument("--quick", action="store_true", help="k = 1, 2, 10, and no forest")
    parser.add_argument("--plots", type=Path, help="write one SVG for each learner into this folder")
    parser.add_argument("--save", type=Path, help="write the score of every fold to this CSV file")
    parser.add_argument("--read", type=Path, nargs="+", help="show scores that --save wrote, and run nothing")
    parser.add_argument("--routes", action="store_true", help="compare with perturbed and reconstructed rows")
    parser.add_argument("--ks", nargs="+", type=int, default=None, help="these k only")
    parser.add_argument("--only", nargs="+", help="some learners only, by name")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    frame, start = adult(), time.process_time()
    if asked.routes:
        folds, ks = 2 if asked.quick else 5, asked.ks or (2, 5, 10, 20)
        print(tk.compare_routes(frame, bare(frame), TARGET, ks=ks, trees=LEVELS, folds=folds))
        return
    found = read(asked.read) if asked.read else run(frame, asked)
    show(found)
    if asked.save is not None:
        pyarrow.csv.write_csv(pa.Table.from_pandas(found.frame, preserve_index=False), asked.save)
    if asked.plots is not None:
        asked.plots.mkdir(parents=True, exist_ok=True)
        for name in found.frame["learner"].unique():
            found.plot(learner=name, path=asked.plots / f"{name.replace(' ', '_').lower()}.svg")
    if not asked.read:
        print(f"\n{(time.process_time() - start) / 60:.1f} minutes of CPU.")


if __name__ == "__main__":
    main()
