"""How unique the rows of a table are: no plan, no schema, and no cell in the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.memory import within_memory
from tokumei.plain_values import plain_arguments
from tokumei.risk.people import PeopleCheck, people_check, people_of
from tokumei.risk.reading import one_or_more, read
from tokumei.risk.sensitive import SensitiveCheck, sensitive_check
from tokumei.risk.singling_out.combinations import Combination, singling_out
from tokumei.shown import shown
from tokumei.text import names, plural

SHOWN = 10  # combinations in the text of a check


@dataclass(frozen=True)
class Check:
    """What `check` found: counts only.

    Attributes
    ----------
    rows, classes
        How many rows there are, and how many classes of rows that agree in all columns.
    k
        The size of the smallest equivalence class.
    unique
        How many rows are alone in their class.
    at_risk, at_risk_below
        How many rows lie in classes of fewer than ``at_risk_below`` rows.
    sensitive
        For each sensitive column how diverse the classes are.
    singled_out
        How many rows are already unique in some set of this many columns: for each number of columns, those that are not in fewer.
    combinations
        Sets of columns in which rows are unique, and in no smaller set of them, those with most rows first.
    largest
        Up to how many columns were put together.
    people
        How many people there are and the k for them, where a column says whose row each is.
    """

    columns: tuple[str, ...]
    rows: int
    classes: int
    k: int
    unique: int
    at_risk: int
    at_risk_below: int
    sensitive: Mapping[str, SensitiveCheck]
    singled_out: Mapping[int, int]
    combinations: tuple[Combination, ...]
    largest: int
    people: PeopleCheck | None = None

    def __str__(self) -> str:
        lines = [
            f"{plural(self.rows, 'row')} in {self.classes:,} equivalence class{'' if self.classes == 1 else 'es'} by {names(self.columns)}: k = {self.k:,}.",
            f"{plural(self.unique, 'row')} ({self.unique / self.rows:.1%}) {'is' if self.unique == 1 else 'are'} "
            f"unique; {self.at_risk:,} ({self.at_risk / self.rows:.1%}) are in equivalence classes of fewer than "
            f"{self.at_risk_below}.",
            f"An attacker who knows these columns about everyone links {self.classes / self.rows:.1%} of the rows correctly, on average.",
        ]
        if self.people is not None:
            lines.insert(1, str(self.people))
        for name, found in self.sensitive.items():
            lines.append(
                f"{name!r} has at least l = {found.distinct} different values in an equivalence class (as diverse "
                f"as {found.entropy:.3g} equally frequent ones), is up to t = {found.t:.3f} away from the whole "
                f"table, and is disclosed for {plural(found.disclosed, 'row')}."
            )
        if self.combinations:
            lines.append("Rows that are already unique")
            for size, rows in self.singled_out.items():
                lines.append(f"  {rows:>9,} by {plural(size, 'column')}" + ("" if size == 1 else " together"))
            lines.append("Smallest sets of columns that single out the most rows:")
            for each in self.combinations[:SHOWN]:
                lines.append(f"  {each.rows:>9,} {', '.join(map(shown, each.columns))}")
        return "\n".join(lines)


@within_memory()
@plain_arguments
def check(
    frame: Any,
    columns: Sequence[str],
    sensitive: str | Sequence[str] = (),
    at_risk_below: int = 5,
    largest: int = 3,
    person: str | None = None,
) -> Check:
    """Count the equivalence classes of a table by some columns, and find which columns single people out.

    Parameters
    ----------
    frame
        A pandas or polars frame or a pyarrow table, one row per person. A missing cell counts as a value.
    columns
        What an attacker may know about a person.
    sensitive
        Columns whose diversity in the classes is counted.
    at_risk_below
        Rows in smaller classes count as at risk.
    largest
        Combine up to this many columns when looking for what singles people out.
    person
        The column that says whose row each is, where people have several; k is then counted for people too.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.check(tk.example_census(rows=500), ["age", "sex"], sensitive="income")
    >>> found.rows, found.columns
    (500, ('age', 'sex'))
    """
    if isinstance(at_risk_below, bool) or not isinstance(at_risk_below, int) or at_risk_below < 2:
        raise InvalidParameter(
            "at_risk_below must be a whole number of at least 2. Got {at_risk_below!r}.", at_risk_below=at_risk_below
        )
    table = read(frame, one_or_more(columns), one_or_more(sensitive))
    sizes = table.sizes
    people = None
    if person is not None:
        people, _ = people_check(people_of(frame, person, (*table.known, *table.secret)), table.labels)
    found, _ = singling_out(table.known, [table.codes[name] for name in table.known], table.labels, largest)
    return Check(
        columns=table.known,
        rows=table.rows,
        classes=len(sizes),
        k=int(sizes.min()),
        unique=int(np.count_nonzero(sizes == 1)),
        at_risk=int(sizes[sizes < at_risk_below].sum()),
        at_risk_below=at_risk_below,
        sensitive={name: sensitive_check(table, name) for name in table.secret},
        singled_out=found.singled_out,
        combinations=found.minimal,
        largest=largest,
        people=people,
    )
