"""Rows in small classes of a Spark frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.anonymizers.anonymizer import SmallClasses
from tokumei.engines.spark.drawing import Drawing, drawn_frame, released_types
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.problems import in_one_sentence
from tokumei.engines.spark.release import CLASS_ROWS, quoted
from tokumei.messages import phrase
from tokumei.progress import stage
from tokumei.randomness import TaskKey


@dataclass(frozen=True)
class LargeClasses:
    """The classes that stay: a Spark frame of their cells, under the names ``keys``."""

    columns: tuple[str, ...]
    keys: tuple[str, ...]
    frame: Any

    def rows_of(self, rows: Any) -> Any:
        """Return the rows of a Spark frame that are in these classes."""
        from pyspark.sql import functions as F  # noqa: N812

        pairs = zip(self.columns, self.keys, strict=True)
        alike = [F.col(quoted(name)).eqNullSafe(F.col(key)) for name, key in pairs]
        return rows.join(self.frame, alike, "left_semi")


def small_classes(look: Look, key: TaskKey, columns: Sequence[str], k: int) -> SmallClasses:
    """Count the rows that agree in all columns with fewer than k, themselves included, as they would be released."""
    from pyspark.sql import functions as F  # noqa: N812

    schema = look.empty.schema
    types = released_types(look, schema, columns, ())
    drawing = Drawing(look.reader, look.parts, schema, tuple(columns), {}, None, None, key)
    rows = drawn_frame(look.frame, drawing, types)
    keys = tuple(f"tokumei key {place}" for place in range(len(columns)))
    cells = [F.col(quoted(name)).alias(key) for name, key in zip(columns, keys, strict=True)]
    large = rows.select(*cells).groupBy(*keys).agg(F.count("*").alias(CLASS_ROWS)).where(F.col(CLASS_ROWS) >= k)
    with stage("Counting classes"), in_one_sentence(phrase("counting classes")):
        counted = large.agg(F.sum(CLASS_ROWS), F.min(CLASS_ROWS)).collect()[0]
    kept, smallest = int(counted[0] or 0), int(counted[1] or 0)
    left_out = LargeClasses(tuple(columns), keys, large) if kept < look.rows else None
    return SmallClasses(look.rows - kept, smallest, left_out)
