"""One call from any release to a regression with standard errors: the way that is valid for it is picked, and said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.learning import regressed
from tokumei.learning.asked import Asked, Found, asked_of, way_of
from tokumei.learning.completed_rows import from_copies
from tokumei.learning.fitted_rows import from_rows
from tokumei.learning.freed import from_noise, from_telling
from tokumei.learning.glm import Family
from tokumei.learning.regression import Regression
from tokumei.learning.shown_rows import limits_of, whole_rows
from tokumei.parallel import one_blas_thread
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.words import Statement

COPIES = 10


@stage("Regressing")
@one_blas_thread()
def regress(
    release: Release,
    formula: str,
    columns: Sequence[str] | None = None,
    *,
    family: Family | None = None,
    outcome: Any = None,
    weights: str | None = None,
    copies: int = COPIES,
    random_state: int | np.random.Generator | None = 0,
) -> Regression:
    """Regress a column of the original table on others, from any release of it, with standard errors that hold.

    What is valid for the release is picked. Rows released unchanged are taken as they are. Where every row shows every column through noise, the
    noise is taken out of the equations. Rows that tell some columns each give means of what they tell together. Of generalized and suppressed rows
    those that show all values are taken, if an honest interval comes of them. All other rows are completed several times by a model of the whole table, and
    results are combined by Rubin's rules. Where intervals were measured not to hold, there is the estimate alone, and ``reasons`` says why.

    Parameters
    ----------
    release
        A release of any method.
    formula
        ``"income ~ age + sex"``, ``"income ~ ."`` for all other columns, or the name of the target.
    columns
        The columns to explain it by, if the formula names only the target.
    family
        ``"linear"`` for numbers, ``"logistic"`` for categories, ``"poisson"`` for counts. Without it, linear for numbers and logistic for categories.
    outcome
        For logistic regression: the value of the target that it is about, or several. Without it the second, if there are two.
    weights
        A column of survey weights, released unchanged: every row counts for this many people.
    copies
        How many times rows are completed, where they are.
    random_state
        For models that complete rows.

    Returns
    -------
    regression
        With ``names``, ``estimate``, ``standard_error``, ``interval(level)``, ``frame(level)``, ``how`` and ``reasons``.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=5000), tk.example_schema(), tk.PkPerturbation(k=3, tells="all"), seed=1)
    >>> found = tk.regress(release, "hours ~ sex")
    >>> found.names
    ('(constant)', 'sex=Male')
    >>> low, high = found.interval(0.9)
    >>> bool((low < high).all())
    True
    """
    found = _regressed(release, formula, columns, family, outcome, weights, copies, random_state)
    if not found.reasons:
        return found
    return replace(found, standard_error=None, degrees_of_freedom=None, worth=None)


def unlimited(
    release: Release,
    formula: str,
    columns: Sequence[str] | None = None,
    family: Family | None = None,
    outcome: Any = None,
    weights: str | None = None,
    copies: int = COPIES,
    random_state: int | np.random.Generator | None = 0,
    completed: bool = False,
) -> Regression:
    """Do what `regress` does, and keep standard errors where there are reasons against them: for those who measure how far off they are.

    With ``completed`` rows are completed even where `regress` has a better way.
    """
    return _regressed(
        release, formula, columns, family, outcome, weights, copies, random_state, completed=completed, whole=True
    )


def _regressed(
    release: Release,
    formula: str,
    columns: Sequence[str] | None,
    family: Family | None,
    outcome: Any,
    weights: str | None,
    copies: int,
    random_state: int | np.random.Generator | None,
    *,
    completed: bool = False,
    whole: bool = False,
) -> Regression:
    """Regress; without ``whole`` no more is done than it takes to know that there is no interval, where there is none."""
    if not isinstance(release, Release):
        raise InvalidParameter("regress needs a release, such as the one that read_release returns.")
    if isinstance(copies, bool) or not isinstance(copies, int | np.integer) or copies < 2:
        raise InvalidParameter("copies must be a whole number of at least 2.")
    asked = asked_of(release, formula, columns, family, outcome, weights)
    way = way_of(release, asked.names)
    limits = limits_of(asked, way)
    if completed:
        found = from_copies(asked, int(copies), random_state, whole=True)
    elif way in {"unchanged", "averaged", "swapped"}:
        found = from_rows(asked, way)
    elif way == "recoded":
        found = _recoded(asked, int(copies), random_state, whole=whole, refused=bool(limits))
    elif way == "noise" and not any(isinstance(each, regressed.MissingInNoise) for each in limits):
        found = from_noise(asked, outcome)
    elif way == "told" and not limits:
        found = from_telling(asked)
    else:
        found = from_copies(asked, int(copies), random_state, whole=whole, refused=bool(limits))
    return Regression(
        asked.family,
        asked.target.name,
        asked.outcome,
        found.names,
        found.estimate,
        np.sqrt(np.maximum(np.diag(found.covariance), 0.0)),
        found.df,
        release.rows,
        found.worth,
        found.how,
        (*limits, *found.reasons),
        release.origin,
    )


def _recoded(
    asked: Asked, copies: int, random_state: int | np.random.Generator | None, *, whole: bool, refused: bool
) -> Found:
    """Fit the rows that show all values, if an interval comes of them; else complete all rows.

    Which is nearer to the coefficients of all people is measured: `python -m benchmarks.adult_regressions`. With ``whole`` the first is given wherever it can be, to measure it.
    """
    because: tuple[Statement, ...] = ()
    if not refused:
        used = whole_rows(asked)
        counted = {"rows": int(np.count_nonzero(used)), "of": asked.release.rows}
        try:
            found = from_rows(asked, "recoded", used)
        except InvalidParameter:  # the completed rows may do; if they do not, their sentence is about all rows
            because = (regressed.WholeRowsSayTooLittle(**counted),)
        else:
            if whole or not found.reasons:
                return found
            bent = any(isinstance(each, regressed.FormDoesNotFit) for each in found.reasons)
            said = regressed.FormOfWholeRows if bent else regressed.WholeRowsSayTooLittle
            because = (said(**counted),)
    made = from_copies(asked, copies, random_state, whole=whole, refused=True)
    return replace(made, reasons=(*because, *made.reasons))
