"""Why rates help, and what noise on them costs: sections 2, 6.1, 6.2 and 6.3 of the paper, on Adult with linear models.

* `sparsity`: how dense each encoding is, how far from that of the original rows, and how accurate; among them encodings that differ from
  the paper's in one thing only.
* `noise`: rates of the whole table from counts with noise (the shipped `ValueRates(epsilon=)`), and rates of each group from counts with
  the same noise. A person is in one group, so an ε has the same meaning for both.
* `quasi_identifiers`: k-anonymity over all five columns, and over two of them.

Trees, groups and rates come from the training rows, and models are tested on raw rows, unless it says otherwise. k = 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import LinearSVC

import tokumei as tk
from benchmarks.papers.frequencies_nearest import FOLDS, SEED, Data, adult
from benchmarks.papers.program import Run, Tables
from benchmarks.stored import Table
from tokumei.anonymizers.value_rates import measured
from tokumei.engines.local import Made, make_release
from tokumei.privacy.noisy_counts import decay_of
from tokumei.randomness import Key
from tokumei.randomness.geometric import two_sided_geometric
from tokumei.table.frames import to_arrow

K = 10
EPSILONS = (10.0, 1.0, 0.1, 0.01, 0.001)
LINEAR: dict[str, Any] = {"logistic regression": LogisticRegression(max_iter=2000), "linear SVC": LinearSVC()}
FEW = ("age", "native-country")  # the quasi-identifiers of those who take some columns only


@dataclass(frozen=True)
class Fold:
    """A release of training rows, those rows in its order, and raw test rows."""

    made: Made
    training: pd.DataFrame
    test: pd.DataFrame
    truth: Any

    @property
    def release(self) -> tk.Release:
        """What is published."""
        return self.made.release

    @property
    def target(self) -> Any:
        """The target of the released rows."""
        return (self.training[people().target] == people().positive).to_numpy()

    @property
    def cells(self) -> pd.DataFrame:
        """The released cells."""
        return self.release.frame[people().columns].astype(str)


@cache
def people() -> Data:
    """Adult, read once and not before it is needed."""
    return adult()


def declared(schema: tk.Schema) -> tk.Schema:
    """The trees taken as public, as a holder would declare them: no ε covers a tree that was learned from the rows."""
    for attribute in schema:
        tree = attribute.hierarchy
        tree = tree if tree is None else replace(tree, learned=False)
        schema = schema.replacing(replace(attribute, hierarchy=tree, observed=False))
    return schema


def folds(run: Run, k: int = K, columns: tuple[str, ...] | None = None) -> Iterator[Fold]:
    """Release the training rows of some of the five folds; columns that are no quasi-identifiers stay as they are."""
    truth = (people().frame[people().target] == people().positive).to_numpy()
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(people().frame, truth)
    for number, (train, test) in enumerate(splits):
        if number == (1 if run.quick else 3):
            return
        training = people().frame.iloc[train].reset_index(drop=True)
        schema = declared(people().schema(training))
        for name in people().columns if columns is not None else ():
            if name not in columns:  # type: ignore[operator]
                schema = schema.replacing(replace(schema[name], role="insensitive"))
        method = tk.Generalization(k=k, partition=tk.partitions.TopDown(), publish=[tk.rates.ValueRates()])
        made = make_release(*to_arrow(training), schema, method, (), Key.seeded(SEED))
        raw = people().frame.iloc[test][people().columns].astype(str)
        yield Fold(made, training.iloc[made.order].reset_index(drop=True), raw, truth[test])


def fitted(features: Any, target: Any, which: Any, model: Any) -> Any:
    """Fit a model to different rows with their numbers as weights."""
    cells, counts = np.unique(2 * which + target, return_counts=True)
    return clone(model).fit(features[cells // 2], (cells % 2).astype(bool), sample_weight=counts)


def accuracies(fold: Fold, encoder: Any, change: Any = None) -> list[float]:
    """Fit each linear model to encoded released rows, and count how many raw rows it predicts."""
    which = fold.cells.groupby(people().columns, sort=False).ngroup().to_numpy()
    first = np.unique(which, return_index=True)[1]
    made = encoder.fit(fold.cells)
    features, raw = made.transform(fold.cells.iloc[first]), made.transform(fold.test)
    features = features if change is None else change(features, made)
    models = [fitted(features, fold.target, which, model) for model in LINEAR.values()]
    return [100 * float(np.mean(model.predict(raw) == fold.truth)) for model in models]


# 6.1


def blocks(encoder: Any) -> Any:
    """Return which column each feature is of, as a matrix that adds features up."""
    owner = np.unique([name.split("=")[0] for name in encoder.get_feature_names_out()], return_inverse=True)[1]
    return scipy.sparse.csr_matrix((np.ones(len(owner)), (np.arange(len(owner)), owner.reshape(-1))))


def without_small(features: Any, encoder: Any) -> Any:
    """Leave out what is below a twentieth, and let the rest of a cell add up to one again: sparser."""
    made = features.copy()
    made.data[made.data < 0.05] = 0.0
    made.eliminate_zeros()
    belongs = blocks(encoder)
    whole = (made @ belongs).toarray()
    rows = np.repeat(np.arange(made.shape[0]), np.diff(made.indptr))
    made.data /= whole[rows, belongs.tocsr().indices[made.indices]]
    return made


def whole_twice(features: Any, _: Any) -> Any:
    """Twice the rates: as sparse, and farther from the original rows."""
    return 2 * features


ENCODINGS: dict[str, tuple[Any, Any]] = {
    "ones, * empty (the paper's baseline)": (lambda r: tk.encoders.LeafEncoder(r, star="empty"), None),
    "ones": (tk.encoders.LeafEncoder, None),
    "rates (the paper)": (tk.encoders.RateEncoder, None),
    "rates, * empty": (tk.encoders.RateEncoder, "empty"),
    "rates, all values equally frequent": (lambda r: tk.encoders.RateEncoder(r, "uniform"), None),
    "rates, those below .05 left out": (tk.encoders.RateEncoder, without_small),
    "rates, times two": (tk.encoders.RateEncoder, whole_twice),
    "ancestors": (tk.encoders.AncestorEncoder, None),
}


def emptied(fold: Fold) -> Any:
    """Leave suppressed cells empty: what `LeafEncoder` sets to nothing, rates do too."""
    which = fold.cells.groupby(people().columns, sort=False).ngroup().to_numpy()
    first = np.unique(which, return_index=True)[1]
    ones = tk.encoders.LeafEncoder(fold.release, star="empty").fit(fold.cells).transform(fold.cells.iloc[first])
    return lambda features, _: features.multiply(ones).tocsr()


def sparsity(run: Run) -> Tables:
    """How dense, how far from the original rows, and how accurate each encoding is."""
    found: dict[str, list[list[float]]] = {}
    for fold in folds(run):
        truth = fold.training[people().columns].astype(str)
        for name, (make, how) in ENCODINGS.items():
            change = emptied(fold) if how == "empty" else how
            encoder = make(fold.release)
            scores = accuracies(fold, encoder, change)
            which = fold.cells.groupby(people().columns, sort=False).ngroup().to_numpy()
            first = np.unique(which, return_index=True)[1]
            features = encoder.transform(fold.cells.iloc[first])
            features = features if change is None else change(features, encoder)
            coarse, raw = features.tocsr()[which], encoder.transform(truth)
            away = coarse - raw
            dense = 100 * coarse.nnz / np.prod(coarse.shape)
            far = float(away.multiply(away).sum() / coarse.shape[0])
            found.setdefault(name, []).append([dense, coarse.sum() / raw.sum(), far, *scores])
            run.say(name)
    rows = [[name, *map(float, np.mean(each, axis=0))] for name, each in found.items()]
    heads = ["not zero, %", "sum, times that of raw rows", "squared distance to raw rows", *LINEAR]
    formats = dict.fromkeys(heads, ".2f")
    return {"encodings": Table(["a cell is encoded by", *heads], rows, formats)}


# 6.2 and 6.3


def noisy_groups(fold: Fold, epsilon: float, key: Key) -> Any:
    """Statistics of groups with whole-number noise on the counts of every value that a group's cells allow."""
    true = tk.encoders.GroupStatistics.measured(fold.cells, fold.training[people().columns].astype(str), fold.release)
    boxes = list(true.groups)
    counts = {}
    for at, name in enumerate(true.columns):
        low, high = np.array([box[at] for box in boxes]).T
        lengths = high - low + 1
        group = np.repeat(np.arange(len(boxes)), lengths)
        place = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths - low, lengths)
        held = scipy.sparse.csr_matrix(
            (true.counts[name][2], true.counts[name][:2]), shape=(len(boxes), high.max() + 1)
        )
        exact = np.asarray(held[group, place]).reshape(-1)
        noise = two_sided_geometric(key.stream("groups", name), len(exact), decay_of(epsilon))
        noisy = np.maximum(exact + noise, 0).astype(np.float64)
        whole = np.bincount(group, weights=noisy)
        share = np.where(whole[group] > 0, noisy / np.maximum(whole[group], 1), 1 / lengths[group])
        counts[name] = (group, place, share * true.sizes[group])
    return replace(true, counts=counts)


