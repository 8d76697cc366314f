"""Complete rows from every kind of release, how little they depend on where a fit starts, and what the model costs.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.completed rows [SEEDS] [METHOD ...] [--minutes M]
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.completed starts [METHOD ...]
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.completed cost [METHOD ...]

With names of methods only these are measured, and put in the place of those that are stored.

Adult: 16,281 rows and ten columns on the common grid, income kept; all other rows but the pilot's test models. `rows`: five copies of completed rows
(``tk.reconstruct(release).impute(5)``; in copies, ``tk.synthesize(release, copies=5)``; with target, the same with ``target="income"``), each counting a fifth. 2-D is the mean, over all pairs of columns, of the total variation distance from the original's table. AUC: for income, of
a logistic regression (LR) and of gradient boosting, trained on the completed rows and tested on true ones; lost is what is missing to the
same model of the original rows. `starts`: the AUC of ``tk.reconstruct(release, target=...)``, and of a regression on completed rows, from ten different
starts for the same release. `cost`: seconds of CPU of reading a release and ``tk.reconstruct``, in a process of its own, and the most memory that it had.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks.one_thing_a_row import TARGET, Adult, area, census_on_grid
from benchmarks.pieces import Pieces, minutes_of
from benchmarks.stored import RESULTS, Table, store

FIRST, COPIES, BOOSTED = 100, 5, 10
FITTED_AGAIN = {"": False, ", in copies": None, ", with target": TARGET}  # by what is added to the name of a method
MILLION = 1_000_000
STARTS = 10
MONDRIAN = "generalization, Mondrian"
METHODS: dict[str, tuple[Callable[[int], Any], tuple[int, ...]]] = {
    "generalization": (lambda k: tk.Generalization(k=k), (3, 10)),
    MONDRIAN: (lambda k: tk.Generalization(k=k, partition=tk.partitions.Mondrian()), (3, 10)),
    "noise in groups": (lambda k: tk.GroupedPkPerturbation(k=k), (3, 10, 50)),
    "one thing a row": (lambda k: tk.PkPerturbation(k=k), (10,)),
    "every column with noise": (lambda k: tk.PkPerturbation(k=k, tells="all"), ()),
}


def on_grid(adult: Adult, frames: list[pd.DataFrame]) -> Any:
    """Return rows of several copies as places on the grid."""
    return np.concatenate([adult._codes(frame) for frame in frames])


def completed(release: tk.Release, target: str | Literal[False] | None) -> list[pd.DataFrame]:
    """Return copies of complete rows: from one model (False), or as `tk.synthesize` makes them, with a target or without."""
    if target is False:
        return list(tk.reconstruct(release).impute(COPIES, random_state=0))
    return list(tk.synthesize(release, copies=COPIES, target=target).frames)


def of_original(adult: Adult, seed: int) -> list[float]:
    """Return the AUC of both models of the original rows."""
    split = adult.split(seed)
    true, test = adult._codes(split.train), adult._codes(split.test)
    return [adult.grid.auc(true, test), adult.grid.boosted_auc(true, test)]


def judged(adult: Adult, seed: int, method: Any, k: int, target: str | Literal[False] | None) -> list[float]:
    """Return the error of completed rows, and the AUC of both models that are trained on them."""
    split, grid = adult.split(seed), adult.grid
    true, test = adult._codes(split.train), adult._codes(split.test)
    release = tk.anonymize(split.train, adult.schema, method, seed=seed)
    made = on_grid(adult, completed(release, target))
    weights = np.full(len(made), 1 / COPIES)
    boosting = grid.boosted_auc(made, test, weights) if k == BOOSTED else np.nan
    return [grid.error(true, made, 2), grid.auc(made, test, weights), boosting]


def rows(seeds: range, wanted: list[str], pieces: Pieces) -> None:
    """Judge completed rows."""
    adult, found = Adult(), dict[tuple[str, int], list[list[float]]]()
    for seed in seeds:
        whole = pieces.piece(f"the original, {seed}", partial(of_original, adult, seed))
        for name, (method, ks) in METHODS.items():
            for k in ks if name in (wanted or METHODS) else ():
                for added in FITTED_AGAIN if name == "one thing a row" else ("",):
                    key = (name + added, k)
                    make = partial(judged, adult, seed, method(k), k, FITTED_AGAIN[added])
                    off, regression, boosting = pieces.piece(f"{key}, {seed}", make)
                    numbers = [off, regression, whole[0] - regression, boosting, whole[1] - boosting]
                    found.setdefault(key, []).append(numbers)
                    print(seed, *key, *(f"{each:.4f}" for each in numbers), flush=True)
    keep_rows(found, seeds, wanted)


def keep_rows(found: dict[tuple[str, int], list[list[float]]], seeds: range, wanted: list[str]) -> None:
    """Store means over seeds, with standard errors."""
    titles = ["2-D", "AUC, LR", "lost, LR", "AUC, boosting", "lost, boosting"]
    lines = []
    for key, each in found.items():
        means = np.mean(each, axis=0)
        off = np.std(each, axis=0, ddof=1) / len(each) ** 0.5 if len(each) > 1 else np.zeros(len(titles))
        cells = [float(x) for pair in zip(means, off, strict=True) for x in pair]
        lines.append([*key, *(None if np.isnan(cell) else cell for cell in cells), len(each)])
    heads = ["method", "k", *(x for title in titles for x in (title, f"± {title}")), "seeds"]
    table = Table(heads, merged("rows", lines, 2) if wanted else lines, dict.fromkeys(heads[2:-1], ".4f"))
    store(
        "completed_rows",
        {"rows": table},
        command=f"python -m benchmarks.completed rows {len(seeds)}",
        seeds=list(seeds),
    )


def merged(part: str, lines: list[list[Any]], key: int) -> list[list[Any]]:
    """Put lines in the place of stored ones with the same first cells, and others behind them."""
    stored = json.loads((RESULTS / f"completed_{part}.json").read_text(encoding="utf-8"))["tables"][part]["rows"]
    new = {tuple(line[:key]): line for line in lines}
    kept = [new.pop(tuple(line[:key]), line) for line in stored]
    return [*kept, *new.values()]


def starts(wanted: list[str]) -> None:
    """Fit the same release from ten starts."""
    adult, lines = Adult(), []
    split, k = adult.split(FIRST), 10
    test = adult._codes(split.test)
    for name, (method, _) in METHODS.items():
        if name not in (wanted or METHODS):
            continue
        release = tk.anonymize(split.train, adult.schema, method(k), seed=FIRST)
        areas, completed, agree, spreads = [], [], [], []
        for start in range(STARTS):
            model = tk.reconstruct(release, random_state=start)
            areas.append(area(model.estimator(TARGET), split.test))
            completed.append(adult.grid.auc(adult._codes(model.impute(random_state=start)), test))
            agree.append(model.determined_)
            spreads.append(model.spread_)
        said = "determined" if all(agree) else f"left open, it says, in {STARTS - sum(agree)} of {STARTS}"
        ranges = [x for each in (areas, completed) for x in (float(np.mean(each)), float(np.ptp(each)))]
        lines.append([name, *ranges, float(np.mean(spreads)), said])
        print(*lines[-1], flush=True)
    heads = ["method", "AUC", "range of AUC", "AUC, one copy", "range of it", "fits apart", "the model is"]
    formats = dict.fromkeys(heads[1:6], ".4f")
    store(
        "completed_starts",
        {"starts": Table(heads, merged("starts", lines, 1) if wanted else lines, formats)},
        command="python -m benchmarks.completed starts",
        seeds=range(STARTS),
    )


def million(seed: int = 0) -> tuple[pd.DataFrame, tk.Schema]:
    """Return a million rows like those of the census."""
    parts = [census_on_grid(place) for place in range(seed, seed + 5)]
    labels = {name: [set(frame[name]) for frame, _ in parts] for name in parts[0][0]}
    assert all(each == found[0] for found in labels.values() for each in found)
    return pd.concat([frame for frame, _ in parts], ignore_index=True), parts[0][1]


def cost(wanted: list[str]) -> None:
    """Measure time and memory of the model."""
    adult, lines = Adult(), []
    tables = {"Adult": (adult.split(FIRST).train, adult.schema), "census": million()}
    for table, (frame, schema) in tables.items():
        for name, (method, _) in METHODS.items():
            if name not in (wanted or METHODS) or (len(frame) == MILLION and name == "generalization"):
                continue  # groups of near rows take long to make, and are read like those of Mondrian
            with tempfile.TemporaryDirectory() as folder:
                place = Path(folder) / "release"
                tk.anonymize(frame, schema, method(10), seed=0).write(place, allow_seeded=True)
                command = [sys.executable, "-m", "benchmarks.completed", "fit", str(place)]
                found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            lines.append([table, len(frame), name, *(found[each] for each in ("fit", "tables", "impute", "memory"))])
            print(*lines[-1], flush=True)
    heads = ["table", "rows", "method", "fit, s", "a table of two columns, s", "one copy of rows, s", "GB"]
    formats = {"rows": ",", **dict.fromkeys(heads[3:6], ".2f"), "GB": ".2f"}
    store(
        "completed_cost",
        {"cost": Table(heads, merged("cost", lines, 3) if wanted else lines, formats)},
        command="python -m benchmarks.completed cost",
        seeds=[0],
    )


def fit(place: str) -> None:
    """Fit a release that was written, and print what it took; the first fit of a small release loads compiled loops."""
    small = tk.anonymize(tk.example_census(rows=300), tk.example_schema(), tk.PkPerturbation(k=3), seed=0)
    tk.reconstruct(small).impute(random_state=0)
    taken, clock = {}, time.process_time()
    release = tk.read_release(place)
    model = tk.reconstruct(release)
    taken["fit"] = time.process_time() - clock
    columns = [name for name in model.columns_ if name != TARGET][:2]
    for name, work in (
        ("tables", lambda: model.estimated_table(columns)),
        ("impute", lambda: model.impute(random_state=0)),
    ):
        clock = time.process_time()
        work()
        taken[name] = time.process_time() - clock
    status = Path("/proc/self/status").read_text(encoding="utf-8")  # what resource.getrusage says includes the parent's
    taken["memory"] = int(status.split("VmHWM:")[1].split()[0]) / 1e6
    print(json.dumps(taken))


def main() -> None:
    warnings.filterwarnings("ignore")
    arguments, minutes = minutes_of(sys.argv[1:])
    part, *given = arguments or ["rows"]
    if part == "fit":
        fit(given[0])
        return
    if part == "rows":
        pieces = Pieces("completed_rows", minutes)
        rows(range(FIRST, FIRST + (int(given[0]) if given else 4)), given[1:], pieces)
        pieces.finish()
        return
    {"starts": starts, "cost": cost}[part](given)


if __name__ == "__main__":
    main()
