"""Random tables of people over random schemas: columns of every kind in every role, with steps for their names."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

import tokumei as tk

KEY = "TOKUMEI_TEST_KEY"
SERIAL = "serial"  # released as it is, so that a test knows which row is whose
NAME = "name"
ROLES = ["quasi_identifier", "quasi_identifier", "sensitive", "insensitive"]
POOL = ["amber", "blau", "çay", "緑", "red wine", "x;y", 'q"q']
DAY = dt.date(1999, 12, 27)


@dataclass(frozen=True)
class People:
    """A table with its schema, the steps before the method, and what no library had its hands on.

    ``true`` holds the values on their grid, which a cell between two points of the grid is taken for; ``above`` the
    labels that a hierarchy puts over a value.
    """

    table: pa.Table
    schema: tk.Schema
    prepare: tuple[Any, ...]
    true: dict[str, list[Any]]
    above: dict[str, dict[Any, set[str]]]

    @property
    def rows(self) -> int:
        return int(self.table.num_rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self.schema.names("quasi_identifier")

    def categories(self, *roles: Any) -> list[str]:
        """The columns of some roles that have categories."""
        return [a.name for a in self.schema if a.role in roles and isinstance(a.domain, tk.Categories)]


@dataclass(frozen=True)
class Kind:
    """A domain with its values, and the labels of a hierarchy over them."""

    domain: Any
    values: list[Any]
    hierarchy: Any = None
    above: dict[Any, set[str]] | None = None


@st.composite
def labels(draw: st.DrawFn) -> Kind:
    values = draw(st.permutations(POOL))[: draw(st.integers(2, 6))]
    if not draw(st.booleans()):
        return Kind(tk.Categories(values, ordered=draw(st.booleans())), values)
    cut = draw(st.integers(1, len(values) - 1))
    parts = {"lower": values[:cut], "upper": values[cut:]}
    tree = tk.Hierarchy.groups(parts, {"any": list(parts)})
    above = {value: {label, "any"} for label, part in parts.items() for value in part}
    return Kind(tk.Categories(values), values, tree, above)


@st.composite
def wholes(draw: st.DrawFn) -> Kind:
    low, step, size = draw(st.integers(-40, 40)), draw(st.integers(1, 9)), draw(st.integers(2, 12))
    values = [low + step * place for place in range(size)]
    domain = tk.Numbers(low, values[-1], step=step)
    if not draw(st.booleans()):
        return Kind(domain, values)
    edge = values[size // 2]
    tree = tk.Hierarchy.groups({"few": [v for v in values if v < edge], "many": [v for v in values if v >= edge]})
    return Kind(domain, values, tree, {v: {"few" if v < edge else "many"} for v in values})


@st.composite
def decimals(draw: st.DrawFn) -> Kind:
    step, size = draw(st.sampled_from([(1, 10), (1, 4), (3, 10), (7, 100)])), draw(st.integers(2, 12))
    low = draw(st.integers(-20, 20)) * step[0]
    values = [(low + step[0] * place) / step[1] for place in range(size)]
    return Kind(tk.Numbers(values[0], values[-1], step=step[0] / step[1]), values)


@st.composite
def moments(draw: st.DrawFn) -> Kind:
    step, size, hours = draw(st.integers(1, 20)), draw(st.integers(2, 12)), draw(st.booleans())
    start: Any = dt.datetime(2020, 2, 28, 7) if hours else DAY
    stride = dt.timedelta(hours=step) if hours else dt.timedelta(days=step)
    values = [start + stride * place for place in range(size)]
    domain = tk.Dates(start, values[-1], step=step, unit="hour" if hours else "day")
    if hours or draw(st.booleans()):
        return Kind(domain, values)
    above = {value: {f"{value:%Y-%m}", f"{value:%Y}"} for value in values}
    return Kind(domain, values, tk.Hierarchy.dates(domain, ("month", "year")), above)


KINDS = st.one_of(labels(), wholes(), decimals(), moments(), st.just(Kind(tk.Categories([False, True]), [False, True])))
STEPS = [(), (tk.prepare.Mask(NAME, show=2),), (tk.prepare.Pseudonymize(NAME, key=f"env:{KEY}"),)]


@st.composite
def people(draw: st.DrawFn) -> People:
    """Draw a table of 6 to 30 people."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, skew, off = draw(st.integers(6, 30)), draw(st.sampled_from([1.0, 2.5])), draw(st.booleans())
    attributes, cells, true, above = [], {}, {}, {}
    for place, kind in enumerate(draw(st.lists(KINDS, min_size=1, max_size=4))):
        name, missing = f"c{place}", draw(st.booleans())
        role = draw(st.sampled_from(ROLES)) if place else "quasi_identifier"
        attributes.append(tk.Attribute(name, role, kind.domain, kind.hierarchy, missing=missing))
        codes = (len(kind.values) * rng.random(rows) ** skew).astype(int)
        gone = rng.random(rows) < (0.15 if missing else 0)
        true[name] = [None if none else kind.values[code] for code, none in zip(codes, gone, strict=True)]
        given = true[name]
        if off and isinstance(kind.domain, tk.Numbers) and kind.domain.step is not None and not kind.domain.whole:
            moved = rng.choice([0.0, 0.25], rows) * kind.domain.step
            given = [
                v if v is None or v == kind.values[-1] else v + float(d) for v, d in zip(given, moved, strict=True)
            ]
        cells[name] = pa.array(given)
        if kind.above is not None:
            above[name] = kind.above
    attributes += [tk.Attribute(SERIAL, "insensitive"), tk.Attribute(NAME, "identifier", missing=True)]
    cells[SERIAL] = pa.array(rng.permutation(rows) + 100)
    names = [f"person {number:02d}" for number in rng.integers(0, 20, rows)]
    cells[NAME] = pa.array([None if rng.random() < 0.1 else name for name in names])
    return People(pa.table(cells), tk.Schema(tuple(attributes)), draw(st.sampled_from(STEPS)), true, above)
