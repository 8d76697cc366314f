"""How often each value of a column occurs in the whole table, as it may be handed to an analyst."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import StrictFloat, StrictInt

from tokumei.bounds import parsed_json
from tokumei.errors import DataError, InvalidParameter, ReleaseError
from tokumei.files import atomic_file, read_text
from tokumei.privacy.assumptions import Assumption, OneRow, RatesAddUp, RatesAlone, SecretKey, TrueRates
from tokumei.privacy.attackers import Anyone, RatesEpsilon
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.noisy_counts import epsilon_of, total
from tokumei.results import json_text
from tokumei.table.schema import Attribute
from tokumei.text import nearest
from tokumei.values import described, value

Rate = StrictFloat | StrictInt
SLACK = 1e-9  # by which rates may miss one
ROUNDING = 1e-12  # of a share


@value
class ColumnRates:
    """The rates of one column.

    Parameters
    ----------
    values
        The share of the rows that have a value, by its label.
    others
        The share of all values together that are not listed, because each is rare or does not occur.
    missing
        The share of missing cells, where it is told apart.
    decay
        Of rates from noisy counts, the integer that the noise was drawn with: a noise of z has a probability in proportion
        to (decay / 2^64)^|z|.
    """

    values: dict[str, Rate]
    others: Rate = 0.0
    missing: Rate | None = None
    decay: StrictInt | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        every = [*self.values.values(), self.others, self.missing or 0.0]
        if not all(math.isfinite(rate) and rate >= 0 for rate in every):
            raise InvalidParameter("rates must be finite and not negative.")
        if abs(math.fsum(every) - 1) > SLACK:
            raise InvalidParameter(
                "the rates of a column, including those of others and of missing cells, must add up to one."
            )
        if self.decay is not None and not 0 < self.decay < 2**64:
            raise InvalidParameter("decay must be a whole number between 0 and 2^64.")

    def by_code(self, attribute: Attribute) -> npt.NDArray[np.float64]:
        """Return the rate of each code of a column; values that are not listed share evenly what others have together."""
        domain = attribute.domain
        if domain is None:
            raise InvalidParameter(
                "{column!r} has no declared domain; declare one in the schema.", column=attribute.name
            )
        place = {label: code for code, label in enumerate(domain.labels())}
        unknown = [label for label in self.values if label not in place]
        if unknown:
            raise InvalidParameter(
                "the rates of {column!r} name values that its domain does not have.", column=attribute.name
            )
        if self.missing and not attribute.missing:
            raise InvalidParameter(
                "the rates of {column!r} count missing cells, but it may have none.", column=attribute.name
            )
        found = np.full(attribute.states, np.nan)
        found[[place[label] for label in self.values]] = list(self.values.values())
        if self.missing is not None and attribute.missing:
            found[domain.size] = self.missing
        rest = np.isnan(found)
        if self.others > SLACK and not rest.any():
            raise InvalidParameter(
                "the rates of {column!r} leave a share to others, but no value is left.", column=attribute.name
            )
        found[rest] = self.others / max(1, int(np.count_nonzero(rest)))
        return found


@value
class Rates:
    """How often the values of some columns occur, each column on its own.

    Examples
    --------
    >>> rates = Rates({"sex": {"values": {"Female": 0.6, "Male": 0.4}}})
    >>> rates["sex"].values["Male"]
    0.4
    >>> Rates({"sex": {"values": {"Female": 0.6}}})
    Traceback (most recent call last):
    tokumei.errors.InvalidParameter: Rates: columns.sex: the rates of a column, including those of others and of
    missing cells, must add up to one.
    """

    columns: dict[str, ColumnRates]

    def __getitem__(self, name: str) -> ColumnRates:
        if name not in self.columns:
            raise InvalidParameter("There are no rates of {name!r}.{hint}", name=name, hint=nearest(name, self.columns))
        return self.columns[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self.columns)

    @property
    def exact(self) -> tuple[str, ...]:
        """The columns whose rates are true ones."""
        return tuple(name for name, column in self.columns.items() if column.decay is None)

    @property
    def epsilons(self) -> dict[str, float]:
        """What the rates of each column with noisy counts tell of a person."""
        return {name: epsilon_of(column.decay) for name, column in self.columns.items() if column.decay is not None}

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """The promise of noisy counts, for each column and together; none where no noise was added."""
        spent = self.epsilons
        if not spent:
            return ()
        return (
            Guarantee(
                "differential privacy",
                total(spent.values()),
                RatesEpsilon(columns=tuple(spent)),
                Anyone(),
                (OneRow(), SecretKey(), RatesAlone(), RatesAddUp()),
                spent,
            ),
        )

    @property
    def told(self) -> tuple[Assumption, ...]:
        """What the promises about the rows must say of true rates."""
        return (TrueRates(columns=self.exact),) if self.exact else ()

    def describe(self) -> dict[str, Any]:
        """Return the rates as they stand in a manifest."""
        made: dict[str, Any] = described(self)["columns"]
        return made

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the rates as a JSON file of their own, to be handed over beside a release."""
        target = Path(path)
        with atomic_file(target, overwrite=overwrite) as temporary:
            temporary.write_text(json_text(self.describe(), indent=2) + "\n", encoding="utf-8")
        return target

    @classmethod
    def read(cls, path: str | Path) -> Rates:
        """Read what `write` wrote."""
        text = read_text(Path(path))
        try:
            content = parsed_json(text)
        except ValueError:
            content = None
        if not isinstance(content, dict):
            raise DataError("{path} holds no rates: it is not a JSON object.", path=path)
        try:
            return cls.from_description(content)
        except InvalidParameter as error:
            raise DataError("{path} holds no rates. {error}", path=path, error=error) from None

    @classmethod
    def from_description(cls, given: Mapping[str, Any]) -> Rates:
        """Make rates again from what `describe` gave."""
        return cls(dict(given))


