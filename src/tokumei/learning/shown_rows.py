"""Which rows show what a regression needs, and where no interval of them would be honest."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Booleans
from tokumei.errors import InvalidParameter
from tokumei.learning import regressed
from tokumei.learning.asked import Asked, Way
from tokumei.privacy.guarantee import several_rows
from tokumei.reconstruction import _told_regression as told_rows
from tokumei.reconstruction._views import hidden_strata
from tokumei.release.artifact import Release
from tokumei.words import Statement

AVERAGED, IN_GROUP = 5, 10  # columns, and rows of a group, up to which intervals from averages were measured
LEAST = 50  # rows that show all values, for each column of a regression
HARDLY = (
    0.01  # of the rows are not there: too few to change what the others say by columns that the regression leaves out
)


def limits_of(asked: Asked, way: Way) -> tuple[Statement, ...]:
    """Say why there can be no honest interval, from what was measured (`python -m benchmarks.regressions`)."""
    release, mechanism, found = asked.release, asked.release.mechanism, list[Statement]()
    if several_rows(release.guarantees):
        found.append(regressed.SeveralEach())
    if hidden_strata(release):
        found.append(regressed.StrataHidden())
    if mechanism.left_out and chose(asked):
        found.append(regressed.RareLeftOut(rows=mechanism.left_out))
    whole = release.rows + (mechanism.left_out or 0)
    if whole - release.rows > HARDLY * whole and release.rows < LEAST * len(asked.names):
        found.append(regressed.FewLeft(rows=release.rows, of=whole))
    if way in {"noise", "told"} and asked.target.missing and asked.target.name not in mechanism.kept:
        found.append(regressed.MissingInNoise(target=asked.target.name))
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


def chose(asked: Asked) -> bool:
    """Whether the target had a say in which rows were left out or made coarser: as a quasi-identifier, or by a constraint."""
    role = asked.target.role
    return role == "quasi_identifier" or (role == "sensitive" and bool(asked.release.method.get("constraints")))


def shown_in(release: Release, name: str) -> Booleans:
    """Return the rows in which a column was not made coarser."""
    recoding = release.mechanism.recoding
    if recoding is None or name not in recoding.columns:
        return np.ones(release.rows, dtype=np.bool_)
    low, high = recoding.columns[name].spans.T
    made: Booleans = (low == high)[release.coded.codes(name)]
    return made


def whole_rows(asked: Asked) -> Booleans:
    """Return the rows in which no column of the regression was made coarser."""
    made: Booleans = np.all([shown_in(asked.release, name) for name in asked.names], axis=0)
    return made


def _hidden(asked: Asked) -> list[Statement]:
    """Say why rows that show all values do not give an honest interval: there are few, or which they are depends on the target."""
    release, target = asked.release, asked.target.name
    if not np.all(shown_in(release, target)):
        return [regressed.TargetHidden(target=target)]
    if chose(asked):
        return [regressed.ChosenByTarget(target=target)]
    whole = int(np.count_nonzero(whole_rows(asked)))
    return [regressed.Hidden(rows=whole, of=release.rows)] if whole < LEAST * len(asked.names) else []


def answered(asked: Asked) -> Booleans | None:
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
