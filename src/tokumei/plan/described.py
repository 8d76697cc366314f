"""What a codebook adds to the guess of a column: labels in place of codes, declared domains, and what the column is in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from tokumei.table.codebook import Variable
from tokumei.table.domain import DEFAULT_PARTS, Categories, Numbers, family
from tokumei.table.schema import DROPPED, Attribute

# Which format a release is written in, if its rows come from a file of another program.
KEPT_FORMATS = {".sav": "sav", ".zsav": "sav", ".por": "sav", ".dta": "dta", ".xpt": "xpt", ".sas7bdat": "xpt"}


def described_attribute(attribute: Attribute, column: Any, variable: Variable | None) -> Attribute:
    """Put what a codebook says into the description of an Arrow column, which has labels already where every code has one.

    A domain that the codebook lists, or whose range it gives, is declared and not read from the rows, as long as all rows are inside.
    """
    if variable is None:
        return attribute
    told = replace(attribute, label=variable.label)
    if attribute.role in DROPPED:
        return told
    domain = variable.domain
    if isinstance(domain, Categories) and family(column.type) == "text":
        there = set(column.unique().drop_null().to_pylist())
        if there <= set(domain.values):
            codes = {text: code for code, text in variable.labels.items()}
            return replace(told, domain=domain, observed=False, codes=codes)
    if isinstance(domain, Numbers) and pa.types.is_integer(column.type):
        domain = in_whole_steps(domain)
    if isinstance(domain, Numbers) and family(column.type) == "numbers" and not domain.code(column).outside:
        return replace(told, domain=domain, observed=False)
    if variable.measure == "scale" and isinstance(attribute.domain, Numbers):
        return replace(told, domain=replace(attribute.domain, quantity=True))
    return told


def in_whole_steps(domain: Numbers) -> Numbers:
    """Return the range of whole numbers with a whole step where nothing is said of it, since they could not be released otherwise.

    >>> in_whole_steps(Numbers(18, 80))
    Numbers(low=18, high=80, step=1)
    """
    low, high = domain.low, domain.high
    if domain.step is not None or low != int(low) or high != int(high):
        return domain
    step = max(1, -(-int(high - low) // DEFAULT_PARTS))
    return replace(domain, low=int(low), high=int(low) + step * -(-int(high - low) // step), step=step)
