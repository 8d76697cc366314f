"""One call from any release to a regression with standard errors: the way that is valid for it is picked, and said."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from scipy.linalg import qr

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.diagnostics import ignoring
from tokumei.errors import InvalidParameter, NotAtRandomWarning, TokumeiWarning, TooNoisy
from tokumei.learning import form, glm, regressed
from tokumei.learning.enough import enough
from tokumei.learning.formula import formula as read_formula
from tokumei.learning.glm import Family
from tokumei.learning.pooled import MANY, Copies, imputed
from tokumei.learning.reconstruct import reconstruct
from tokumei.learning.regression import Regression
from tokumei.mechanism.likelihood import distinct
from tokumei.parallel import one_blas_thread
from tokumei.privacy.guarantee import several_rows
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.reconstruction import _told_regression as told_rows
from tokumei.reconstruction._belief import NEARLY
from tokumei.reconstruction._columns import chosen
from tokumei.reconstruction._corrected import NOBODY, Features, own_units
from tokumei.reconstruction._predicting import values_apart
from tokumei.reconstruction._views import hidden_strata, shares_of
from tokumei.reconstruction.corrected_linear import CorrectedLinearRegression
from tokumei.reconstruction.corrected_logistic import CorrectedLogisticRegression, members_of
from tokumei.reconstruction.corrected_poisson import CorrectedPoissonRegression, check_counts
from tokumei.reconstruction.redrawn import given, redrawn
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories, Numbers
from tokumei.table.schema import Attribute
from tokumei.text import names as names_of
from tokumei.text import nearest
from tokumei.words import Statement

Way = Literal["unchanged", "noise", "told", "groups", "recoded", "averaged", "swapped"]
COPIES = 10
IN_GROUPS = 2  # fits that a model of groups with noise averages; standard errors are as with six, on simulated people
AGAIN = 6  # steps of fitting groups again for a copy: where an interval may come of it, little is hidden
CLEAR = 0.95  # of what the rows could tell, that copies of completed rows must leave
UNLIKELY = 0.05  # rows that were selected, by the form of a regression
HARDLY = (
    0.01  # of the rows are not there: too few to change what the others say by columns that the regression leaves out
)
ALIKE = 1e-7  # of a column's length, that is left where the others say the same
ROUNDS = 40  # of weighting copies
STILL = 1e-3  # of their standard deviation, that predictions may still change
OFTEN = 0.02  # of the rows, that have a label of a column beside the regression
INDICATORS = 8  # labels of such a column that are looked at
AVERAGED, IN_GROUP = 5, 10  # columns, and rows of a group, up to which intervals from averages were measured
LEAST = 50  # rows that show all values, for each column of a regression


@dataclass(frozen=True)
class Asked:
    """A regression of a release: the target, its value by original code (not a number where it has none), and the columns."""

    release: Release
    family: Family
    target: Attribute
    answers: Floats
    outcome: tuple[str, ...]
    columns: tuple[Attribute, ...]
    weights: str | None
    shares: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, the target first."""
        return (self.target.name, *(each.name for each in self.columns))


@dataclass(frozen=True)
class Found:
    """Coefficients, and what is known about them."""

    names: tuple[str, ...]
    estimate: Floats
    covariance: Floats
    df: Floats
    worth: Floats | None
    how: Statement
    reasons: tuple[Statement, ...] = ()


class Fit(NamedTuple):
    """Coefficients in units of the columns, their covariance, how probable the rows are by the form, and whether the likelihood had no maximum."""

    coefficients: Floats
    covariance: Floats
    chance: float
    separated: bool


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
    asked = _asked(release, formula, columns, family, outcome, weights)
    way = way_of(release, asked.names)
    limits = _limits(asked, way)
    if completed:
        found = _completed(asked, int(copies), random_state, whole=True)
    elif way in {"unchanged", "averaged", "swapped"}:
        found = _from_rows(asked, way)
    elif way == "recoded":
        found = _recoded(asked, int(copies), random_state, whole=whole, refused=bool(limits))
    elif way == "noise":
        found = _corrected(asked, outcome)
    elif way == "told" and not limits:
        found = _told(asked)
    else:
        found = _completed(asked, int(copies), random_state, whole=whole, refused=bool(limits))
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


