"""The honest protocol for research on learning from anonymized tables, in one call."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from tokumei import plots
from tokumei.anonymizers.generalization import Generalization
from tokumei.anonymizers.value_rates import ValueRates
from tokumei.arrays import Integers
from tokumei.errors import InvalidParameter
from tokumei.learning.encoders.ancestor import AncestorEncoder
from tokumei.learning.encoders.leaf import LeafEncoder
from tokumei.learning.encoders.rate import RateEncoder
from tokumei.learning.encoders.statistics import GroupStatistics
from tokumei.progress import stage
from tokumei.shown import shown
from tokumei.table.classes import class_of
from tokumei.table.coded import numbered
from tokumei.table.frames import FrameKind, frame_kind, from_arrow, to_arrow
from tokumei.table.schema import Schema
from tokumei.utility.means import mean_over_folds
from tokumei.utility.protocol import Fold, ForK, Protocol, Rows, Trees, check_ks, check_learners, scores

Test = Literal["raw", "generalized", "both"]


@dataclass(frozen=True, repr=False)
class Study:
    """What `study` found.

    Attributes
    ----------
    table
        One row per method, encoder, learner, k, kind of test rows and fold, with the accuracy and the area under the curve.
    """

    table: pa.Table
    kind: FrameKind = field(default="pandas")

    @property
    def frame(self) -> Any:
        """The results as a frame of the kind that came in."""
        return from_arrow(self.table, frame_kind(self.kind))

    @property
    def means(self) -> Any:
        """The mean over the folds, and how many rows the mean is over."""
        made = mean_over_folds(self.table)
        return from_arrow(made, frame_kind(self.kind))

    def plot(self, learner: str | None = None, score: str = "accuracy", path: str | Path | None = None) -> Any:
        """Draw the mean score against k, a line for each encoder: an altair chart, also written to ``path`` if given.

        Parameters
        ----------
        learner
            Draw one learner only; without it one panel for each.
        score
            ``"accuracy"`` or ``"auc"``.
        path
            A file that ends in ``.svg``, ``.png`` or ``.html``.
        """
        learners = self.table.column("learner").unique().to_pylist()
        if learner is not None and learner not in learners:
            raise InvalidParameter(
                "learner must be one of {learners}. Got {learner!r}.", learners=", ".join(learners), learner=learner
            )
        rows = [each for each in mean_over_folds(self.table).to_pylist() if learner in {None, each["learner"]}]
        methods = {each["method"] for each in rows}
        for each in rows:
            each["line"] = each["encoder"] if len(methods) == 1 else f"{each['method']}, {each['encoder']}"
        chart = plots.scores(rows, score, panel="learner", row="test")
        if path is not None:
            plots.save(chart, path, private=True)
        return chart

    def __str__(self) -> str:
        found = mean_over_folds(self.table).to_pylist()
        ks = sorted({each["k"] for each in found})
        panels: dict[str, dict[str, dict[int, float]]] = {}
        for each in found:
            panel = panels.setdefault(shown(f"{each['learner']}, {each['test']} test rows: accuracy in %"), {})
            panel.setdefault(shown(f"{each['method']}, {each['encoder']}"), {})[each["k"]] = each["accuracy"]
        parts = []
        for title, panel in panels.items():
            parts += [title, f"  {'k':<40} " + " ".join(f"{k:>6}" for k in ks)]
            parts += [f"  {name:<40} " + " ".join(f"{100 * of[k]:6.2f}" for k in ks) for name, of in panel.items()]
        return "\n".join(parts)


def _with_rates(k: int) -> Generalization:
    return Generalization(k=k, publish=(ValueRates(),))


@stage("Studying")
def study(
    frame: Any,
    schema: Schema,
    target: str,
    learners: Mapping[str, Any] | None = None,
    methods: Mapping[str, ForK] | None = None,
    encoders: Mapping[str, Any] | None = None,
    ks: Sequence[int] = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20),
    cv: int = 5,
    test: Test = "raw",
    hierarchies: Trees | None = None,
    weighted: bool | Sequence[str] = False,
    random_state: int = 0,
) -> Study:
    """Measure how well models do that learn from anonymized rows, without looking at the rows that they are tested on.

    The rows are split first. Trees are learned from the training part, and groups, rates and noise are its own. Test rows
    are raw, or they are anonymized on their own by the same method, as somebody else's release would be.

    Parameters
    ----------
    frame, schema
        The original table.
    target
        The column to predict.
    learners
        scikit-learn classifiers by name; without it a logistic regression.
    methods
        For each name a function that makes a method for k; without it `Generalization` with its default grouping,
        and the rates of values published, rare ones pooled.
    encoders
        Encoders by name, such as `AncestorEncoder`; their schema is set to each release. Without it leaves, rates and
        ancestors.
    ks
        The guarantees to look at; 1 is the table as it is.
    cv
        Into how many parts the rows are split.
    test
        ``"raw"``, ``"generalized"`` or ``"both"``.
    hierarchies
        Columns that get a tree learned from each training part, with how many groups each level has, finest first.
    weighted
        Whether learners are fitted to the different rows, weighted by their numbers of copies: much faster, and the same
        model where its loss is a sum over rows. Or the names of the learners that are.
    random_state
        Makes splits and draws repeatable; learners have their own.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.comparisons.study(tk.example_census(rows=1500), tk.example_schema(), "income", ks=[1, 5], cv=2)
    >>> found.table.num_rows
    12
    """
    if test not in get_args(Test):
        raise InvalidParameter("test must be 'raw', 'generalized' or 'both'. Got {test!r}.", test=test)
    models = check_learners(learners)
    made_by: Mapping[str, ForK] = {"Generalization": _with_rates} if methods is None else methods
    given = {"leaves": LeafEncoder(), "rates": RateEncoder(), "ancestors": AncestorEncoder()}
    coding = given if encoders is None else dict(encoders)
    if not (made_by and coding):
        raise InvalidParameter("methods and encoders must name at least one each.")
    wanted = check_ks(ks)
    by_weight = (set(models) if weighted else set()) if isinstance(weighted, bool) else set(weighted)
    for name in by_weight:
        if name not in models or not has_fit_parameter(models[name], "sample_weight"):
            raise InvalidParameter(
                "{name!r} is not a learner whose fit takes sample_weight; fit it to all rows.", name=name
            )
    protocol = Protocol(frame, schema, target, hierarchies or {}, cv, random_state)
    kinds = ("raw", "generalized") if test == "both" else (test,)
    found: list[dict[str, Any]] = []
    work = cv * len(wanted) * len(made_by) * len(coding) * len(models)
    with stage("Studying", total=work) as shown:
        for fold in protocol.splits():
            for k, (name, method) in itertools.product(wanted, made_by.items()):
                parts = _parts(protocol, fold, k, method, kinds)
                for (coder, encoder), learner in _encoded(parts, coding, models):
                    fitted = encoder.fitted(models[learner], learner in by_weight)
                    labels = {"method": name, "encoder": coder, "learner": learner, "k": k, "fold": fold.number}
                    found += [{**labels, "test": kind, **encoder.scores(fitted, kind)} for kind in kinds]
                    shown.advance(note=f"fold {fold.number}, k = {k}, {learner}")
    return Study(pa.Table.from_pylist(found, schema=_COLUMNS), to_arrow(frame)[1].kind)


_COLUMNS = pa.schema(
    [(name, pa.string()) for name in ("method", "encoder", "learner")]
    + [
        ("k", pa.int64()),
        ("test", pa.string()),
        ("fold", pa.int64()),
        ("accuracy", pa.float64()),
        ("auc", pa.float64()),
    ]
)


@dataclass(frozen=True, repr=False)
class _Parts:
    """Training rows as released, the rows to test on, and what an encoder may know of the columns."""

    schema: Any
    train: Rows
    true: pa.Table  # the training rows as they were, in the order of the released ones
    tests: Mapping[str, Rows]


def _parts(protocol: Protocol, fold: Fold, k: int, method: ForK, kinds: Sequence[str]) -> _Parts:
    raw = protocol.rows(fold.test)
    if k == 1:
        train = protocol.rows(fold.train)
        return _Parts(fold.schema, train, train.cells, dict.fromkeys(kinds, raw))
    release, order = fold.released(fold.train, method(k))
    tests = {"raw": raw}
    if "generalized" in kinds:
        other, rows = fold.released(fold.test, method(k))
        if len(rows) < len(raw.target):
            raise InvalidParameter(
                "The method leaves out rows, so it cannot be tested on generalized rows; use test='raw'."
            )
        tests["generalized"] = Rows(protocol.rows_of(other).cells, raw.target[rows])
    true = fold.train.select(protocol.columns).take(pa.array(order))
    return _Parts(release, protocol.rows_of(release), true, tests)


def _encoded(
    parts: _Parts, coding: Mapping[str, Any], models: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, _Encoded], str]]:
    """Go through the encoders, and for each, fitted once, through the learners."""
    for name, encoder in coding.items():
        yield from itertools.product([(name, _Encoded(parts, encoder))], models)


class _Encoded:
    """Rows through one encoder, every different row once."""

    def __init__(self, parts: _Parts, encoder: Any) -> None:
        settings = {"schema": parts.schema}
        if "statistics" in encoder.get_params():
            settings["statistics"] = GroupStatistics.measured(parts.train.cells, parts.true, parts.schema)
        self.encoder = clone(encoder).set_params(**settings).fit(parts.train.cells, parts.train.target)
        self._which = _different(parts.train.cells, parts.train.target)
        self._examples = _first(self._which)
        self._features = self.encoder.transform(parts.train.cells.take(pa.array(self._examples)))
        self._target = parts.train.target
        self._tests = {kind: (*self._each(rows.cells), rows.target) for kind, rows in parts.tests.items()}

    def _each(self, cells: pa.Table) -> tuple[Any, Integers]:
        which = _different(cells)
        return self.encoder.transform(cells.take(pa.array(_first(which)))), which

    def scores(self, model: Any, kind: str) -> dict[str, float | None]:
        """Test a fitted model."""
        features, which, truth = self._tests[kind]
        return scores(model, features, truth, which)

    def fitted(self, model: Any, weighted: bool) -> Any:
        """Fit a copy of a model to all rows, or to the different ones with weights."""
        if weighted:
            weights = np.bincount(self._which).astype(np.float64)
            return clone(model).fit(self._features, self._target[self._examples], sample_weight=weights)
        return clone(model).fit(self._features[self._which], self._target)


def _different(cells: pa.Table, *more: Integers) -> Integers:
    columns = [numbered(column.combine_chunks()) for column in cells.columns]
    return class_of([*columns, *more], cells.num_rows)


def _first(which: Integers) -> Integers:
    return np.unique(which, return_index=True)[1].astype(np.int64)
