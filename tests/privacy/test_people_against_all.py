"""People with several rows, from the table to the release: the exact adversary plays against what `anonymize` itself states."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk

LABELS = {"x": ["a", "b"], "town": ["s", "t"], "z": ["u", "v"]}


def schema(columns: list[str], most: int | None) -> tk.Schema:
    role: Any
    made = [tk.Attribute("who", "person", most=most)]
    for name in columns:
        role = "quasi_identifier" if name == "x" else "insensitive"
        made.append(tk.Attribute(name, role, tk.Categories(LABELS[name])))
    return tk.Schema(made)


def belief(likelihood: np.ndarray, who: np.ndarray, strata: np.ndarray, taken: tuple[int, ...] | None) -> float:
    """The largest probability that a released row is any of a person's, over every assignment that the design allows."""
    rows, released = likelihood.shape
    linked, total = np.zeros((who.max() + 1, released)), 0.0
    for drawn in itertools.permutations(range(rows), released):
        if taken is not None and tuple(np.bincount(strata[list(drawn)], minlength=2)) != taken:
            continue
        weight = float(np.prod(likelihood[list(drawn), range(released)]))
        total += weight
        linked[who[list(drawn)], range(released)] += weight
    return float(linked.max() / total) if total else 0.0


def worst_beliefs(release: tk.Release, frame: pd.DataFrame, taken: tuple[int, ...] | None) -> tuple[float, float]:
    """The same over all releases with these kept cells: for membership secret, and for every sample that may be known."""
    codes = {name: frame[name].map(labels.index).to_numpy() for name, labels in LABELS.items()}
    kept = {n: release.frame[n].map(LABELS[n].index).to_numpy() for n in release.mechanism.kept}
    matrices = {name: channel.matrix() for name, channel in release.mechanism.channels.items()}
    records = list(itertools.product(*(range(len(each)) for each in matrices.values())))
    who, strata = frame["who"].to_numpy(), codes["town"]
    secret = known = 0.0
    for shown in itertools.product(range(len(records)), repeat=release.rows):
        likelihood = np.ones((len(frame), release.rows))
        for place, (name, matrix) in enumerate(matrices.items()):
            likelihood *= matrix[np.array([records[r][place] for r in shown])[None, :], codes[name][:, None]]
        for name, cells in kept.items():
            likelihood *= cells[None, :] == codes[name][:, None]
        secret = max(secret, belief(likelihood, who, strata, taken))
        for drawn in itertools.combinations(range(len(frame)), release.rows):
            mine = list(drawn)
            if release.rows < len(frame) and (taken is None or tuple(np.bincount(strata[mine], minlength=2)) == taken):
                known = max(known, belief(likelihood[mine], who[mine], strata[mine], None))
    return secret, known


DESIGNS: dict[str, tuple[Any, str]] = {
    "whole": (None, "perturb"),
    "whole, known": (None, "known"),
    "sample": (3, "perturb"),
    "sample, known": (3, "known"),
    "coin": (tk.samples.Bernoulli(0.5, redraw_above=3), "known"),
    "released strata": (tk.samples.Stratified("town", {"s": 2, "t": 1}), "perturb"),
    "hidden strata": (tk.samples.Stratified("town", {"s": 2, "t": 1}, labels="hidden"), "known"),
}


@pytest.mark.parametrize("which", DESIGNS)
def test_the_stated_promise_against_every_release_of_random_tables(which: str) -> None:
    sample, kept = DESIGNS[which]
    rng = np.random.default_rng(11)
    taken = (2, 1) if isinstance(sample, tk.samples.Stratified) else None
    columns = ["x", "town"] if taken else ["x", "z"] if kept == "known" else ["x"]
    if which == "hidden strata":
        columns = ["x", "town", "z"]
    reached, played = 0.0, 0
    for turn in range(60):
        rows = 4 if sample is None else 5
        frame = pd.DataFrame({name: rng.choice(labels, rows) for name, labels in LABELS.items()})
        frame["town"] = (["s"] * 3 + ["t"] * 2)[:rows]  # so that every design can draw
        frame["who"] = np.unique(rng.integers(0, 4, rows), return_inverse=True)[1]
        most = int(np.bincount(frame["who"]).max())
        method = tk.PkPerturbation(k=1 + 0.5 * rng.random(), kept=kept, sample=sample, tells="all")  # type: ignore[arg-type]
        try:
            given = schema(columns, most if turn % 2 else None)
            release = tk.anonymize(frame[["who", *columns]], given, method, seed=turn)
        except tk.errors.InfeasiblePromise:  # one person has nearly all of it
            continue
        played += 1
        stated = [each.value for each in release.guarantees if each.notion == "Pk-anonymity"]
        found = worst_beliefs(release, frame, taken)
        for value, worst in zip(stated, found, strict=False):
            assert worst * value <= 1 + 1e-9
            reached = max(reached, worst * value)
        if played == 8:
            break
    assert played >= 4
    assert reached > 0.9
