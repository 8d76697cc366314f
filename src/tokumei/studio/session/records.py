"""Single records and their risk. It is the one place of the session that shows rows; what it returns stays on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa

from tokumei.arrays import Integers
from tokumei.engines.local import Made
from tokumei.errors import InvalidParameter
from tokumei.results import Result
from tokumei.risk.assess import class_sizes
from tokumei.risk.assessment import Assessment
from tokumei.risk.reading import read
from tokumei.studio.session.risk_after import NOTHING, PROVED, Basis, counted_in_classes
from tokumei.utility.compare import linking_k

Order = Literal["risk", "row"]
LARGEST_PAGE = 100


@dataclass(frozen=True, repr=False)
class Record(Result):
    """One row of the table, as text. It is somebody's: it is never printed, logged or written.

    Attributes
    ----------
    row
        Which row of the table it is, the first being 0.
    cells
        What it holds; ``None`` is a missing cell. Identifiers are left out.
    class_size
        How many rows have the same quasi-identifiers, itself included: those who know them see this many rows.
    risk
        One over that: the probability of a right link, were the table released unchanged.
    score
        How much few columns single the row out; zero where it is not unique.
    after
        The probability of a right link once it is released: counted in its equivalence class of the release, or the limit that is
        proved for every row. One where nothing is promised, zero where the row was left out, and ``None`` without a release.
    released
        The row that it became, as text, without the cells that it does not tell; nothing where no release has been made, or it
        was left out of it.
    """

    row: int
    cells: dict[str, str | None]
    class_size: int
    risk: float
    score: float
    after: float | None
    released: dict[str, str | None] | None


@dataclass(frozen=True, repr=False)
class RecordPage:
    """Some records: those of one page. It shows rows of the table, and stays with the data holder.

    ``basis`` says where their risk after release comes from; nothing without a release.
    """

    records: tuple[Record, ...]
    page: int
    pages: int
    rows: int
    basis: Basis | None = None


def page_of(
    table: pa.Table,
    shown: tuple[str, ...],
    before: Assessment,
    made: Made | None,
    page: int,
    order: Order,
    size: int,
) -> RecordPage:
    """Return one page of records, those at most risk first or in the order of the table."""
    if order not in get_args(Order):
        raise InvalidParameter("order must be 'risk' or 'row'. Got {order!r}.", order=order)
    if not 1 <= size <= LARGEST_PAGE:
        raise InvalidParameter(
            "a page has 1 to {largest_page} records. Got {size}.", largest_page=LARGEST_PAGE, size=size
        )
    risks = before.records
    pages = -(-before.rows // size)
    if not 0 <= page < pages:
        raise InvalidParameter("page must be from 0 to {last}. Got {page}.", last=pages - 1, page=page)
    by = np.lexsort((-risks.score, risks.class_size)) if order == "risk" else np.arange(before.rows)
    picked = by[page * size : (page + 1) * size]
    cells = _texts(table.select(list(shown)), picked)
    became = _became(made, picked)
    after, basis = _after(made, picked)
    return RecordPage(
        tuple(
            Record(
                int(row),
                cells[place],
                int(risks.class_size[row]),
                float(risks.prosecutor[row]),
                float(risks.score[row]),
                after[place],
                became[place],
            )
            for place, row in enumerate(picked)
        ),
        page,
        pages,
        before.rows,
        basis,
    )


def _places(made: Made, picked: Integers) -> Integers:
    """Return where rows of the original are in the release, -1 where they were left out."""
    place = np.full(made.table.rows, -1, dtype=np.int64)
    place[made.order] = np.arange(len(made.order))
    return np.asarray(place[picked])


def _after(made: Made | None, picked: Integers) -> tuple[list[float | None], Basis | None]:
    """Return with what probability each of some rows is linked once it is released, and where that is known from."""
    if made is None:
        return [None] * len(picked), None
    release, there = made.release, _places(made, picked)
    if counted_in_classes(release):
        known = [each for each in release.schema.names("quasi_identifier") if each in release.table.column_names]
        each = 1 / class_sizes(read(release.table, known), "own_value")
        return [float(each[at]) if at >= 0 else 0.0 for at in there], "counted"
    k = linking_k(release)
    highest, basis = (1.0, NOTHING) if k is None else (1 / k, PROVED)
    return [highest if at >= 0 else 0.0 for at in there], basis


def _became(made: Made | None, picked: Integers) -> list[dict[str, str | None] | None]:
    if made is None:
        return [None] * len(picked)
    there = _places(made, picked)
    rows = there[there >= 0]
    tells = {name: made.release.tells(name)[rows] for name in made.release.schema.names()}
    told = [
        {name: cell for name, cell in row.items() if tells[name][at]}
        for at, row in enumerate(_texts(made.release.table, rows))
    ]
    texts = iter(told)
    return [next(texts) if at >= 0 else None for at in there]


def _texts(table: pa.Table, rows: Integers) -> list[dict[str, str | None]]:
    found: list[dict[str, Any]] = table.take(pa.array(rows)).to_pylist()
    return [{name: None if cell is None else str(cell) for name, cell in row.items()} for row in found]
