"""Which columns of a release a model takes, and which it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tokumei.diagnostics import warn
from tokumei.errors import InvalidParameter, NotAtRandomWarning
from tokumei.mechanism.likelihood import MANY_LABELS
from tokumei.reconstruction._problems import LeftOutRows
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories, Dates
from tokumei.table.schema import Attribute
from tokumei.text import nearest


def chosen(
    release: Release, columns: Sequence[str] | None, target: str | None = None, weights: str | None = None
) -> list[Attribute]:
    """Return the columns asked for, in their order, or all that have a domain but the target and the survey weights."""
    aside = {target, weights, *release.mechanism.made_up}
    known = [a.name for a in release.schema if a.domain is not None and a.name not in aside]
    if columns is not None:
        wanted = [columns] if isinstance(columns, str) else list(columns)
        for name in wanted:
            if name not in known:
                hint = nearest(name, known)
                if name == weights:
                    raise InvalidParameter("{name!r} holds the weights.{hint}", name=name, hint=hint)
                if name == release.mechanism.tells:
                    raise InvalidParameter("{name!r} only says which columns a row tells.{hint}", name=name, hint=hint)
                if name in release.mechanism.made_up:
                    raise InvalidParameter("{name!r} only says which group a row is in.{hint}", name=name, hint=hint)
                if name == target:
                    raise InvalidParameter("{name!r} is the target.{hint}", name=name, hint=hint)
                raise InvalidParameter("{name!r} is not a column with a domain.{hint}", name=name, hint=hint)
        if not wanted or len(set(wanted)) < len(wanted):
            raise InvalidParameter("columns must name at least one column, and each once.")
        known = wanted
    if not known:
        raise InvalidParameter("There is no column to predict from.")
    return [release.original(name) for name in known]


def check_count(name: str, labels: int) -> None:
    """Refuse a column with too many labels: a matrix of them would not fit."""
    if labels > MANY_LABELS:
        raise InvalidParameter(
            "{name!r} has more than {many_labels:,} labels; name the other columns.", name=name, many_labels=MANY_LABELS
        )


def check_release(release: Release) -> None:
    """Refuse what is no release."""
    if not isinstance(release, Release):
        raise InvalidParameter("fit needs a release, such as the one that read_release returns.")


def perturbed_target(release: Release, target: str, told: bool = False) -> Attribute:
    """Return the column to predict in a release whose columns have channels of their own; ``told`` as for `check_perturbed`."""
    check_release(release)
    check_perturbed(release, told)
    known = release.schema.names()
    if target not in known:
        raise InvalidParameter(
            "There is no column {target!r} in the release.{hint}", target=target, hint=nearest(target, known)
        )
    return release.schema[target]


def refuse_dates(target: Attribute) -> None:
    """Refuse dates as what is predicted or explained: models are of numbers and categories."""
    if isinstance(target.domain, Dates):
        raise InvalidParameter(
            "target must have categories or numbers, and {target!r} has dates; convert it to a number of days in the table "
            "before it is released.",
            target=target.name,
        )


def check_answers(release: Release, target: Attribute) -> None:
    """Refuse a target that noise makes missing here and there: whether a cell was missing is not known of any row."""
    if target.missing and target.name not in release.mechanism.kept:
        raise InvalidParameter(
            "Cells of {target!r} may be missing, and the noise hides which; complete the rows instead, by tk.regress or tk.synthesize.",
            target=target.name,
        )


def check_perturbed(release: Release, told: bool = False) -> None:
    """Refuse a release whose columns have no channel of their own: models of it can be fitted to its cells as they are.

    Rows that tell some columns each are for models that look at one column at a time, and say so by ``told``.
    """
    telling = release.mechanism.telling
    if telling is not None and not told:
        raise telling.refuse(next(iter(telling.columns)))
    if release.mechanism.averaging is not None:
        raise release.mechanism.averaging.refuse(next(iter(release.mechanism.averaging.columns)))
    if release.mechanism.swapping is not None:
        raise release.mechanism.swapping.refuse(release.mechanism.swapping.columns[0])
    if release.mechanism.grouping is not None:
        raise release.mechanism.grouping.refuse(release.mechanism.grouping.columns[0])
    if release.mechanism.recoding is not None:
        raise InvalidParameter(
            "This is for perturbed columns, and the release has generalized ones; fit a model to its labels directly, using tk.encoders.encoder_for(model, release)."
        )
    if release.mechanism.left_out:
        warn(LeftOutRows(gone=release.mechanism.left_out), NotAtRandomWarning)


def check_together(release: Release, columns: Sequence[str]) -> None:
    """Refuse to say how columns go together where some were swapped: that is lost within groups."""
    swapping = release.mechanism.swapping
    if swapping is not None and len(columns) > 1:
        for name in columns:
            if name in swapping.columns:
                raise swapping.refuse(name)


def check_target(release: Release, target: str) -> None:
    """Refuse a target that some rows do not tell: rows that do not would have no class."""
    mechanism = release.mechanism
    if target in mechanism.partly_told:
        raise InvalidParameter(
            "{target!r} is told by some rows only; predict it with tk.reconstruct(release, target={target!r}).",
            target=target,
        )
    if target == mechanism.tells:
        raise InvalidParameter(
            "{target!r} only says which columns a row tells, so there is nothing to predict.", target=target
        )


def relabelled(release: Release, name: str) -> bool:
    """Whether a column's released labels are those of its matrix, so that nobody told what the true values are called."""
    columns = release.method.get("columns")
    made = columns.get(name) if isinstance(columns, Mapping) else None
    return isinstance(made, Mapping) and made.get("labels") is not None


def check_usable(release: Release, attributes: Iterable[Attribute]) -> None:
    """Refuse columns that cannot be weighed value by value."""
    for attribute in attributes:
        if relabelled(release, attribute.name):
            raise InvalidParameter(
                "The values of {column!r} became labels of its matrix, and the release does not say what "
                "they were; name the other columns.",
                column=attribute.name,
            )
        if isinstance(attribute.domain, Categories):
            check_count(attribute.name, attribute.states)
