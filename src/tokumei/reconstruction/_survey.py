"""Survey weights of a release: a column released unchanged that says how many people each row stands for.

Noise is drawn without looking at a row's weight, so for every released value y, the weighted share of y is the sum over true
values x of ``P(y|x)`` times the weighted share of x: what undoes the noise of counts undoes that of weighted counts.
"""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.release.artifact import Release
from tokumei.table.coded import row_weights
from tokumei.text import nearest


def survey_weights(release: Release, column: str | None) -> Floats | None:
    """Return the weights of the released rows, refusing a column that cannot be their weights."""
    if column is None:
        return None
    known = release.schema.names()
    if not isinstance(column, str) or column not in known:
        raise InvalidParameter(
            "weights must name a column of the release; {column!r} is not one.{hint}",
            column=column,
            hint=nearest(str(column), known),
        )
    if column not in release.mechanism.kept:
        raise InvalidParameter(
            "the weights {column!r} were not released unchanged, and changed weights say nothing; ask the data "
            "holder for a release that keeps them, or leave them out.",
            column=column,
        )
    if release.mechanism.grouping is not None:
        raise InvalidParameter(
            "weights cannot be used if rows were perturbed in groups; leave them out, or ask for a release "
            "without groups."
        )
    return row_weights(release.coded, column)


def effective_rows(shares: Floats) -> float:
    """Return how many rows of equal weight would tell as much: ``sum(w)**2 / sum(w**2)`` (Kish).

    >>> effective_rows(np.array([1.0, 1.0, 2.0])).__round__(3)
    2.667
    """
    return float(shares.sum() ** 2 / np.sum(shares**2))
