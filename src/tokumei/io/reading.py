"""Reading a table into a frame, from any kind of file that plans take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokumei.io.source import Dialect, read_to_draft, read_written, text_columns
from tokumei.progress import stage
from tokumei.table.codebook import Codebook, labelled
from tokumei.table.frames import FrameKind, frame_kind, from_arrow
from tokumei.table.schema import Schema


@stage("Reading the table")
def read_table(
    path: str | Path,
    schema: Schema | None = None,
    *,
    codebook: str | Path | Codebook | None = None,
    delimiter: str | None = None,
    missing: tuple[str, ...] | None = None,
    encoding: str = "utf-8",
    decimal: str | None = None,
    dates: str | None = None,
    frame: FrameKind = "pandas",
) -> Any:
    """Read a CSV, Parquet, Excel, SPSS, Stata or SAS file into a frame, as the commands and plans read it.

    Parameters
    ----------
    path
        The file.
    schema
        What its columns are. Columns with text labels are read as text, and get the labels of a codebook; without a schema every column does
        of which each code has a label.
    codebook
        What codes mean: a CSV file, a DDI codebook, or a `Codebook`. Files of SPSS and Stata bring their own.
    delimiter, missing, encoding, decimal, dates
        How a CSV file is written, as in a plan; without ``delimiter``, ``decimal`` and ``missing`` they are guessed where there is no schema.
    frame
        The kind of frame to return: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
    """
    file, book = Path(path), str(codebook) if isinstance(codebook, str | Path) else None
    if schema is None:
        rows, _ = read_to_draft(file, delimiter, missing, encoding, decimal, dates, book)
    else:
        rows = read_written(
            file, schema, Dialect(delimiter or ",", missing or ("",), encoding, decimal or ".", dates, book)
        )
    if isinstance(codebook, Codebook):
        rows = labelled(rows, codebook, None if schema is None else text_columns(schema))
    return from_arrow(rows, frame_kind(frame), {})