def way_of(release: Release, names: Sequence[str]) -> Way:
    """Return what was done to the columns of a regression."""
    mechanism, asked = release.mechanism, set(names)
    if mechanism.telling is not None and asked & set(mechanism.telling.columns):
        return "told"
    if mechanism.grouping is not None and asked & set(mechanism.grouping.columns):
        return "groups"
    if mechanism.recoding is not None and asked & set(mechanism.recoding.columns):
        return "recoded"
    if mechanism.averaging is not None and asked & set(mechanism.averaging.columns):
        return "averaged"
    if mechanism.swapping is not None and asked & set(mechanism.swapping.columns):
        return "swapped"
    return "noise" if asked & set(mechanism.channels) else "unchanged"


def _asked(
    release: Release, text: str, columns: Sequence[str] | None, family: Any, outcome: Any, weights: str | None
) -> Asked:
    """Read what is asked, and refuse what cannot be."""
    target, named = read_formula(text, columns)
    known = [a.name for a in release.schema if a.domain is not None and a.name not in release.mechanism.made_up]
    if target not in known:
        raise InvalidParameter(
            "There is no column {target!r} with a domain in the release.{hint}",
            target=target,
            hint=nearest(target, known),
        )
    attribute = release.original(target)
    if family is not None and family not in get_args(Family):
        raise InvalidParameter("family must be 'linear', 'logistic' or 'poisson'. Got {family!r}.", family=str(family))
    kind: Family = family or ("logistic" if isinstance(attribute.domain, Categories) else "linear")
    others = tuple(chosen(release, named, target, weights))
    if kind == "logistic":
        answers, labels = _classes(release, attribute, outcome)
        return Asked(release, kind, attribute, answers, labels, others, weights, shares_of(release, weights))
    if outcome is not None:
        raise InvalidParameter("outcome is for logistic regression; leave it out.")
    if kind == "poisson":
        check_counts(attribute)
    if not isinstance(attribute.domain, Numbers):
        raise InvalidParameter(
            "A {family} regression explains numbers, and {target!r} has none; categories need family 'logistic'.",
            family=kind,
            target=target,
        )
    answers = np.append(attribute.domain.points.astype(np.float64), [np.nan] * int(attribute.missing))
    return Asked(release, kind, attribute, answers, (), others, weights, shares_of(release, weights))


def _classes(release: Release, attribute: Attribute, outcome: Any) -> tuple[Floats, tuple[str, ...]]:
    """Return 1 for the codes of the outcome and 0 for others, and what the outcome is called."""
    kept = attribute.name in release.mechanism.kept
    codes = np.unique(release.coded.codes(attribute.name)) if kept else np.arange(attribute.states)
    missing = attribute.states - 1 if attribute.missing else -1
    plain = Attribute(attribute.name, attribute.role, attribute.domain)
    members, _ = members_of(plain, codes[codes != missing], outcome)
    labels = [label for label, inside in zip(plain.domain.labels(), members, strict=True) if inside]  # type: ignore[union-attr]
    return np.append(members.astype(np.float64), [np.nan] * int(attribute.missing)), tuple(labels)


def _limits(asked: Asked, way: Way) -> tuple[Statement, ...]:
    """Say why there can be no honest interval, from what was measured (`python -m benchmarks.regressions`)."""
    release, mechanism, found = asked.release, asked.release.mechanism, list[Statement]()
    if several_rows(release.guarantees):
        found.append(regressed.SeveralEach())
    if hidden_strata(release):
        found.append(regressed.StrataHidden())
    if mechanism.left_out and _chose(asked):
        found.append(regressed.RareLeftOut(rows=mechanism.left_out))
    if way == "swapped" and mechanism.swapping is not None:
        found.append(regressed.Swapped(columns=tuple(n for n in asked.names if n in mechanism.swapping.columns)))
    if way == "noise" and asked.family == "poisson" and asked.target.name in mechanism.channels:
        found.append(regressed.CountsPerturbed(target=asked.target.name))
    averaged = () if mechanism.averaging is None else mechanism.averaging.columns
    if (way == "groups" and asked.family != "logistic") or asked.target.name in averaged:
        found.append(regressed.NotMeasured())
    k = release.method.get("k", 0)
    if way == "averaged" and (len(averaged) > AVERAGED or k > IN_GROUP):
        found.append(regressed.AveragedWidely(columns=len(averaged), k=k))
    if way == "recoded":
        found += _hidden(asked)
    if way == "told":
        assert mechanism.telling is not None
        apart = told_rows.apart(mechanism.telling, asked.names, "pairs" if asked.family == "linear" else "all")
        found += [regressed.NotTold(columns=each) for each in apart]
    return tuple(found)


