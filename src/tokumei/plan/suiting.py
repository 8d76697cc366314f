"""Which method a draft starts with: decided by the number of rows, k and the columns, never by what the rows hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.anonymizers.auto_tells import pick
from tokumei.errors import TokumeiError
from tokumei.table.schema import Attribute

LITTLE = 0.25  # the error of tables of two columns from which on rows that tell a few columns tell too little


@dataclass(frozen=True)
class Suiting:
    """What suits, and the error to expect of perturbed rows, of tables of one column and of two; nothing where no formula says it."""

    perturbed: bool
    one: float | None = None
    two: float | None = None


def suiting(attributes: Sequence[Attribute], rows: int, k: float) -> Suiting:
    """Say whether perturbed rows, which promise most, would still tell enough: the error to expect is that of `tells="auto"`.

    >>> import tokumei as tk
    >>> columns = tk.example_schema().attributes
    >>> suiting(columns, 20_000, 10).perturbed, suiting(columns, 200, 10).perturbed
    (True, False)
    """
    told = [each for each in attributes if each.role == "quasi_identifier"]
    kept = [each for each in attributes if each.role in {"sensitive", "insensitive"}]
    if not told or any(each.role == "person" for each in attributes) or k >= rows or not float(k).is_integer():
        return Suiting(True)
    try:
        found = pick("auto", told, kept, rows, (k - 1) / (rows - 1)).errors
    except TokumeiError:  # a column that cannot be told in cells; the method says so itself
        return Suiting(True)
    worst = found.mean_one if found.mean_two is None else found.mean_two
    return Suiting(worst < LITTLE, found.mean_one, found.mean_two)
