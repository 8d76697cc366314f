"""Which encoder suits which learner."""

from __future__ import annotations

from typing import Any, Literal, get_args

from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from tokumei.errors import InvalidParameter
from tokumei.learning.encoders._base import CellEncoder
from tokumei.learning.encoders.ancestor import AncestorEncoder
from tokumei.learning.encoders.rate import RateEncoder
from tokumei.memory import within_memory
from tokumei.release.artifact import Release
from tokumei.table.schema import Schema
from tokumei.text import names

Learner = Literal["linear", "trees", "network", "bayes", "neighbours"]

# Learners that take features to be independent, or measure distances: nodes of one tree repeat each other there.
COUNTING: tuple[Learner, ...] = ("bayes", "neighbours")
MODULES = ("sklearn.naive_bayes", "sklearn.neighbors")


@within_memory()
def encoder_for(learner: Any, schema: Schema | Release | None = None) -> CellEncoder:
    """Return the encoder that predicts raw rows best after learning from coarser ones.

    Ancestors suit learners that choose or weigh their features: linear models, trees, boosting, networks. Naive Bayes and
    nearest neighbours count every feature, so a raw cell, which has more ancestors than a coarse one, would count for more;
    they get rates. ``docs/learning/encoders.md`` shows the figures.

    Parameters
    ----------
    learner
        A scikit-learn model, or a pipeline or search that holds one, or its kind: ``"linear"``, ``"trees"``, ``"network"``,
        ``"bayes"`` or ``"neighbours"``.
    schema
        What the columns were before their cells were made coarser: a schema with domains and hierarchies, or a release.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> encoder_for(LogisticRegression())
    AncestorEncoder()
    >>> encoder_for("bayes")
    RateEncoder()
    """
    if isinstance(learner, str):
        if learner not in get_args(Learner):
            raise InvalidParameter(
                "learner must be a model or one of {kinds}. Got {learner!r}.",
                kinds=names(get_args(Learner)),
                learner=learner,
            )
        return RateEncoder(schema) if learner in COUNTING else AncestorEncoder(schema)
    model = learner
    while isinstance(model, Pipeline) or hasattr(model, "estimator"):  # searches and calibration hold a model
        model = model.steps[-1][1] if isinstance(model, Pipeline) else model.estimator
    if isinstance(model, type) or not hasattr(model, "fit"):
        raise InvalidParameter("learner must be a model such as LogisticRegression(), or its kind, such as 'linear'.")
    module = type(model).__module__
    sparse = not module.startswith("sklearn.") or bool(get_tags(model).input_tags.sparse)
    kind = RateEncoder if module.startswith(MODULES) else AncestorEncoder
    return kind(schema, sparse_output=sparse)