def _chose(asked: Asked) -> bool:
    """Whether the target had a say in which rows were left out or made coarser: as a quasi-identifier, or by a constraint."""
    role = asked.target.role
    return role == "quasi_identifier" or (role == "sensitive" and bool(asked.release.method.get("constraints")))


def _shown(release: Release, name: str) -> Booleans:
    """Return the rows in which a column was not made coarser."""
    recoding = release.mechanism.recoding
    if recoding is None or name not in recoding.columns:
        return np.ones(release.rows, dtype=np.bool_)
    low, high = recoding.columns[name].spans.T
    made: Booleans = (low == high)[release.coded.codes(name)]
    return made


def _whole(asked: Asked) -> Booleans:
    """Return the rows in which no column of the regression was made coarser."""
    made: Booleans = np.all([_shown(asked.release, name) for name in asked.names], axis=0)
    return made


def _hidden(asked: Asked) -> list[Statement]:
    """Say why rows that show all values do not give an honest interval: there are few, or which they are depends on the target."""
    release, target = asked.release, asked.target.name
    if not np.all(_shown(release, target)):
        return [regressed.TargetHidden(target=target)]
    if _chose(asked):
        return [regressed.ChosenByTarget(target=target)]
    whole = int(np.count_nonzero(_whole(asked)))
    return [regressed.Hidden(rows=whole, of=release.rows)] if whole < LEAST * len(asked.names) else []


def _named(features: Sequence[Features]) -> tuple[str, ...]:
    if not any(each.size for each in features):
        raise InvalidParameter("Every column to predict from has only one value.")
    return ("(constant)", *(name for each in features for name in each.names))


def _fitted(
    asked: Asked,
    target: Integers,
    codes: Sequence[Integers],
    features: Sequence[Features],
    used: Booleans | None = None,
    *,
    tested: bool = False,
) -> Fit:
    """Fit rows, given as original codes; rows without a target are left out. If ``tested``, say how probable they are by the form of the regression."""
    answers = asked.answers[target]
    there: Booleans = ~np.isnan(answers) & (asked.shares > 0)
    there = there if used is None else there & used
    blocks = [each.table[mine[there]] for each, mine in zip(features, codes, strict=True)]
    design = np.concatenate([np.ones((np.count_nonzero(there), 1)), *blocks], axis=1)
    _check_apart(asked, design, features)
    rows = (asked.family, design, answers[there], asked.shares[there])
    fitted, separated = _likeliest(*rows)
    beside = _beside(asked, there) if tested and _missed(asked, used) > HARDLY else None
    chance = form.probability(*rows, fitted.coefficients, beside) if tested else 1.0
    return Fit(*own_units(features, fitted.coefficients, fitted.covariance), chance, separated)


def _missed(asked: Asked, used: Booleans | None) -> float:
    """Return the share of the original rows that are not among those that a regression is fitted to."""
    release = asked.release
    whole = release.rows + (release.mechanism.left_out or 0)
    return 1 - (release.rows if used is None else int(np.count_nonzero(used))) / whole


