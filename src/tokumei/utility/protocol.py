"""Split first: everything that is learned, grouped, counted or drawn comes from the training part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.arrays import Integers
from tokumei.diagnostics import ignoring, warn
from tokumei.engines.local import make_release
from tokumei.errors import AssumptionWarning, DataError, InvalidParameter, ObservedDomainWarning
from tokumei.hierarchies.learned import frequency_hierarchy, odds_hierarchy
from tokumei.randomness import Key, generator
from tokumei.release.artifact import Release
from tokumei.table.coded import encode
from tokumei.table.domain import Categories
from tokumei.table.frames import Origin, to_arrow
from tokumei.table.hierarchy import Tree
from tokumei.table.schema import Schema
from tokumei.text import names, nearest

Trees = Mapping[str, Sequence[int] | None]
ForK = Callable[[int], Anonymizer]


@dataclass(frozen=True, repr=False)
class Rows:
    """Rows to learn from or to test on: cells to predict from, and the code of each row's target."""

    cells: pa.Table
    target: Integers


@dataclass(frozen=True, repr=False)
class Fold:
    """One split. The schema's trees were learned from the training part."""

    number: int
    schema: Schema
    train: pa.Table
    test: pa.Table
    state: int

    def released(self, part: pa.Table, method: Anonymizer) -> tuple[Release, Integers]:
        """Make a release of a part on its own; also return which row of the part each released one is."""
        with ignoring(ObservedDomainWarning):  # nothing is published here
            made = make_release(part, Origin("pyarrow"), self.schema, method, (), Key.seeded(self.state))
        return made.release, made.order


@dataclass(frozen=True, repr=False)
class Protocol:
    """A table, what to predict from it, and how it is split.

    Parameters
    ----------
    frame, schema
        The original table.
    target
        The column to predict, one of categories that the methods leave as it is.
    hierarchies
        Columns that get a hierarchy learned from each training part, with how many groups each of its levels has, finest
        first, or None for the default: by the odds of a target with two values, else by frequency.
    cv
        Into how many parts the rows are split; each is tested on once.
    random_state
        Makes splits and draws repeatable.
    """

    frame: Any
    schema: Schema
    target: str
    hierarchies: Trees
    cv: int
    random_state: int

    def __post_init__(self) -> None:
        known = self.schema.names()
        for name in (self.target, *self.hierarchies):
            if name not in known:
                raise InvalidParameter(
                    "There is no column {name!r} in the schema.{hint}", name=name, hint=nearest(name, known)
                )
        attribute = self.schema[self.target]
        if not isinstance(attribute.domain, Categories) or attribute.missing:
            raise InvalidParameter(
                "The target {target!r} must have a domain of categories and no missing cells.", target=self.target
            )
        if attribute.role == "quasi_identifier":
            raise InvalidParameter(
                "The target {target!r} would be generalized with the quasi-identifiers; give it the role 'sensitive'.",
                target=self.target,
            )
        if not isinstance(self.cv, int | np.integer) or self.cv < 2:
            raise InvalidParameter("cv must be at least 2, and a whole number. Got {cv}.", cv=self.cv)
        if not self.columns:
            raise InvalidParameter("There is no column with a domain to predict the target from.")
        trees = {name: self.schema[name].hierarchy for name in self.columns if name not in self.hierarchies}
        learned = [name for name, tree in trees.items() if isinstance(tree, Tree) and tree.learned]
        if learned:
            warn(
                "The hierarchy of {learned} was learned from rows. If rows of this table were among them, "
                "it has seen the test rows, and the scores are too good; name the column in hierarchies instead.",
                AssumptionWarning,
                learned=names(learned),
            )

    @property
    def columns(self) -> list[str]:
        """The columns to predict from: all but identifiers, the target, and what has no domain."""
        return [
            each.name
            for each in self.schema
            if each.role != "identifier" and each.domain is not None and each.name != self.target
        ]

    def splits(self) -> Iterator[Fold]:
        """Split the rows, every fold with the target's shares."""
        arrow = to_arrow(self.frame)[0]
        arrow = arrow.select([name for name in arrow.column_names if name in self.schema.names()])
        codes = encode(arrow, self.schema).codes(self.target)
        if np.bincount(codes)[np.unique(codes)].min() < self.cv:
            raise DataError(
                "Some value of the target {target!r} occurs in fewer rows than there are folds.", target=self.target
            )
        if len(np.unique(codes)) < 2:
            raise DataError(
                "The target {target!r} has the same value in all rows, so there is nothing to predict.",
                target=self.target,
            )
        chance = generator(self.random_state)
        order = chance.permutation(len(codes))
        for number, (train, test) in enumerate(StratifiedKFold(self.cv).split(order, codes[order]), start=1):
            part = arrow.take(pa.array(order[train]))
            rest = arrow.take(pa.array(order[test]))
            yield Fold(number, self._with_trees(part), part, rest, int(chance.integers(2**31)))

    def _with_trees(self, part: pa.Table) -> Schema:
        schema, two = self.schema, part.column(self.target).combine_chunks().unique()
        for name, clusters in self.hierarchies.items():
            attribute = schema[name]
            tree = (
                odds_hierarchy(part, attribute, self.target, clusters)
                if len(two) == 2
                else frequency_hierarchy(part, attribute, clusters)
            )
            schema = schema.replacing(replace(attribute, hierarchy=tree))
        return schema

    def rows(self, part: pa.Table) -> Rows:
        """Return original rows as they are."""
        return Rows(part.select(self.columns), encode(part, self.schema).codes(self.target).astype(np.int64))

    def rows_of(self, release: Release) -> Rows:
        """Return released rows."""
        if self.target not in release.mechanism.kept:
            raise InvalidParameter(
                "The method changes {target!r}; give it the role 'sensitive', so that it is released unchanged.",
                target=self.target,
            )
        absent = [name for name in self.columns if name not in release.table.column_names]
        if absent:
            raise InvalidParameter(
                "The method drops {absent}, which the target is predicted from.", absent=names(absent)
            )
        return Rows(release.table.select(self.columns), release.coded.codes(self.target).astype(np.int64))


