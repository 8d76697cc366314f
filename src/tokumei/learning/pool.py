"""Combine what several copies of complete rows say: results of statsmodels, models of scikit-learn, numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.learning.pooled import MANY, About, Copies, Pooled, imputed, of_table
from tokumei.progress import stage

Variances = Sequence[Any] | Callable[[Any], Any]


@dataclass(frozen=True)
class One:
    """What one copy says: values with their names, and variances and degrees of freedom where the result has them."""

    values: Floats
    names: tuple[str, ...]
    variances: Floats | None = None
    df: float = MANY
    single: bool = False


@stage("Pooling copies")
def pool(
    estimates: Sequence[Any],
    variances: Variances | None = None,
    *,
    about: About | None = None,
    degrees_of_freedom: float | None = None,
) -> Pooled:
    """Combine the estimates of several copies of complete rows into one, with what is uncertain about it.

    Fit the same model to each copy that `synthesize` made, and pass the results here. These are Rubin's rules: the copies are of the
    same people, each with what the release leaves open about them drawn anew.

    **What is assumed.** Copies are proper: unbiased for this estimate, and different by all that is unknown about the original rows.
    This function sees estimates only and cannot check that. It fails, for instance, for coefficients from releases whose rows
    tell some columns each: they are biased towards zero, and 90% intervals held the truth in as few as .55 of the releases. ``Synthesized.pool`` applies the same
    rules, knows how its rows were made, and gives no interval where none would be honest; `regress` has standard errors of coefficients.

    Parameters
    ----------
    estimates
        One for each copy, all of one kind: results of statsmodels, fitted linear models of scikit-learn, numbers, arrays, pandas
        series or mappings of names to numbers.
    variances
        The squared standard errors in the same form, or a function that returns them for an estimate. Results of statsmodels
        have them; models of scikit-learn do not.
    about
        ``"population"``: the people are a sample, and intervals hold what is true of where they come from; this needs
        variances. ``"table"``: intervals hold what the same estimate would be with the original rows. Without it, the
        population where there are variances, else the table.
    degrees_of_freedom
        Those that the estimate would have with complete rows; without it what results of statsmodels say, else
        very many.

    Returns
    -------
    pooled
        With ``estimate``, ``standard_error``, ``degrees_of_freedom``, ``fraction_missing`` and ``interval(level)``.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.pool([10.0, 12.0, 11.0], variances=[1.0, 1.2, 1.1])
    >>> found.estimate, round(found.standard_error, 3)
    (11.0, 1.56)
    >>> low, high = found.interval(0.9)
    >>> tk.pool([{"a": 1.0}, {"a": 1.2}]).about
    'table'
    """
    held = [_read(each) for each in listed(estimates)]
    if len(held) < 2:
        raise InvalidParameter(
            "One copy says nothing about what is uncertain; pass the estimates of two copies or more."
        )
    if any(each.names != held[0].names or each.values.shape != held[0].values.shape for each in held):
        raise InvalidParameter(
            "The estimates of the copies are not of the same things; fit the same model to each, with the same columns."
        )
    found = _variances(estimates, held, variances)
    about = _about(about, found is not None)
    copies = Copies(np.stack([each.values for each in held]), found)
    least = min(each.df for each in held)
    if degrees_of_freedom is not None:
        least = _positive(degrees_of_freedom, "degrees_of_freedom")
    degrees = np.full(copies.estimates.shape[1], least)
    variance, degrees, lost = imputed(copies, degrees) if about == "population" else of_table(copies)
    middle, error, degrees_found, missing = (
        None if each is None else float(each[0]) if held[0].single else each
        for each in (copies.estimates.mean(axis=0), np.sqrt(variance), degrees, lost)
    )
    return Pooled(held[0].names, middle, error, degrees_found, missing, about, len(held))


def _about(asked: About | None, known: bool) -> About:
    if asked not in {None, "population", "table"}:
        raise InvalidParameter("about must be 'population' or 'table'.")
    if asked == "population" and not known:
        raise InvalidParameter(
            "Intervals about the population need the variances of the estimates; pass them, or ask about the table."
        )
    return asked or ("population" if known else "table")


def _positive(number: Any, name: str) -> float:
    real = isinstance(number, int | float | np.integer | np.floating) and not isinstance(number, bool)
    if not real or not 0 < number < np.inf:
        raise InvalidParameter("{name} must be a number above 0.", name=name)
    return float(number)


def _variances(estimates: Sequence[Any], held: Sequence[One], given: Variances | None) -> Floats | None:
    """Return the variances of all copies, or nothing where they are not known."""
    if given is None:
        own = [each.variances for each in held]
        if any(each is None for each in own):
            return None
        return np.stack([each for each in own if each is not None])
    each_given = [given(each) for each in estimates] if callable(given) else list(given)
    if len(each_given) != len(held):
        raise InvalidParameter("variances must have one entry for each estimate.")
    found = []
    for one, each in zip(held, each_given, strict=True):
        names, values = _numbers(each)
        if values.shape != one.values.shape or (names and one.names and names != one.names):
            raise InvalidParameter("variances must have the same form as the estimates, and the same names.")
        found.append(values)
    made = np.stack(found)
    if (made < 0).any():
        raise InvalidParameter("variances must not be below 0; pass squared standard errors.")
    return made


def listed(estimates: Any) -> Sequence[Any]:
    """Return estimates that are a list; refuse anything else."""
    if isinstance(estimates, str | Mapping) or not hasattr(estimates, "__len__") or not hasattr(estimates, "__iter__"):
        raise InvalidParameter("estimates must be a list with one estimate for each copy of the rows.")
    return estimates


def fitted(given: Any) -> bool:
    """Whether an estimate is a fitted model: a result of statsmodels, or a model or pipeline of scikit-learn."""
    last = _last(given)
    return _of_statsmodels(last) or _of_sklearn(last)


def _last(given: Any) -> Any:
    steps = getattr(given, "steps", None)
    return steps[-1][1] if isinstance(steps, list) and steps else given  # of a pipeline, whose last step was fitted


def _of_statsmodels(given: Any) -> bool:
    return hasattr(given, "params") and (hasattr(given, "bse") or hasattr(given, "cov_params"))


def _of_sklearn(given: Any) -> bool:
    return hasattr(given, "coef_") and hasattr(given, "intercept_")


def _read(given: Any) -> One:
    """Read one estimate, whatever it is."""
    given = _last(given)
    if _of_statsmodels(given):
        return _result(given)
    if _of_sklearn(given):
        return _linear(given)
    names, values = _numbers(given)
    return One(values, names, single=not names and np.ndim(given) == 0)


def _result(given: Any) -> One:
    """Read a result of statsmodels."""
    names, values = _numbers(given.params)
    names = names or tuple(map(str, getattr(getattr(given, "model", None), "exog_names", ())))
    if len(names) != len(values):
        names = ()
    errors = given.bse if hasattr(given, "bse") else np.sqrt(np.diag(np.asarray(given.cov_params())))
    df = getattr(given, "df_resid", None) if getattr(given, "use_t", False) else None
    return One(values, names, _numbers(errors)[1] ** 2, MANY if df is None else float(df))


def _linear(given: Any) -> One:
    """Read a linear model of scikit-learn: the constant, then the coefficients, class by class where there are several."""
    coefficients = np.atleast_2d(np.asarray(given.coef_, dtype=np.float64))
    constants = np.broadcast_to(np.asarray(given.intercept_, dtype=np.float64), (len(coefficients),))
    columns = getattr(given, "feature_names_in_", [f"x{place}" for place in range(coefficients.shape[1])])
    names = ["intercept", *map(str, columns)]
    if len(coefficients) > 1:
        classes = getattr(given, "classes_", range(len(coefficients)))
        names = [f"{each}: {name}" for each in classes for name in names]
    values = np.column_stack([constants, coefficients]).ravel()
    return One(_finite(values), tuple(names))


def _numbers(given: Any) -> tuple[tuple[str, ...], Floats]:
    """Read numbers, with names where they have some."""
    if isinstance(given, Mapping):
        return tuple(map(str, given)), _finite(list(given.values()))
    index, columns = getattr(given, "index", None), getattr(given, "columns", None)
    if columns is not None and index is not None:  # a frame of pandas, such as the coefficients of several classes
        names = tuple(f"{column}: {row}" for column in columns for row in index)
        return names, _finite(given.T)
    if index is not None and not callable(index):
        return tuple(map(str, index)), _finite(given)
    return (), _finite(given)


def _finite(given: Any) -> Floats:
    try:
        values = np.asarray(given, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        values = np.full(1, np.nan)
    if not len(values) or not np.isfinite(values).all():
        raise InvalidParameter(
            "An estimate must be a finite number, several of them, a result of statsmodels or a fitted linear model of "
            "scikit-learn."
        )
    return values