def _check_apart(asked: Asked, design: Floats, features: Sequence[Features]) -> None:
    """Refuse columns of which one has a single value, or follows from the others, in all rows."""
    owners = [each.name for each, own in zip(asked.columns, features, strict=True) for _ in range(own.size)]
    if not len(design):
        raise InvalidParameter(
            "No row has a value of {target!r}, so nothing can be said about it.", target=asked.target.name
        )
    left_out = asked.release.mechanism.left_out
    for name, column in zip(owners, design.T[1:], strict=True):
        if np.ptp(column) > 0:
            continue
        if left_out:
            raise InvalidParameter(
                "{column!r} has only one value in the rows that are there; {rows:row was|rows were} left out because they were rare. "
                "Leave it out, or ask for a release with a smaller k.",
                column=name,
                rows=left_out,
            )
        raise InvalidParameter("{column!r} has only one value in the released rows; leave it out.", column=name)
    sizes = np.linalg.norm(design, axis=0)
    within, order = qr(design / sizes, mode="r", pivoting=True)
    few = np.flatnonzero(np.abs(np.diag(within)) < ALIKE)
    short = [*few, *range(len(design), design.shape[1])]  # fewer rows than coefficients
    if short:
        alike = sorted({owners[order[at] - 1] for at in short if order[at] > 0}, key=owners.index)
        raise InvalidParameter(
            "In the released rows {columns} follow from the other columns, so there are no coefficients of them. Leave them out.",
            columns=names_of(alike or owners[:1]),
        )


def _from_rows(asked: Asked, way: Way, used: Booleans | None = None) -> Found:
    """Fit the released rows as they are, or those that show all values."""
    release = asked.release
    codes = [_original_codes(release, each.name) for each in asked.columns]
    features = []
    for attribute, mine in zip(asked.columns, codes, strict=True):
        weighed = asked.shares if used is None else asked.shares * used
        many = np.bincount(mine, weights=weighed, minlength=attribute.states).astype(np.float64)
        features.append(Features.of(attribute, many))
        if used is not None and not features[-1].size and not np.all(_shown(release, attribute.name)):
            raise InvalidParameter(
                "{column!r} has only one value in the released rows; leave it out.", column=attribute.name
            )
    names = _named(features)
    how: Statement = regressed.FromAverages() if way == "averaged" else regressed.FromRows()
    selected = used is not None or bool(release.mechanism.left_out)
    fit = _fitted(asked, _original_codes(release, asked.target.name), codes, features, used, tested=selected)
    shown = release.rows if used is None else int(np.count_nonzero(used))
    if used is not None:
        how = regressed.FromWholeRows(rows=shown, of=release.rows)
    df = np.full(len(names), float(max(shown - len(names), 1)))
    worth = None if used is None else np.full(len(names), float(shown))
    reasons: tuple[Statement, ...] = (regressed.Separated(),) if fit.separated else ()
    if fit.chance < UNLIKELY:
        reasons = (*reasons, regressed.FormDoesNotFit())
    if fit.separated and release.mechanism.left_out:
        reasons = (*reasons, regressed.ManyLeftOut(rows=release.mechanism.left_out))
    return Found(names, fit.coefficients, fit.covariance, df, worth, how, reasons)


def _recoded(
    asked: Asked, copies: int, random_state: int | np.random.Generator | None, *, whole: bool, refused: bool
) -> Found:
    """Fit the rows that show all values, if an interval comes of them; else complete all rows.

    Which is nearer to the coefficients of all people is measured: `python -m benchmarks.adult_regressions`. With ``whole`` the first is given wherever it can be, to measure it.
    """
    because: tuple[Statement, ...] = ()
    if not refused:
        used = _whole(asked)
        counted = {"rows": int(np.count_nonzero(used)), "of": asked.release.rows}
        try:
            found = _from_rows(asked, "recoded", used)
        except InvalidParameter:  # the completed rows may do; if they do not, their sentence is about all rows
            because = (regressed.WholeRowsSayTooLittle(**counted),)
        else:
            if whole or not found.reasons:
                return found
            bent = any(isinstance(each, regressed.FormDoesNotFit) for each in found.reasons)
            said = regressed.FormOfWholeRows if bent else regressed.WholeRowsSayTooLittle
            because = (said(**counted),)
    made = _completed(asked, copies, random_state, whole=whole, refused=True)
    return replace(made, reasons=(*because, *made.reasons))


