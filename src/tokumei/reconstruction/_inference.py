"""From estimating equations to coefficients, standard errors and a table of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.utils.validation import check_is_fitted

from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.mechanism.channel import Floats
from tokumei.reconstruction._corrected import Regressors
from tokumei.table.frames import Origin, from_arrow

TOO_NOISY = (
    "After this much noise the release does not determine so many coefficients; predict from fewer columns, or use "
    "tk.reconstruct, which takes a model that leans on priors where there is one."
)


def check_determined(moments: Floats, along: Callable[[Floats], Floats], clear: float) -> None:
    """Refuse equations whose matrix, the mean of one of each row, is not known to be definite.

    Noise can turn the matrix indefinite, and then its solution means nothing. In the direction v where it is smallest,
    for which ``along(v)`` gives each row's ``v' A v``, it must be so many of its own standard errors above zero.
    """
    scale = 1 / np.sqrt(np.maximum(np.abs(np.diag(moments)), 1e-300))
    sizes, directions = np.linalg.eigh(moments * np.outer(scale, scale))
    rows = along(directions[:, 0] * scale)
    error = float(np.std(rows)) / len(rows) ** 0.5
    if not np.isfinite(error) or sizes[0] < max(clear * error, 1e-9):
        raise TooNoisy(TOO_NOISY)


def sandwich(slope: Floats, parts: Floats, shares: Floats) -> Floats:
    """Return the covariance of the solution of ``mean of parts = 0``, whose mean changes by ``slope``."""
    rows = len(parts)
    weighted = parts * shares[:, None]
    inverse = np.linalg.inv(slope)
    return inverse @ (weighted.T @ weighted / rows) @ inverse.T / rows


class Coefficients:
    """What regressions share: coefficients in the columns' own units, their standard errors, and a table of both."""

    def _take(self, found: Regressors, scaled: Floats, covariance: Floats, origin: Origin) -> None:
        self._scaled, self._regressors, self._origin = scaled, found, origin
        own, spread = found.own_units(scaled, covariance)
        self.intercept_, self.coef_ = float(own[0]), own[1:]
        self.covariance_, self.standard_errors_ = spread, np.sqrt(np.diag(spread))
        self.names_ = found.names
        self.signal_, self.noise_ = found.spread(scaled, covariance)

    def frame(self, level: float = 0.95) -> Any:
        """Return coefficients with standard errors, intervals and p-values, as a frame of the release's kind."""
        from scipy.stats import norm

        check_is_fitted(self, "coef_")
        if not 0 < level < 1:
            raise InvalidParameter(f"level must lie between 0 and 1. Got {level}.")
        found, errors = np.append(self.intercept_, self.coef_), self.standard_errors_
        reach = float(norm.ppf((1 + level) / 2)) * errors
        made = {
            "term": list(self.names_),
            "coefficient": found,
            "standard error": errors,
            "low": found - reach,
            "high": found + reach,
            "p-value": 2 * norm.sf(np.abs(found) / errors),
        }
        return from_arrow(pa.table(made), Origin(self._origin.kind))