def pooled(counts: npt.NDArray[np.int64], k: int, attribute: Attribute, decay: int | None = None) -> ColumnRates:
    """Turn the counts of a column's codes into rates; values of fewer than ``k`` rows are told together only.

    Where these are fewer than ``k`` rows even together, the next rarest values join them.
    """
    domain = attribute.domain
    assert domain is not None
    order = np.lexsort((np.arange(len(counts)), counts))
    reach = np.cumsum(counts[order])
    rare = int(np.searchsorted(counts[order], k))
    hidden = int(reach[rare - 1]) if rare else 0
    if 0 < hidden < k:
        rare = min(int(np.searchsorted(reach, k)) + 1, len(reach))
        hidden = int(reach[rare - 1])
    whole = max(int(counts.sum()), 1)
    shown = np.sort(order[rare:])
    labels = domain.labels() if len(shown) else []
    values = {labels[code]: int(counts[code]) / whole for code in shown.tolist() if code < domain.size}
    missing = int(counts[domain.size]) / whole if domain.size in shown else None
    return ColumnRates(values, hidden / whole if counts.any() else 1.0, missing, decay=decay)


def check_rates(
    rates: Rates, attributes: Mapping[str, Attribute], guarantees: Sequence[Guarantee], k: int, rows: int
) -> None:
    """Refuse rates of a release that cannot be those of its rows, give away what they should pool, or promise too much.

    ``attributes`` are the columns that rates may be of, as they were before their cells were made coarser.
    """
    for name in rates.names:
        column = rates[name]
        if name not in attributes:
            raise ReleaseError("The release publishes rates of {name!r}, which is not a quasi-identifier.", name=name)
        column.by_code(attributes[name])
        every = [rate for rate in (*column.values.values(), column.missing, column.others) if rate]
        counted = np.array(every) * rows
        if column.decay is None and np.any(np.abs(counted - np.rint(counted)) > ROUNDING * rows):
            raise ReleaseError(
                "The release publishes rates of {name!r} that are not possible for its number of rows.", name=name
            )
        if column.decay is None and np.any(np.rint(counted) < k):
            raise ReleaseError("The release publishes rates of {name!r} for fewer than k rows.", name=name)
    stated = [each for each in guarantees if each.notion == "differential privacy"]
    due = rates.guarantees
    if len(stated) != len(due) or any(
        (mine.promise, mine.attacker) != (theirs.promise, theirs.attacker)
        or set(mine.numbers) != set(theirs.numbers)
        or any(not math.isclose(mine.numbers[name], spent, rel_tol=1e-12) for name, spent in theirs.numbers.items())
        or not math.isclose(mine.value, theirs.value, rel_tol=1e-12)
        for mine, theirs in zip(stated, due, strict=True)
    ):
        raise ReleaseError("The release states another epsilon for its rates than their noise has.")
