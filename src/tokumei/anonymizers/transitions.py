"""Transition matrices for PRAM: given, or built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, Literal, Protocol

import numpy as np
import pydantic
from pydantic import Field, StrictFloat

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.mechanism.transition_matrix import check_probabilities
from tokumei.messages import message_of, phrase
from tokumei.table.domain import Label
from tokumei.table.schema import Attribute
from tokumei.values import sentence, value


class Counts(Protocol):
    """Who counts the values of a column, for the one matrix that looks at the data."""

    def counts(self, column: str) -> tuple[int, ...]:
        """Count the values of a column, in the order of its codes."""


@value
class Matrix:
    """A matrix given in full: ``rows[true][released]``, each row summing to one.

    Parameters
    ----------
    rows
        One row for each true value, missing last where the column allows it.
    labels
        What the released values are called, where they are not those of the column (fewer, for instance).
    missing
        Whether the last released value means a missing cell; for matrices with labels of their own.
    """

    rows: tuple[tuple[float, ...], ...]
    labels: tuple[Label, ...] | None = None
    missing: bool = False
    kind: Literal["matrix"] = field(default="matrix", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if len({len(row) for row in self.rows}) != 1:
            raise InvalidParameter("a transition matrix must have rows of one length.")
        check_probabilities(np.array(self.rows))

    def probabilities(self, attribute: Attribute, survey: Counts) -> Floats:
        """Return the matrix itself."""
        return np.array(self.rows)

    def describe(self) -> dict[str, Any]:
        """Return it as it appears in a manifest."""
        labels = None if self.labels is None else list(self.labels)
        return {"kind": self.kind, "rows": [list(row) for row in self.rows], "labels": labels, "missing": self.missing}


class _Built:
    """A matrix built from one probability of keeping."""

    keep: float
    kind: str

    def _check(self) -> None:
        if not 0 <= self.keep <= 1:
            raise InvalidParameter("keep must lie between 0 and 1. Got {keep:g}.", keep=self.keep)

    def describe(self) -> dict[str, Any]:
        """Return it as it appears in a manifest."""
        return {"kind": self.kind, "keep": self.keep}


@value
class KeepOrReplace(_Built):
    """Keep a value with probability ``keep``, otherwise replace it by one drawn uniformly from all values."""

    keep: StrictFloat
    kind: Literal["keep_or_replace"] = field(default="keep_or_replace", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        self._check()

    def probabilities(self, attribute: Attribute, survey: Counts) -> Floats:
        """Build the matrix for a column."""
        return _keep_or_replace(self.keep, attribute.states)


@value
class Banded(_Built):
    """For ordered values: keep with probability ``keep``, else move; each step further is ``decay`` times as likely.

    With ``reach`` values farther away than that are never released, which rules people out: the guarantee is then k = 1.
    """

    keep: StrictFloat
    decay: StrictFloat = 0.5
    reach: int | None = None
    kind: Literal["banded"] = field(default="banded", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        self._check()
        if not 0 < self.decay <= 1:
            raise InvalidParameter("decay must be above 0 and at most 1. Got {decay:g}.", decay=self.decay)
        if self.reach is not None and self.reach < 1:
            raise InvalidParameter("reach must be at least 1. Got {reach}.", reach=self.reach)

    def probabilities(self, attribute: Attribute, survey: Counts) -> Floats:
        """Build the matrix for a column."""
        if attribute.states > 2 and not getattr(attribute.domain, "ordered", False):
            raise InvalidParameter(
                "Banded needs ordered categories, and those of {column!r} are not.", column=attribute.name
            )
        places = np.arange(attribute.states)
        steps = np.abs(places[:, None] - places[None, :])
        if len(places) == 1:
            return np.ones((1, 1))
        moves = np.where(steps == 0, 0.0, float(self.decay) ** np.maximum(steps - 1, 0))
        if self.reach is not None:
            moves[steps > self.reach] = 0.0
        return self.keep * np.eye(len(places)) + (1 - self.keep) * moves / moves.sum(axis=1, keepdims=True)

    def describe(self) -> dict[str, Any]:
        """Return it as it appears in a manifest."""
        return {"kind": self.kind, "keep": self.keep, "decay": self.decay, "reach": self.reach}


@value
class Invariant(_Built):
    """Keep the marginals of the column as they are, in expectation.

    A first matrix keeps or replaces as `KeepOrReplace` does; a second draws back from the posterior under the column's
    own marginals (Kooiman, Willenborg and Gouweleeuw). The matrix therefore shows the marginals: they are disclosed.
    """

    keep: StrictFloat
    kind: Literal["invariant"] = field(default="invariant", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        self._check()

    def probabilities(self, attribute: Attribute, survey: Counts) -> Floats:
        """Build the matrix from the counts of the column."""
        share = np.array(survey.counts(attribute.name), dtype=np.float64)
        share /= share.sum()
        first = _keep_or_replace(self.keep, attribute.states)
        released = share @ first
        back = np.divide((first * share[:, None]).T, released[:, None], where=released[:, None] > 0, out=first.T.copy())
        return first @ back


AnyTransition = Matrix | KeepOrReplace | Banded | Invariant
_ADAPTER: pydantic.TypeAdapter[AnyTransition] = pydantic.TypeAdapter(
    Annotated[AnyTransition, Field(discriminator="kind")]
)


class _Described:
    """Describes what is read by `as_transition`, for forms and other readers of the JSON Schema of a method."""

    def __get_pydantic_json_schema__(self, _: Any, handler: Any) -> Any:
        """Describe a transition of any kind."""
        return handler(_ADAPTER.core_schema)


Given = Annotated[Any, _Described()]  # a matrix, a transition, or a table with its kind


def as_transition(column: str, given: Any) -> AnyTransition:
    """Read what a user or a plan gives for a column: a matrix, a transition, or a table with its ``kind``."""
    if isinstance(given, AnyTransition):
        return given
    if isinstance(given, str):
        raise InvalidParameter(
            'the transition of {column!r} needs its parameters beside its kind, such as {{ kind = "banded", keep = 0.6 }}, or a matrix of numbers.',
            column=column,
        )
    try:
        if isinstance(given, Mapping):
            return _ADAPTER.validate_python(dict(given))
        return Matrix(tuple(tuple(float(cell) for cell in row) for row in given))
    except pydantic.ValidationError as error:
        raise InvalidParameter(
            "the transition of {column!r}: {problem}", column=column, problem=sentence(error, AnyTransition)
        ) from None
    except (TypeError, ValueError) as error:
        own = isinstance(error, InvalidParameter)
        text = message_of(error) if own else phrase("give a matrix of numbers, or a transition.")
        raise InvalidParameter(
            "the transition of {column!r} cannot be used: {text}", column=column, text=text
        ) from None


def _keep_or_replace(keep: float, size: int) -> Floats:
    return keep * np.eye(size) + (1 - keep) / size
