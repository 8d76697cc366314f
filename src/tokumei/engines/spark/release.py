"""A release whose rows are in Spark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from tokumei.engines.spark.problems import in_one_sentence
from tokumei.errors import OutputError
from tokumei.files import atomic_folder
from tokumei.messages import phrase
from tokumei.progress import stage
from tokumei.release import files
from tokumei.release.artifact import GROUP, Format, Pieces, Release
from tokumei.release.formulas import Formulas
from tokumei.table.canonical import canonical
from tokumei.table.coded import numbered
from tokumei.table.distinct import DistinctRows
from tokumei.working_folder import PARTS

CLASS_ROWS = "tokumei rows"


@dataclass(frozen=True, repr=False)
class SparkRows:
    """Released rows in a Spark frame, which is computed when it is used and always comes out the same.

    ``kinds`` are the names and Arrow types of its columns, ``kept`` what Spark keeps on its disks for it.
    """

    frame: Any
    kinds: Mapping[str, Any]
    rows: int
    kept: tuple[Any, ...] = ()

    @property
    def types(self) -> Any:
        """The names and types of the columns, as an Arrow schema."""
        return pa.schema(self.kinds.items())

    @property
    def group(self) -> int:
        """How many rows make a row group of a file."""
        return GROUP

    def __iter__(self) -> Iterator[pa.Table]:
        """Bring the rows into memory, in one piece."""
        with stage("Collecting the rows"), in_one_sentence(phrase("collecting the rows")):
            found = self.frame.toArrow()
        yield found.select(list(self.kinds)).cast(self.types)


@dataclass(frozen=True)
class WrittenRows:
    """Released rows in the Parquet files that the machines of a cluster have written into a folder."""

    folder: Path
    types: Any
    rows: int
    group: int = GROUP

    def __iter__(self) -> Iterator[pa.Table]:
        """Read the files one after the other, and put small pieces together."""
        held: list[pa.Table] = []
        seen = 0
        for file in sorted(self.folder.glob("part-*.parquet")):
            with pyarrow.parquet.ParquetFile(file) as opened:
                for batch in opened.iter_batches(GROUP):
                    held.append(pa.Table.from_batches([batch]).select(self.types.names).cast(self.types))
                    seen += batch.num_rows
                    if sum(each.num_rows for each in held) >= GROUP:
                        yield pa.concat_tables(held)
                        held = []
        if held:
            yield pa.concat_tables(held)
        if seen != self.rows:
            raise OutputError(
                "{seen:,} of {rows:,} rows are visible here; write to a folder that this machine and the "
                "cluster share. Nothing was left behind.",
                seen=seen,
                rows=self.rows,
            )


@dataclass(frozen=True, repr=False)
class SparkRelease(Release):
    """Released rows in a Spark frame, with the schema, mechanism and guarantees that belong to them.

    ``frame`` is a Spark frame. It is computed when it is used, and every time the same rows come out, since draws follow from
    the key and the numbers of rows. `write` makes a release folder that `read_release` reads like any other, `collected`
    brings the rows into memory, as ``table`` does, and `close` gives back what Spark keeps on its disks for it.
    """

    @property
    def spark(self) -> SparkRows:
        """The rows in Spark."""
        assert isinstance(self.held, SparkRows)
        return self.held

    @property
    def frame(self) -> Any:
        """The released rows as a Spark frame."""
        return self.spark.frame

    def collected(self) -> Release:
        """Return the release with its rows in memory."""
        return self._holding(self.table)

    def _holding(self, held: pa.Table | Pieces) -> Release:
        own = {part.name: getattr(self, part.name) for part in fields(Release)}
        return Release(**{**own, "held": held})

    def counted(self, *columns: str) -> pa.Table:
        """Count the released rows by their cells in some columns: one row for each kind, with its ``count``."""
        with stage("Counting the rows"), in_one_sentence(phrase("counting the rows")):
            found = class_counts(self.frame, columns).toArrow()
        return found.rename_columns([*columns, "count"])

    def distinct(self, columns: Sequence[str]) -> DistinctRows:
        """Count the different rows in some columns, on the cluster."""
        if not columns:
            return DistinctRows({}, np.array([self.rows], dtype=np.int64))
        found = self.counted(*columns).rename_columns([*map(str, range(len(columns))), "count"])
        codes = {name: numbered(canonical(found.column(place))) for place, name in enumerate(columns)}
        return DistinctRows(codes, found.column("count").combine_chunks().to_numpy().astype(np.int64))

    def write(
        self,
        path: str | Path,
        format: Format = "parquet",
        *,
        overwrite: bool = False,
        allow_seeded: bool = False,
        formulas: Formulas = "keep",
    ) -> Path:
        """Write the release as a folder with the rows in one file and ``manifest.json``: whole, or not at all.

        The machines of the cluster write their parts beside the folder, so they must see the same file system as this one.
        Guarantees about classes are counted once more on what they wrote.
        """
        files.check_form(format, formulas)
        if re.match(r"^\w[\w+.-]+://", str(path)):
            raise OutputError(
                "A release folder is written to a file system that this machine and the cluster share, so give a "
                "path, not a URL; or write release.frame with Spark."
            )
        self._check_seed(allow_seeded)
        target = Path(path).absolute()
        with atomic_folder(target, overwrite=overwrite) as folder:
            parts = folder.parent / PARTS
            with stage("Drawing and writing parts"), in_one_sentence(phrase("writing the rows")):
                self.frame.write.parquet(parts.as_uri())
                self._recount(parts)
            files.write(self._holding(WrittenRows(parts, self.types, self.rows)), folder, format, formulas)
        return Path(path)

    def _recount(self, parts: Path) -> None:
        """Count the guarantees about classes on the rows that were written."""
        stated = [each.value for each in self.guarantees if each.of_classes]
        if stated:
            rows = self.frame.sparkSession.read.schema(self.frame.schema).parquet(parts.as_uri())
            found = smallest_class(rows, self.schema.names("quasi_identifier"))
            if found < max(stated):
                raise OutputError("The written rows do not satisfy the guarantee; nothing was left behind.")

    def close(self) -> None:
        """Let Spark forget what it keeps for this release; its frame is then computed anew."""
        for each in self.spark.kept:
            each.unpersist()


def smallest_class(frame: Any, columns: Sequence[str]) -> int:
    """Count the rows of the smallest class of a Spark frame; a missing cell is a value."""
    from pyspark.sql import functions as F  # noqa: N812

    return int(class_counts(frame, columns).agg(F.min(CLASS_ROWS)).collect()[0][0] or 0)


def class_counts(frame: Any, columns: Sequence[str]) -> Any:
    """Return a Spark frame of the classes of some columns, with the rows of each."""
    from pyspark.sql import functions as F  # noqa: N812

    return frame.groupBy(*[quoted(name) for name in columns]).agg(F.count("*").alias(CLASS_ROWS))


def quoted(name: str) -> str:
    """Write the name of a column such that Spark reads nothing into it."""
    return "`" + name.replace("`", "``") + "`"