def _answered(asked: Asked) -> Booleans | None:
    """Return the rows whose target was not suppressed, which alone tell anything about it; nothing where all are."""
    release, recoding = asked.release, asked.release.mechanism.recoding
    if recoding is None:
        return None
    for name in asked.names:
        if name not in recoding.columns or not np.all(recoding.columns[name].starred[release.coded.codes(name)]):
            continue
        if name != asked.target.name:
            raise InvalidParameter("{column!r} was suppressed in every row; leave it out.", column=name)
        raise InvalidParameter("{target!r} was suppressed in every row, so nothing can be said about it.", target=name)
    if asked.target.name not in recoding.columns:
        return None
    made: Booleans = ~recoding.columns[asked.target.name].starred[release.coded.codes(asked.target.name)]
    return made


def _beside(asked: Asked, used: Booleans) -> Floats | None:
    """Return the quasi-identifiers that had a say in which rows are there and are not in the regression: numbers by the middle of their label."""
    release, made = asked.release, list[Floats]()
    for attribute in release.schema:
        if attribute.role != "quasi_identifier" or attribute.domain is None or attribute.name in asked.names:
            continue
        codes, recoding = release.coded.codes(attribute.name)[used], release.mechanism.recoding
        domain = release.original(attribute.name).domain
        if not isinstance(domain, Categories) or domain.ordered:
            recoded = recoding is not None and attribute.name in recoding.columns
            places = recoding.columns[attribute.name].spans.mean(axis=1) if recoded and recoding else None
            made.append((codes if places is None else places[codes]).astype(np.float64))
            continue
        many = np.bincount(codes, minlength=1)
        frequent = np.argsort(-many, kind="stable")[:INDICATORS]
        made += [(codes == each).astype(np.float64) for each in frequent if many[each] >= OFTEN * len(codes)]
    return np.column_stack(made) if made else None


def _original_codes(release: Release, name: str) -> Integers:
    """Return each row's original code; of a label that stands for several the first."""
    codes = release.coded.codes(name).astype(np.int64)
    recoding = release.mechanism.recoding
    if recoding is None or name not in recoding.columns:
        return codes
    column = recoding.columns[name]
    return np.argsort(column.axis.place)[column.spans[:, 0]][codes]


def _corrected(asked: Asked, outcome: Any) -> Found:
    """Take the noise out of the equations."""
    columns = [each.name for each in asked.columns]
    model: Any
    if asked.family == "linear":
        model = CorrectedLinearRegression(asked.target.name, columns, asked.weights)
    elif asked.family == "logistic":
        model = CorrectedLogisticRegression(asked.target.name, columns, asked.weights, outcome)
    else:
        model = CorrectedPoissonRegression(asked.target.name, columns, asked.weights)
    with stage("Taking the noise out of the equations"), ignoring(NotAtRandomWarning):  # said in the reasons
        try:
            model.fit(asked.release)
        except TooNoisy as error:
            raise enough(error, asked.release, asked.names) from None
    estimate = np.append(model.intercept_, model.coef_)
    noise, whole = np.diag(model.table_covariance_), np.diag(model.covariance_)
    worth = asked.release.rows * np.clip(1 - noise / np.maximum(whole, 1e-300), 0, 1)
    normal = np.full(len(estimate), MANY)
    how = regressed.FromCorrectedEquations()
    return Found(model.names_, estimate, model.covariance_, normal, worth, how)


def _told(asked: Asked) -> Found:
    """Take means from the rows that tell columns together."""
    release = asked.release
    features = [Features.of(each, np.ones(each.states)) for each in asked.columns]
    columns = [told_rows.Column(a, f.table) for a, f in zip(asked.columns, features, strict=True)]
    target = told_rows.Column(asked.target, np.nan_to_num(asked.answers)[:, None])
    how: Statement
    with stage("Taking the noise out of the equations"):
        try:
            if asked.family == "linear":
                made = told_rows.linear(release, target, columns, features, asked.shares)
                how = regressed.FromPairs()
            else:
                means, begin = partial(glm.mean_and_slope, asked.family), partial(glm.start, asked.family)
                made = told_rows.together(release, target, columns, features, asked.shares, means, begin)
                told = release.tells(*(n for n in asked.names if n in release.mechanism.partly_told))
                how = regressed.FromTellingAll(rows=int(np.count_nonzero(told)))
        except TooNoisy as error:
            raise enough(error, release, asked.names) from None
    worth = release.rows * np.clip(np.diag(made.of_true_rows) / np.maximum(np.diag(made.covariance), 1e-300), 0, 1)
    coarse = told_rows.coarse(release, [target, *columns])
    reasons = (regressed.ToldInCells(columns=tuple(coarse)),) if coarse else ()
    names = _named(features)
    return Found(names, made.coefficients, made.covariance, np.full(len(names), MANY), worth, how, reasons)


