"""What one writes with scikit-learn alone, against ours: one-hot labels, KMeans with its small groups given up, and no reconstruction."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

import tokumei as tk
from benchmarks.peers.bench import Bench, table
from benchmarks.peers.inputs import CENSUS
from benchmarks.peers.rows_microaggregation import mixture
from benchmarks.stored import Table
from tokumei.partition.microaggregation.points import information_loss

K_LEARN = (5, 20, 100)
K_NOISE = (3, 10, 30)
K_POINTS = 5
SEED = 1


def run(bench: Bench) -> dict[str, Table]:
    return {**learned(bench), **grouped(bench)}


def schema() -> tk.Schema:
    """Invented people, rich or not."""
    return tk.example_schema().replacing(tk.Attribute("income", "sensitive", tk.Categories(["no", "yes"])))


def learned(bench: Bench) -> dict[str, Table]:
    frame = tk.example_census(rows=3_000 if bench.quick else 24_000)
    frame["income"] = np.where(frame["income"].isin(["50k to 100k", "over 100k"]), "yes", "no")
    half = len(frame) // 2
    folder = bench.home / "learning"
    folder.mkdir()
    test, training = frame.iloc[half:], frame.iloc[:half]
    test.to_csv(folder / "test.csv", index=False)
    training.to_csv(folder / "training.csv", index=False)
    truth = (test["income"] == "yes").to_numpy()
    request = {"data": str(folder / "test.csv"), "columns": CENSUS, "sensitive": "income", "positive": "yes"}
    jobs: list[tuple[str, str, Any]] = [
        (f"k = {k} by generalization", "learn", tk.Generalization(k=k, partition=tk.partitions.Mondrian(choose="gain")))
        for k in K_LEARN
    ]
    jobs += [(f"Pk, k = {k}", "reconstruct", tk.PkPerturbation(k=k, tells="all")) for k in K_NOISE]
    raw = bench.entrant("scikit-learn, the original rows", "scikit-learn", "learn")
    original = bench.compete([raw], {**request, "training": str(folder / "training.csv")}, "learning, original")[0]
    rows: list[list[Any]] = [["none", *scored(original, truth)]]
    for title, job, method in jobs:
        release = tk.anonymize(training, schema(), method, seed=SEED)
        out = folder / title.replace(" ", "").replace(",", "")
        release.write(out, allow_seeded=True)
        release.frame.to_csv(folder / "released.csv", index=False)
        asked = {**request, "release": str(out), "training": str(folder / "released.csv")}
        shown = "tokumei, encoder_for" if job == "learn" else "tokumei, reconstruct"
        entrants = [
            bench.entrant(shown, "tokumei", job),
            bench.entrant("scikit-learn, one-hot labels", "scikit-learn", "learn"),
        ]
        rows += [[title, *scored(each, truth)] for each in bench.compete(entrants, asked, f"learning, {title}")]
    return {"learning": table(["release"], ["AUC"], rows, {"AUC": ".3f"})}


def scored(outcome: Any, truth: Any) -> list[Any]:
    auc = None if outcome.failure is not None else float(roc_auc_score(truth, outcome.facts["scores"]))
    return [outcome.entrant.name, *outcome.costs(), auc, outcome.failure or ""]


def grouped(bench: Bench) -> dict[str, Table]:
    rows: list[list[Any]] = []
    for count in bench.sizes([5_000, 20_000], 1_000):
        points = mixture(count)
        path = bench.home / f"points-{count}.npy"
        np.save(path, points)
        entrants = [
            bench.entrant("tokumei, FarthestFirst", "tokumei", "groups", partition="farthest first"),
            bench.entrant("tokumei, LocalSearch", "tokumei", "groups", partition="local search"),
            bench.entrant("tokumei, MDAV", "tokumei", "groups", partition="MDAV"),
            bench.entrant("scikit-learn, KMeans made to fit", "scikit-learn", "groups"),
        ]
        name = f"{count:,} × 10"
        for outcome in bench.compete(entrants, {"points": str(path), "k": K_POINTS}, f"microaggregation, {name}"):
            quality: list[Any] = [None, None]
            remark = outcome.failure
            if remark is None:
                labels = np.array(outcome.facts["labels"])
                least = int(np.bincount(labels).min())
                quality = [least, information_loss(points, labels.astype(np.int32))]
                remark = "" if least >= K_POINTS else f"not kept: k is {least}"
            rows.append([name, outcome.entrant.name, *outcome.costs(), *quality, remark])
    return {"groups": table(["points"], ["k", "loss, %"], rows, {"loss, %": ".2f"})}
