"""How large the classes of a table are, counted in bounded memory over files of any size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from tokumei.arrays import Integers, Unsigned64
from tokumei.engines.stream.counting import as_words, tallies
from tokumei.engines.stream.identity import FIXED, CellNumbers, absent
from tokumei.engines.stream.memory import batch_rows, bytes_of
from tokumei.engines.stream.spool import Layout
from tokumei.errors import DataError, InvalidParameter
from tokumei.io.batches import Files, Widened, files_of
from tokumei.io.source import Dialect
from tokumei.plain_values import plain_arguments
from tokumei.progress import stage
from tokumei.table.canonical import canonical
from tokumei.table.domain import family, plain
from tokumei.table.sizes import ClassSizes
from tokumei.text import names, nearest

NARROW: tuple[type[np.unsignedinteger[Any]], ...] = (np.uint8, np.uint16, np.uint32)


@stage("Counting classes")
@plain_arguments
def class_sizes(
    path: str | Path,
    columns: Sequence[str],
    memory: int | str = "1GB",
    *,
    delimiter: str = ",",
    missing: tuple[str, ...] = ("",),
    encoding: str = "utf-8",
) -> ClassSizes:
    """Count how many rows agree in all of some columns: of a file, a folder or a pattern, of any size.

    Parameters
    ----------
    path
        CSV or Parquet: a file, a folder, or a pattern such as ``parts/*.parquet``.
    columns
        What an attacker may know about a person.
    memory
        About how much memory to take. Where the different rows need more, they are counted in several passes.
    delimiter, missing, encoding
        How CSV files are written.
    """
    rows = Files(files_of(Path(path)), None, Dialect(delimiter, missing, encoding))
    if not columns:
        raise InvalidParameter("columns must name at least one column.")
    lacking = [name for name in columns if name not in rows.columns]
    if lacking:
        raise DataError(
            "The table has no column {lacking}.{hint}", lacking=names(lacking), hint=nearest(lacking[0], rows.columns)
        )
    most, coders = bytes_of(memory), [_Coder(name, rows, bytes_of(memory) // 8) for name in columns]
    while True:
        try:
            return _count(rows, coders, most)
        except Widened:
            continue


def _count(rows: Files, coders: Sequence[_Coder], memory: int) -> ClassSizes:
    layout = Layout.of({f"{coder.name}{part}": kind for coder in coders for part, kind in coder.types.items()}, 8)
    columns = [coder.name for coder in coders]
    read = 0

    def keys() -> Iterator[tuple[Unsigned64, Integers | None]]:
        nonlocal read
        read = 0
        with stage("Counting classes", rows.total) as counting:
            for batch in rows.batches(columns, batch_rows(memory, len(columns))):
                packed = np.zeros((batch.rows.num_rows, layout.width), dtype=np.uint8)
                slots = layout.slots(packed)
                wider = [coder.wider(batch.rows.column(coder.name), slots) for coder in coders]
                if any(wider):
                    raise Widened
                read += batch.rows.num_rows
                yield as_words(packed), None
                counting.advance(batch.done - counting.done)

    found: dict[int, int] = {}
    for tally in tallies(keys, layout.width // 8, 1, memory // 2):
        for size, classes in zip(*np.unique(tally.result()[1][:, 0], return_counts=True), strict=True):
            found[int(size)] = found.get(int(size), 0) + int(classes)
    if not read:
        raise DataError("The table has no rows.")
    return ClassSizes.of_counts(found)


class _Coder:
    """Turns the cells of a column into numbers as narrow as can be; where they must be wider, counting begins again."""

    def __init__(self, name: str, rows: Files, memory: int) -> None:
        self.name = name
        self._numbers = CellNumbers(name, memory)
        self._low, self._kind = _whole_numbers(name, rows)
        self._labels: int | None = None  # the narrowest type for the labels met so far, if it is a column of labels

    @property
    def types(self) -> dict[str, Any]:
        """The types of the numbers; labels and missing cells share one, others have a second for what is missing."""
        if self._labels is not None:
            return {"": NARROW[self._labels]}
        return {"": np.uint64, "\0": np.uint8} if self._kind is None else {"": self._kind}

    def wider(self, column: Any, slots: Mapping[str, Any]) -> bool:
        """Write the numbers of some cells to their slots, unless they need wider ones; return whether they do."""
        from tokumei.engines.stream._kernels import lowered

        if family(column.type) not in FIXED or pa.types.is_dictionary(column.type):
            return self._labels_wider(column, slots)
        if self._kind is not None:
            cells = plain(column).cast(pa.int64())
            if cells.null_count:
                cells = cells.fill_null(self._low - 1)
            lowered(cells.to_numpy(zero_copy_only=False), self._low - 1, slots[self.name])
        else:
            cells = canonical(column)
            slots[self.name][:] = self._numbers.of(cells)
            slots[f"{self.name}\0"][:] = absent(cells)
        return False

    def _labels_wider(self, column: Any, slots: Mapping[str, Any]) -> bool:
        from tokumei.engines.stream._kernels import looked_up

        numbers, indices = self._numbers.numbered(column)
        narrowest = next(place for place, kind in enumerate(NARROW) if self._numbers.different < np.iinfo(kind).max)
        if self._labels is None or narrowest > self._labels:
            self._labels = narrowest
            return True
        looked_up(numbers, indices, slots[self.name])
        return False


def _whole_numbers(name: str, rows: Files) -> tuple[int, Any]:
    """Return the lowest value of a column of whole numbers and a type for the others above it, if files say what they are."""
    if not rows.parquet:
        return 0, None
    low, high = [], []
    for file in rows.files:
        about = pyarrow.parquet.read_metadata(file)
        place = about.schema.to_arrow_schema().get_field_index(name)
        if not pa.types.is_integer(about.schema.to_arrow_schema().field(place).type):
            return 0, None
        for group in range(about.num_row_groups):
            told = about.row_group(group).column(place).statistics
            if told is None or not told.has_min_max:
                return 0, None
            low.append(told.min)
            high.append(told.max)
    if not low:
        return 0, None
    fitting = [kind for kind in NARROW if max(high) - min(low) < np.iinfo(kind).max]
    return min(low), fitting[0] if fitting else None
