"""Two routes from a protected table to a model, at the same k: which gives the better one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.base import clone

from tokumei import plots
from tokumei.anonymizers.generalization import Generalization
from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.errors import InvalidParameter
from tokumei.learning.encoders.choice import encoder_for
from tokumei.learning.reconstruct import reconstruct
from tokumei.progress import stage
from tokumei.shown import shown
from tokumei.table.frames import FrameKind, frame_kind, from_arrow, to_arrow
from tokumei.table.schema import Schema
from tokumei.utility.means import mean_over_folds
from tokumei.utility.protocol import Fold, ForK, Protocol, Rows, Trees, check_ks, check_learners, scores

DEFAULT_K = (2, 5, 10, 20)
AS_IT_IS = "the original table"
ENCODE = "generalized, encoded"
RECONSTRUCT = "perturbed, reconstructed"


@dataclass(frozen=True, repr=False)
class Routes:
    """What `compare_routes` found.

    Attributes
    ----------
    table
        One row per route, learner, k and fold, with the accuracy and the area under the curve on raw test rows, and the model
        that was picked.
    """

    table: pa.Table
    kind: FrameKind = field(default="pandas")

    @property
    def frame(self) -> Any:
        """The results as a frame of the kind that came in."""
        return from_arrow(self.table, frame_kind(self.kind))

    @property
    def means(self) -> Any:
        """The mean over the folds."""
        return from_arrow(mean_over_folds(self.table, without=("model",)), frame_kind(self.kind))

    def better(self, k: int, score: str = "accuracy") -> str:
        """Return the route with the best mean score at k, by its best learner."""
        found = [each for each in mean_over_folds(self.table, without=("model",)).to_pylist() if each["k"] == k]
        if not found or score not in {"accuracy", "auc"}:
            raise InvalidParameter("better needs a k that was compared, and a score of 'accuracy' or 'auc'.")
        return str(max(found, key=lambda each: each[score] or 0.0)["route"])

    def plot(self, score: str = "accuracy", path: str | Path | None = None) -> Any:
        """Draw the mean score against k, a line for each route: an altair chart, also written to ``path`` if given."""
        rows = mean_over_folds(self.table, without=("model",)).to_pylist()
        for each in rows:
            each["line"] = each["route"] if each["learner"] == "" else f"{each['route']}, {each['learner']}"
        chart = plots.scores(rows, score)
        if path is not None:
            plots.save(chart, path, private=True)
        return chart

    def __str__(self) -> str:
        found = mean_over_folds(self.table, without=("model",)).to_pylist()
        ks = sorted({each["k"] for each in found if each["k"] > 1})
        width = max(len(_name(each)) for each in found)
        made = [f"{'accuracy in %, raw test rows':<{width}} " + " ".join(f"{f'k = {k}':>7}" for k in ks)]
        for name in dict.fromkeys(_name(each) for each in found):
            of = {each["k"]: each["accuracy"] for each in found if _name(each) == name}
            cells = " ".join(f"{100 * of[1 if 1 in of else k]:7.2f}" for k in ks)
            made.append(f"{name:<{width}} {cells}")
        made += [f"Best at k = {k}: {self.better(k)}." for k in ks]
        return "\n".join(made)


def _name(each: Mapping[str, Any]) -> str:
    return shown(f"{each['route']}, {each['learner']}" if each["learner"] else each["route"])


@stage("Comparing routes")
def compare_routes(
    frame: Any,
    schema: Schema,
    target: str,
    learners: Mapping[str, Any] | None = None,
    encoder: Any = None,
    ks: Sequence[int] = DEFAULT_K,
    cv: int = 5,
    hierarchies: Trees | None = None,
    alike: ForK | None = None,
    perturbed: ForK | None = None,
    random_state: int = 0,
) -> Routes:
    """Compare models from generalized, encoded rows with models from perturbed rows and `reconstruct`, at the same k.

    The rows are split first, and everything comes from the training part; models are tested on raw rows. Both promises
    limit how surely somebody is linked, to 1/k, but they are not the same: made-alike rows are true and keep the
    target unchanged in sight of anyone who knows the group; perturbed rows may be anyone's.

    Parameters
    ----------
    frame, schema
        The original table.
    target
        The column to predict; both routes release it as it is.
    learners
        scikit-learn classifiers by name for the encoded rows; without it a logistic regression.
    encoder
        How generalized rows are encoded; without it as `encoder_for` chooses for each learner.
    ks
        The guarantees to look at.
    cv, hierarchies, random_state
        See `study`.
    alike, perturbed
        Functions that make the method of each route for k; without them `Generalization` and `PkPerturbation`.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.comparisons.compare_routes(tk.example_census(rows=2000), tk.example_schema(), "income", ks=[3], cv=2)
    >>> sorted(set(found.table["route"].to_pylist()))
    ['generalized, encoded', 'perturbed, reconstructed', 'the original table']
    """
    models = check_learners(learners)
    coders = {name: encoder_for(model) if encoder is None else encoder for name, model in models.items()}
    methods: tuple[ForK, ForK] = (
        alike or (lambda k: Generalization(k=k)),
        perturbed or (lambda k: PkPerturbation(k=k)),
    )
    wanted = [k for k in check_ks(ks) if k > 1]
    if not wanted:
        raise InvalidParameter("ks must hold a number above 1.")
    protocol = Protocol(frame, schema, target, hierarchies or {}, cv, random_state)
    found: list[dict[str, Any]] = []
    with stage("Comparing routes", total=cv * (1 + 2 * len(wanted))) as shown:
        for fold in protocol.splits():
            test = protocol.rows(fold.test)

            def note(route: str, k: int, learner: str, model: str, scored: Mapping[str, Any], number: int) -> None:
                labels = {"route": route, "learner": learner, "k": k, "fold": number, "model": model}
                found.append({**labels, **scored})

            for name, scored in _encoded(protocol.rows(fold.train), fold.schema, test, coders, models).items():
                note(AS_IT_IS, 1, name, type(models[name]).__name__, scored, fold.number)
            shown.advance(note=f"fold {fold.number}")
            for k in wanted:
                release, _ = fold.released(fold.train, methods[0](k))
                for name, scored in _encoded(protocol.rows_of(release), release, test, coders, models).items():
                    note(ENCODE, k, name, type(models[name]).__name__, scored, fold.number)
                shown.advance(note=f"fold {fold.number}, k = {k}, encoding")
                model, scored = _reconstructed(protocol, fold, methods[1](k), test)
                note(RECONSTRUCT, k, "", model, scored, fold.number)
                shown.advance(note=f"fold {fold.number}, k = {k}, reconstructing")
    return Routes(pa.Table.from_pylist(found, schema=_COLUMNS), to_arrow(frame)[1].kind)


_COLUMNS = pa.schema(
    [
        ("route", pa.string()), ("learner", pa.string()), ("k", pa.int64()), ("fold", pa.int64()), ("model", pa.string()),
        ("accuracy", pa.float64()), ("auc", pa.float64()),
    ]
)  # fmt: skip


def _encoded(
    train: Rows, schema: Any, test: Rows, coders: Mapping[str, Any], models: Mapping[str, Any]
) -> dict[str, dict[str, float | None]]:
    made = {}
    for name, model in models.items():
        encoder = clone(coders[name]).set_params(schema=schema).fit(train.cells, train.target)
        fitted = clone(model).fit(encoder.transform(train.cells), train.target)
        made[name] = scores(fitted, encoder.transform(test.cells), test.target)
    return made


def _reconstructed(protocol: Protocol, fold: Fold, method: Any, test: Rows) -> tuple[str, dict[str, float | None]]:
    release, _ = fold.released(fold.train, method)
    model = reconstruct(release, protocol.target, protocol.columns)
    domain: Any = fold.schema[protocol.target].domain
    return type(model).__name__, scores(model, test.cells, np.array(domain.values_of(test.target).to_pylist()))