def _completed(
    asked: Asked,
    copies: int,
    random_state: int | np.random.Generator | None,
    *,
    whole: bool,
    refused: bool = False,
) -> Found:
    """Complete the rows several times, fit each copy, and combine the results by Rubin's rules.

    Copies of one fitted model differ by less than those of a model that is fitted again for each. So where the first already hide too much for
    an interval, or there is ``refused`` to be one, nothing is fitted again unless the ``whole`` is asked for.
    """
    release, rng = asked.release, generator(random_state)
    used = _answered(asked)
    with warnings.catch_warnings(), ignoring(TokumeiWarning):
        warnings.simplefilter("ignore")  # what the model leaves open is said in the reasons
        model = _model_of(asked, rng)
    target = asked.target.name
    apart = release.mechanism.partly_told and values_apart(model, target) is not None
    if apart:
        model = given(model, target, rng)
    if not whole:
        drawn = model.drawn_codes(asked.names, copies, rng)
        if refused and release.mechanism.recoding is not None:
            return _weighted(asked, model, drawn, used)
        found = _pooled(asked, model, drawn, used)
        if refused or found.reasons:
            return found
    steps = None if release.mechanism.grouping is None else AGAIN
    models = redrawn(model, copies, rng, target if apart else None, steps)
    with stage("Drawing rows", copies) as shown:
        drawn = []
        for each in models:
            drawn += each.drawn_codes(asked.names, 1, rng)
            shown.advance()
    return _pooled(asked, model, drawn, used)


def _model_of(asked: Asked, rng: np.random.Generator) -> ReleaseModel:
    """Fit a model of the whole table. Boxes of groups say most of what there is to say, and fewer fits of it will do."""
    release = asked.release
    if release.mechanism.grouping is not None:
        return ReleaseModel(asked.weights, n_init=IN_GROUPS, random_state=rng).fit(release).by_columns()
    model: ReleaseModel = reconstruct(release, weights=asked.weights, random_state=rng)
    return model


def _pooled(asked: Asked, model: ReleaseModel, drawn: Sequence[Mapping[str, Integers]], used: Booleans | None) -> Found:
    """Fit each copy of complete rows, those that are ``used``, and combine the results."""
    release, copies = asked.release, len(drawn)
    features = _features(asked, drawn, used)
    names, fits = _named(features), []
    with stage("Fitting each copy", copies) as shown:
        for copy in drawn:
            others = [copy[a.name] for a in asked.columns]
            fits.append(_fitted(asked, copy[asked.target.name], others, features, used))
            shown.advance()
    estimates = np.stack([each.coefficients for each in fits])
    both = Copies(estimates, np.stack([np.diag(each.covariance) for each in fits]))
    variance, df, missing = imputed(both, np.full(len(names), float(release.rows - len(names))))
    worth = release.rows * (1 - np.clip(np.zeros(len(names)) if missing is None else missing, 0, 1))
    reasons: tuple[Statement, ...] = () if model.determined_ else (regressed.FitsDisagree(),)
    if release.mechanism.grouping is not None and worth.min() < CLEAR * release.rows:
        reasons = (*reasons, regressed.HiddenInGroups())
    if release.mechanism.grouping is not None and asked.family == "logistic" and model.believed_ < NEARLY:
        reasons = (*reasons, regressed.NotMeasured())  # where the model is believed altogether, it was
    if any(each.separated for each in fits):
        reasons = (*reasons, regressed.Separated())
    how = regressed.FromCopies(copies=copies)
    return Found(names, estimates.mean(axis=0), np.diag(variance), df, worth, how, reasons)


