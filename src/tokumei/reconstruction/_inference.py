"""From estimating equations to coefficients, standard errors and a table of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.messages import phrase
from tokumei.reconstruction._corrected import Regressors
from tokumei.table.frames import Origin, from_arrow

About = Literal["population", "table"]

TOO_NOISY = phrase(
    "The release does not determine this many coefficients: the noise leaves too little information, or a label "
    "has rows of only one class. Predict from fewer columns, or use tk.reconstruct, which picks a model that "
    "relies on priors if there is one."
)


def too_noisy() -> TooNoisy:
    """Return the error for coefficients that noise leaves open."""
    return TooNoisy(TOO_NOISY)


def check_determined(moments: Floats, error: Callable[[Floats], float], clear: float) -> None:
    """Refuse equations whose matrix, the mean of one of each row, is not known to be definite.

    Noise can turn the matrix indefinite, and then its solution means nothing. In the direction v where it is smallest,
    it must be this many of the standard errors ``error(v)`` of ``v' A v`` above zero.
    """
    scale = 1 / np.sqrt(np.maximum(np.abs(np.diag(moments)), 1e-300))
    sizes, directions = np.linalg.eigh(moments * np.outer(scale, scale))
    off = error(directions[:, 0] * scale)
    if not np.isfinite(off) or sizes[0] < max(clear * off, 1e-9):
        raise too_noisy()


def covariances(slope: Floats, parts: Floats, squares: Floats, scores: Floats, rows: int) -> tuple[Floats, Floats]:
    """Return the covariance of the solution of ``mean of parts = 0``, whose mean changes by ``slope``, in two ways.

    The first is about the population: rows are as if drawn from it, and noise was added. The second is about the original
    table: what its own rows vary by, ``scores``, is no chance then, as far as they were drawn. The mean of a row's estimate given
    the row is its own gradient, so the two variances add up to that of the parts.

    Parameters
    ----------
    slope
        The mean derivative of the parts.
    parts, squares
        What each kind of released row adds, and the sum of its rows' squared shares, over the number of rows.
    scores
        The mean of outer products of what each original row adds, times its squared share and its chance to be drawn.
    rows
        How many there are.
    """
    inverse = np.linalg.inv(slope)
    whole = parts.T @ (parts * squares[:, None])
    noise = _definite(whole - _definite(scores))
    first, second = (inverse @ middle @ inverse.T / rows for middle in (whole, noise))
    return first, second


def _definite(matrix: Floats) -> Floats:
    """Return the nearest matrix without negative directions: chance may give an estimate of a covariance some."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(matrix)), 1e-300))
    sizes, axes = np.linalg.eigh(matrix / np.outer(scale, scale))
    return np.asarray((axes * np.maximum(sizes, 0.0)) @ axes.T * np.outer(scale, scale), dtype=np.float64)


class Coefficients:
    """What regressions share: coefficients in the columns' own units, their standard errors, and a table of both."""

    def _take(self, found: Regressors, scaled: Floats, covariance: Floats, of_table: Floats, origin: Origin) -> None:
        self._scaled, self._regressors, self._origin = scaled, found, origin
        own, spread = found.own_units(scaled, covariance)
        self.intercept_, self.coef_ = float(own[0]), own[1:]
        self.covariance_, self.standard_errors_ = spread, np.sqrt(np.diag(spread))
        self.table_covariance_ = found.own_units(scaled, of_table)[1]
        self.table_standard_errors_ = np.sqrt(np.maximum(np.diag(self.table_covariance_), 0.0))
        self.names_ = found.names
        self.signal_, self.noise_ = found.spread(scaled, covariance)

    def frame(self, level: float = 0.95, about: About = "population") -> Any:
        """Return coefficients with standard errors, intervals and p-values, as a frame of the release's kind.

        Intervals and p-values are about the ``"population"`` that the people of the original table were drawn from, or about
        the coefficients that the original ``"table"`` itself has.
        """
        from scipy.stats import norm

        check_is_fitted(self, "coef_")
        if not 0 < level < 1:
            raise InvalidParameter("level must lie between 0 and 1. Got {level}.", level=level)
        if about not in get_args(About):
            raise InvalidParameter("about must be 'population' or 'table'. Got {about!r}.", about=about)
        found = np.append(self.intercept_, self.coef_)
        errors = self.standard_errors_ if about == "population" else self.table_standard_errors_
        reach = float(norm.ppf((1 + level) / 2)) * errors
        made = {
            "term": list(self.names_),
            "coefficient": found,
            "standard error": errors,
            "low": found - reach,
            "high": found + reach,
            "p-value": 2 * norm.sf(np.abs(found) / np.maximum(errors, 1e-300)),
        }
        return from_arrow(pa.table(made), Origin(self._origin.kind))
