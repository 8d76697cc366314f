"""A classifier fitted to a perturbed release that predicts true rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.errors import InvalidParameter, nearest
from tokumei.mechanism.channel import Conditional, Floats
from tokumei.mechanism.coarsening import Coarsened
from tokumei.progress import stage
from tokumei.reconstruction._evidence import nominal, numeric, short_ordered
from tokumei.release.artifact import Release
from tokumei.table.coded import encode
from tokumei.table.domain import Categories
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Attribute, Schema

SHORT = 9  # ordered columns with fewer values than this are fitted value by value
POINTS = 50  # longer ones are looked at in so many bins
RELEASED_BINS = 64


class ClassConditional(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict a column that was released as it is from columns that were perturbed, for rows that were not.

    For each column the released values are counted by class, and what the column says about the class is estimated
    through its public channel, with priors in place of iteration counts: independent contrasts for unordered values, a
    line plus something smooth for a few ordered ones, truncated normals for numbers. The columns' evidence adds up. It is
    a simple model on purpose: under the noise of a promise, pairs of columns hardly carry a signal.

    Parameters
    ----------
    target
        The column to predict: categories, released as they are.

    Attributes
    ----------
    classes_
        The values of the target.
    evidence_
        For each column the logarithm of how much likelier each of its states is in a class than in the others, one row a
        class (two classes: one row, for the second).
    signal_
        How much each column still tells: the standard deviation of its evidence over the released rows.

    Examples
    --------
    >>> import tokumei as tk
    >>> schema = tk.example_schema()
    >>> release = tk.anonymize(tk.example_census(rows=5000), schema, tk.PkPerturbation(k=3), seed=1)
    >>> model = tk.ClassConditional("income").fit(release)
    >>> rows = tk.example_census(rows=4, random_state=5).drop(columns=["person_id", "income"])
    >>> model.predict_proba(rows).shape
    (4, 4)
    """

    def __init__(self, target: str) -> None:
        self.target = target

    def fit(self, release: Release, y: None = None) -> ClassConditional:
        """Estimate what each released column says about the target."""
        if not isinstance(release, Release):
            raise InvalidParameter("fit needs a release, such as read_release gives.")
        wanted = self._target(release)
        classes = release.coded.codes(self.target).astype(np.int64)
        weights = release.row_weights()
        weights = np.ones(len(classes)) if weights is None else weights * len(classes) / weights.sum()
        totals = np.bincount(classes, weights=weights, minlength=wanted.states)
        present = np.flatnonzero(totals > 0)
        if len(present) < 2:
            raise InvalidParameter(
                f"{self.target!r} has one value only in the release, so there is nothing to predict."
            )
        assert wanted.domain is not None
        self.classes_ = np.array(wanted.domain.values_of(present).to_pylist())
        contrasts = present[1:] if len(present) == 2 else present
        columns = [a for a in release.schema if a.name != self.target and a.domain is not None]
        self.evidence_: dict[str, Floats] = {}
        self.signal_: dict[str, float] = {}
        with stage("Weighing columns", total=len(columns)) as shown:
            for attribute in columns:
                self._weigh(release, attribute, classes, weights, contrasts)
                shown.advance(note=attribute.name)
        self._prior = np.log(totals[present] / totals.sum())
        self._schema = Schema(tuple(columns))
        return self

    def _target(self, release: Release) -> Attribute:
        if release.mechanism.recoding is not None:
            raise InvalidParameter(
                "ClassConditional is for perturbed columns, and this release has recoded ones; fit a model to its labels."
            )
        if self.target not in release.mechanism.kept:
            raise InvalidParameter(
                f"target must be a column that was released as it is; {self.target!r} was not."
                f"{nearest(self.target, release.mechanism.kept)}"
            )
        attribute = release.schema[self.target]
        if not isinstance(attribute.domain, Categories):
            raise InvalidParameter(f"target must have categories, and {self.target!r} has none.")
        return attribute

    def _weigh(
        self, release: Release, attribute: Attribute, classes: Any, weights: Floats, contrasts: npt.NDArray[np.int64]
    ) -> None:
        conditional, true_bin, released_bin = _view(release, attribute)
        released = released_bin[release.coded.codes(attribute.name)]
        matrix = conditional.matrix()
        found = []
        for label in contrasts:
            mine = classes == label
            seen = np.stack(
                [np.bincount(released[rows], weights[rows], minlength=len(matrix)) for rows in (~mine, mine)]
            )
            found.append(_model(attribute, matrix.shape[1])(seen, matrix)[true_bin])
        evidence = np.stack(found)
        self.evidence_[attribute.name] = evidence
        self.signal_[attribute.name] = float(
            np.sqrt(np.mean(evidence[:, release.coded.codes(attribute.name)].var(axis=1)))
        )

    def decision_function(self, rows: Any) -> Floats:
        """Return the logarithm of the odds of the second class, or of each class against the others.

        ``rows`` holds true values in the columns of the release (recoded where it was recoded); other columns are ignored.
        """
        check_is_fitted(self, "evidence_")
        table, _ = to_arrow(rows)
        coded = encode(table.select([n for n in table.column_names if n in self._schema.names()]), self._schema)
        total = np.sum([self.evidence_[n][:, coded.codes(n)] for n in self._schema.names()], axis=0)
        if len(self.classes_) == 2:
            return total[0] + self._prior[1] - self._prior[0]
        odds = self._prior - np.log1p(-np.exp(self._prior))
        return (total + odds[:, None]).T

    def predict_proba(self, rows: Any) -> Floats:
        """Return the probability of each class."""
        odds = self.decision_function(rows)
        if odds.ndim == 1:
            second = 1 / (1 + np.exp(-odds))
            return np.stack([1 - second, second], axis=1)
        each = np.exp(odds - odds.max(axis=1, keepdims=True))
        return each / each.sum(axis=1, keepdims=True)

    def predict(self, rows: Any) -> npt.NDArray[Any]:
        """Return the likeliest class."""
        likeliest = self.predict_proba(rows).argmax(axis=1)
        return self.classes_[likeliest]


def _model(attribute: Attribute, states: int) -> Any:
    if attribute.missing or (isinstance(attribute.domain, Categories) and not attribute.domain.ordered):
        return nominal
    return short_ordered if states < SHORT else numeric


def _view(release: Release, attribute: Attribute) -> tuple[Conditional, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return a column's conditional, long ones in bins, with the bin of each true and of each released code."""
    conditional = release.mechanism.conditional(attribute)
    domain = attribute.domain
    assert domain is not None
    ordered = not isinstance(domain, Categories)
    if not ordered or domain.size <= POINTS:
        return conditional, np.arange(conditional.size), np.arange(conditional.outputs)
    bins = POINTS if not attribute.missing else 12
    true_bin = np.arange(domain.size) * bins // domain.size
    released_bin = np.arange(domain.size) * RELEASED_BINS // domain.size
    if attribute.missing:
        true_bin, released_bin = np.append(true_bin, bins), np.append(released_bin, RELEASED_BINS)
    return Coarsened(conditional, true_bin, released_bin), true_bin, released_bin