def check_learners(learners: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the learners by name, a logistic regression without any."""
    if learners is None:
        return {"logistic regression": LogisticRegression(max_iter=2000)}
    if not isinstance(learners, Mapping) or not learners:
        raise InvalidParameter("learners must name at least one, such as {'trees': RandomForestClassifier()}.")
    for name, model in learners.items():
        if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
            raise InvalidParameter("the learner {name!r} must be a model such as LogisticRegression().", name=name)
    return dict(learners)


def check_ks(ks: Sequence[int]) -> list[int]:
    """Return the numbers in rising order, each once."""
    if not isinstance(ks, Iterable):
        raise InvalidParameter("ks must be a list such as [2, 5, 10]. Got {ks!r}.", ks=ks)
    whole = [isinstance(k, int | np.integer) and not isinstance(k, bool) and k >= 1 for k in ks]
    if not whole or not all(whole):
        raise InvalidParameter("ks must be whole numbers of at least 1; k = 1 is the table unchanged.")
    return sorted({int(k) for k in ks})


def scores(
    model: Any, rows: Any, truth: npt.NDArray[Any], which: Integers | slice = slice(None)
) -> dict[str, float | None]:
    """Return the accuracy of a classifier, and the area under its curve if it has two classes and gives scores.

    ``which`` says of each true value which of the rows it belongs to; without it, the one in its place.
    """
    accuracy = float(np.mean(model.predict(rows)[which] == truth))
    area = None
    if len(model.classes_) == 2 and len(np.unique(truth)) == 2:
        if hasattr(model, "decision_function"):
            area = float(roc_auc_score(truth == model.classes_[1], model.decision_function(rows)[which]))
        elif hasattr(model, "predict_proba"):
            area = float(roc_auc_score(truth == model.classes_[1], model.predict_proba(rows)[which, 1]))
    return {"accuracy": accuracy, "auc": area}
