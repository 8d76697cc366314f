"""How unique the rows of a table are: no plan, no schema, and no cell in the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.messages import Spoken, phrase
from tokumei.plain_values import plain_arguments
from tokumei.progress import stage
from tokumei.risk.notebook import lines_card
from tokumei.risk.people import PeopleCheck, people_check, people_of
from tokumei.risk.reading import one_or_more, read
from tokumei.risk.sensitive import SensitiveCheck, sensitive_check
from tokumei.risk.singling_out.combinations import Combination, searched, singling_out
from tokumei.shown import shown
from tokumei.text import some_names

SHOWN = 10  # combinations in the text of a check


@dataclass(frozen=True)
class Check(Spoken):
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
    largest, complete
        Up to how many columns were put together, and up to how many every set was looked at; larger ones were searched for.
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
    complete: int
    people: PeopleCheck | None = None

    def lines(self) -> list[str]:
        """Say what was found."""
        unique_share, at_risk_share, links = (n / self.rows for n in (self.unique, self.at_risk, self.classes))
        lines: list[str] = [
            phrase(
                "{rows:row|rows} in {classes:equivalence class|equivalence classes} by {columns}: k = {k:,}.",
                rows=self.rows,
                classes=self.classes,
                columns=some_names(self.columns),
                k=self.k,
            ),
            *([] if self.people is None else self.people.lines()),
            phrase(
                "{unique:row|rows} ({unique_share:.1%}) {unique:|is|are} "
                "unique; {at_risk:,} ({at_risk_share:.1%}) are in equivalence classes of fewer than "
                "{at_risk_below}.",
                unique=self.unique,
                unique_share=unique_share,
                at_risk=self.at_risk,
                at_risk_share=at_risk_share,
                at_risk_below=self.at_risk_below,
            ),
            phrase(
                "An attacker who knows these columns about everyone links {links:.1%} of the rows correctly, on average.",
                links=links,
            ),
        ]
        for name, found in self.sensitive.items():
            lines.append(
                phrase(
                    "{name!r} has at least l = {distinct} different values in an equivalence class (as diverse "
                    "as {entropy:.3g} equally frequent ones), is up to t = {t:.3f} away from the whole "
                    "table, and is disclosed for {disclosed:row|rows}.",
                    name=name,
                    distinct=found.distinct,
                    entropy=found.entropy,
                    t=found.t,
                    disclosed=found.disclosed,
                )
            )
        if self.combinations:
            lines.append(phrase("Rows that are already unique"))
            for size, rows in self.singled_out.items():
                lines.append(phrase("  {rows:>9,} by {size:column|columns together}", rows=rows, size=size))
            lines += searched(self.complete, self.singled_out)
            lines.append(phrase("Smallest sets of columns that single out the most rows:"))
            for each in self.combinations[:SHOWN]:
                lines.append(f"  {each.rows:>9,} {', '.join(map(shown, each.columns))}")
        return lines

    def _repr_html_(self) -> str:
        return lines_card(self)


@stage("Measuring the table")
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
        complete=found.complete,
        people=people,
    )
