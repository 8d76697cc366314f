"""How often each value of a column occurs in the whole table, as it may be handed to an analyst."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pydantic
from pydantic import StrictFloat, StrictInt

from tokumei.errors import DataError, InvalidParameter, nearest
from tokumei.files import atomic_file, read_text
from tokumei.table.schema import Attribute
from tokumei.values import described, sentence, value

Rate = StrictFloat | StrictInt
SLACK = 1e-9  # by which rates may miss one


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
            raise InvalidParameter("rates must be finite and not below zero.")
        if abs(math.fsum(every) - 1) > SLACK:
            raise InvalidParameter(
                "the rates of a column, those of others and of missing cells included, must add up to one."
            )
        if self.decay is not None and not 0 < self.decay < 2**64:
            raise InvalidParameter("decay must be a whole number between 0 and 2^64.")

    def by_code(self, attribute: Attribute) -> npt.NDArray[np.float64]:
        """Return the rate of each code of a column; values that are not listed share evenly what others have together."""
        domain = attribute.domain
        if domain is None:
            raise InvalidParameter(f"{attribute.name!r} has no declared domain; declare one in the schema.")
        place = {label: code for code, label in enumerate(domain.labels())}
        unknown = [label for label in self.values if label not in place]
        if unknown:
            raise InvalidParameter(f"the rates of {attribute.name!r} name values that its domain does not have.")
        if self.missing and not attribute.missing:
            raise InvalidParameter(f"the rates of {attribute.name!r} count missing cells, and it may have none.")
        found = np.full(attribute.states, np.nan)
        found[[place[label] for label in self.values]] = list(self.values.values())
        if self.missing is not None and attribute.missing:
            found[domain.size] = self.missing
        rest = np.isnan(found)
        if self.others > SLACK and not rest.any():
            raise InvalidParameter(f"the rates of {attribute.name!r} leave a share to others, and no value is left.")
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
    tokumei.errors.InvalidParameter: Rates: columns.sex: the rates of a column, those of others and of missing cells
    included, must add up to one.
    """

    columns: dict[str, ColumnRates]

    def __getitem__(self, name: str) -> ColumnRates:
        if name not in self.columns:
            raise InvalidParameter(f"There are no rates of {name!r}.{nearest(name, self.columns)}")
        return self.columns[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self.columns)

    def describe(self) -> dict[str, Any]:
        """Return the rates as they stand in a manifest."""
        made: dict[str, Any] = described(self)["columns"]
        return made

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the rates as a JSON file of their own, to be handed over beside a release."""
        target = Path(path)
        with atomic_file(target, overwrite=overwrite) as temporary:
            temporary.write_text(json.dumps(self.describe(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return target

    @classmethod
    def read(cls, path: str | Path) -> Rates:
        """Read what `write` wrote."""
        problem = None
        try:
            return cls.from_description(json.loads(read_text(Path(path))))
        except pydantic.ValidationError as error:
            problem = sentence(error)
        except ValueError as error:
            problem = str(error) if isinstance(error, InvalidParameter | DataError) else "it is not JSON."
        raise DataError(f"{path} holds no rates: {problem}")

    @classmethod
    def from_description(cls, given: Mapping[str, Any]) -> Rates:
        """Make rates again from what `describe` gave."""
        return cls(dict(given))