def noise(run: Run) -> Tables:
    """Accuracy by ε, for rates of the whole table and for those of each group."""
    epsilons = (1.0, 0.01) if run.quick else EPSILONS
    found: dict[tuple[str, str], list[list[float]]] = {}
    for number, fold in enumerate(folds(run)):
        table, key = fold.made.table, Key.seeded(number + 1)
        true = tk.encoders.GroupStatistics.measured(
            fold.cells, fold.training[people().columns].astype(str), fold.release
        )
        without = {
            "nothing: ones, * empty": tk.encoders.LeafEncoder(fold.release, star="empty"),
            "nothing: rates, all values equally frequent": tk.encoders.RateEncoder(fold.release, "uniform"),
        }
        for name, encoder in without.items():
            found.setdefault((name, ""), []).append(accuracies(fold, encoder))
        whole, groups = "the whole table", "each group"
        found.setdefault((whole, "no noise"), []).append(accuracies(fold, tk.encoders.RateEncoder(fold.release)))
        exact = tk.encoders.GroupStatisticsEncoder(fold.release, true)
        found.setdefault((groups, "no noise"), []).append(accuracies(fold, exact))
        for epsilon in epsilons:
            rates = measured([tk.rates.ValueRates(epsilon=epsilon)], table, None, K, key)
            made = accuracies(fold, tk.encoders.RateEncoder(fold.release, rates))
            found.setdefault((whole, f"{epsilon:g}"), []).append(made)
            statistics = noisy_groups(fold, epsilon, key)
            made = accuracies(fold, tk.encoders.GroupStatisticsEncoder(fold.release, statistics))
            found.setdefault((groups, f"{epsilon:g}"), []).append(made)
            run.say(f"ε = {epsilon:g}")
    rows = [[*name, *map(float, np.mean(each, axis=0))] for name, each in found.items()]
    rows.sort(key=lambda row: ["nothing", "the wh", "each g"].index(row[0][:6].replace("nothin", "nothing")))
    return {"k10": Table(["counts of", "ε a column", *LINEAR], rows, dict.fromkeys(LINEAR, ".2f"))}


# 2


def columns(run: Run) -> Tables:
    """Accuracy if all columns are quasi-identifiers, and if only two are and the others stay raw."""
    rows = []
    encoders = {
        "ones, * empty": lambda r: tk.encoders.LeafEncoder(r, star="empty"),
        "ancestors": tk.encoders.AncestorEncoder,
    }
    for k in (K,) if run.quick else (5, K, 20):
        for title, some in (("all five", None), ("age and native-country", FEW)):
            made: dict[str, list[list[float]]] = {name: [] for name in encoders}
            for fold in folds(run, k, some):
                for name, make in encoders.items():
                    made[name].append(accuracies(fold, make(fold.release)))
            for name, each in made.items():
                rows.append([k, title, name, *map(float, np.mean(each, axis=0))])
            run.say(f"k = {k}, {title}")
    return {"accuracy": Table(["k", "quasi-identifiers", "encoder", *LINEAR], rows, dict.fromkeys(LINEAR, ".2f"))}