def _features(asked: Asked, drawn: Sequence[Mapping[str, Integers]], used: Booleans | None) -> list[Features]:
    """Describe the columns; a label that some copy has in no row has no coefficient."""
    made = []
    for attribute in asked.columns:
        codes = [each[attribute.name] if used is None else each[attribute.name][used] for each in drawn]
        occur = np.all([np.bincount(each, minlength=attribute.states) > 0 for each in codes], axis=0)
        made.append(Features.of(attribute, np.where(occur, 1.0, NOBODY / 2)))
    return made


def _weighted(
    asked: Asked, model: ReleaseModel, drawn: Sequence[Mapping[str, Integers]], used: Booleans | None
) -> Found:
    """Fit all copies together, each row of them by how well the regression explains it: for estimates alone.

    Cells that are spread evenly over their labels are drawn without a look at the target, which weakens coefficients. So the copies of a row that shows its target
    are weighted by the likelihood that the regression gives to it, and it is fitted again until nothing changes: fractional imputation (Kim 2011). Where the model
    of the table was believed by the power of its ``trust``, so much of what the target says is in the copies, and the likelihood has the power of the rest.
    """
    copies, features, observed = len(drawn), _features(asked, drawn, used), model._observed
    names, power = _named(features), 1 - observed.trust * (1 - observed.spread)
    answers = np.stack([asked.answers[each[asked.target.name]] for each in drawn])
    there: Booleans = np.all(~np.isnan(answers), axis=0) & (asked.shares > 0)
    there = there if used is None else there & used
    stacked = [np.concatenate([each[name][there] for each in drawn]) for name in asked.names]
    kinds, which, _ = distinct(stacked, len(stacked[0]))
    blocks = [each.table[codes] for each, codes in zip(features, kinds.T[1:], strict=True)]
    design, target = np.concatenate([np.ones((len(kinds), 1)), *blocks], axis=1), asked.answers[kinds[:, 0]]
    _check_apart(asked, design, features)
    shares, places, tells = asked.shares[there], which.reshape(copies, -1), np.ptp(answers[:, there], axis=0) == 0
    weights, before = np.full(places.shape, 1 / copies), np.full(len(kinds), np.inf)
    with stage("Weighting copies by the regression", ROUNDS) as shown:
        for _ in range(ROUNDS):
            counts = np.bincount(which, weights=(weights * shares).ravel(), minlength=len(kinds)).astype(np.float64)
            fitted, separated = _likeliest(asked.family, design, target, counts)
            eta = design @ fitted.coefficients
            if np.abs(eta - before).max() < STILL * max(float(eta.std()), 1e-300):
                break
            before, losses = eta, glm.losses(asked.family, eta, target)
            if asked.family != "logistic":  # how much rows vary is not known; counts vary no less than Poisson's
                mean, slope = glm.mean_and_slope(asked.family, eta)
                vary = float(np.average((target - mean) ** 2 / np.maximum(slope, 1e-12), weights=counts))
                losses = losses / max(vary, 1.0 if asked.family == "poisson" else 1e-300)
            each = losses[places] * (power * tells)
            weights = np.exp(each.min(axis=0) - each)
            weights /= weights.sum(axis=0)
            shown.advance()
    coefficients, covariance = own_units(features, fitted.coefficients, fitted.covariance)
    reasons: tuple[Statement, ...] = () if model.determined_ else (regressed.FitsDisagree(),)
    reasons = (*reasons, regressed.Separated()) if separated else reasons
    evenly = observed.trust == 0
    how = regressed.FromSpreadCells(copies=copies) if evenly else regressed.FromWeightedCopies(copies=copies)
    return Found(names, coefficients, covariance, np.full(len(names), MANY), None, how, reasons)


def _likeliest(family: Family, design: Floats, answers: Floats, weights: Floats) -> tuple[glm.Fitted, bool]:
    """Fit by maximum likelihood, or where that has no maximum, since a label has one class only, by the penalized one; say whether that was so."""
    some = weights > 0
    try:
        return glm.fit(family, design[some], answers[some], weights[some]), False
    except InvalidParameter:
        return glm.penalized(family, design[some], answers[some], weights[some]), True
