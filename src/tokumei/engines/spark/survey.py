"""What a method may ask about a table in Spark: every answer is an exact count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Need, SmallClasses
from tokumei.anonymizers.sample import Sample, Stratified
from tokumei.engines.local import prepared_table
from tokumei.engines.needs import COUNTS
from tokumei.engines.spark.choice import Chosen
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.mondrian import CutStretches, cut_frame
from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.rows import mapped
from tokumei.engines.spark.suppression import small_classes
from tokumei.engines.survey import across_strata, told_strata
from tokumei.messages import phrase
from tokumei.partition.mondrian import Mondrian
from tokumei.privacy.sampling import HidingPlace
from tokumei.progress import stage
from tokumei.randomness import TaskKey
from tokumei.table.coded import CodedTable


@dataclass(frozen=True)
class SparkSurvey:
    """Answers of a Spark frame and of the rows drawn from it."""

    look: Look
    key: TaskKey
    chosen: Chosen | None = None
    sample: Sample | None = None
    hidden: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return self.look.rows

    @property
    def released(self) -> int:
        """How many of them were drawn."""
        return self.rows if self.chosen is None else self.chosen.size

    @property
    def planned(self) -> int:
        """The number of released rows that a guarantee is to be solved for."""
        return self.rows if self.chosen is None else self.chosen.planned

    @property
    def offers(self) -> frozenset[Need]:
        """What can be counted of rows on many machines."""
        return COUNTS

    def small_classes(self, columns: tuple[str, ...], k: int) -> SmallClasses:
        """Find the rows that agree in all columns with fewer than k, themselves included."""
        return small_classes(self.look, self.key, columns, k)

    def cut(self, columns: tuple[str, ...], k: int, cuts: Mondrian) -> CutStretches:
        """Put the rows into groups of at least k by cuts."""
        return cut_frame(self.look, self.key, columns, k, cuts)

    @property
    def table(self) -> None:
        """The rows themselves stay where they are."""
        return None

    def shared_with(self, pilot: CodedTable) -> None:
        """Say that a pilot cannot be compared with rows that are not in memory."""

    def prepared(self, frame: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
        """Check and prepare another table as this one was, or some columns of it."""
        made = prepared_table(frame, self.look.reader.schema, self.look.reader.prepare, columns)
        return made.without(*self.hidden if columns is None else ())

    def counts(self, column: str) -> tuple[int, ...]:
        """Count the values of a column."""
        return tuple(self.look.counts[column].tolist())

    def strata(self) -> tuple[tuple[str | None, int, int], ...]:
        """Count the rows, and those drawn, of each stratum whose label is released; None stands for missing cells."""
        if not self._labels_released:
            return ()
        assert isinstance(self.sample, Stratified)
        assert self.chosen is not None
        attribute = self.look.empty.schema[self.sample.column]
        return told_strata(attribute, self.counts(attribute.name), self.chosen.taken)

    def hiding_places(self, known: tuple[str, ...]) -> tuple[HidingPlace, ...]:
        """List among how many rows people hide, as `LocalSurvey.hiding_places` explains."""
        stratified = self.chosen is not None and self.chosen.column is not None
        if not known and not stratified:
            return (HidingPlace(self.rows - self.released, self.released),)
        with stage("Counting classes"), in_one_sentence(phrase("counting classes")):
            hidden = stratified and not self._labels_released
            pairs: set[Any] = self._across_strata(known) if hidden else self._in_classes(known)
        return tuple(HidingPlace(*each) for each in sorted(pairs))

    @property
    def people(self) -> None:
        """Whose row each is: a person column is refused before."""
        return None

    def _in_classes(self, known: tuple[str, ...]) -> set[tuple[int, ...]]:
        from pyspark.sql import functions as F  # noqa: N812  (as everyone calls it)

        keys, cells = self._cells(known, with_stratum=self._labels_released)
        classes = cells.groupBy(*keys).agg(F.count("*").alias("rows"), F.sum("drawn").alias("drawn"))
        found = classes.select("rows", "drawn").where("drawn > 0").distinct().toArrow().to_pylist()
        return {(each["rows"] - each["drawn"], each["drawn"]) for each in found}

    def _across_strata(self, known: tuple[str, ...]) -> set[tuple[int, int, int]]:
        """Hidden labels: exchanges across strata inside a class, and with those not drawn of one's own stratum."""
        from pyspark.sql import Window
        from pyspark.sql import functions as F  # noqa: N812

        assert self.chosen is not None
        keys, cells = self._cells(known, with_stratum=True)
        parts = cells.groupBy(*keys).agg(F.count("*").alias("rows"), F.sum("drawn").alias("drawn"))
        own = [key for key in keys if key != STRATUM]
        window = Window.partitionBy(*own) if own else Window.partitionBy(F.lit(0))
        inside = parts.withColumn("inside", F.sum("drawn").over(window))
        found = inside.select(STRATUM, "rows", "inside").where("inside > 0").distinct().toArrow()
        stratum, everyone, within = (column.to_numpy() for column in found.columns)
        assert self.chosen.taken is not None
        return across_strata(everyone, within, self.chosen.taken[stratum])

    def _cells(self, known: tuple[str, ...], *, with_stratum: bool) -> tuple[list[str], Any]:
        """Return a Spark frame of known cells as released, strata, and whether a row is drawn; and its keys."""
        reader, parts, chosen, task_key = self.look.reader, self.look.parts, self.chosen, self.key
        kinds = {f"known {place}": self.look.cell_type(name) for place, name in enumerate(known)}
        if with_stratum:
            kinds[STRATUM] = pa.int64()
        keys, kinds = list(kinds), {**kinds, "drawn": pa.int64()}
        column = None if chosen is None else chosen.column

        def cells(batches: Iterable[Any]) -> Iterator[Any]:
            with in_task():
                choosing = None if chosen is None else chosen.choosing(task_key.open())
                for _, table in parts.numbered(reader, batches):
                    made = [identity(table, name) for name in known]
                    if with_stratum:
                        assert column is not None
                        made.append(pa.array(table.codes(column).astype(np.int64)))
                    drawn = np.ones(table.rows, dtype=np.bool_) if choosing is None else choosing.drawn(table)
                    made.append(pa.array(drawn.astype(np.int64)))
                    yield from pa.table(made, names=[*keys, "drawn"]).to_batches()

        return keys, mapped(self.look.frame, cells, kinds)

    @property
    def _labels_released(self) -> bool:
        return isinstance(self.sample, Stratified) and self.sample.labels == "released"


STRATUM = "stratum"


def identity(table: CodedTable, name: str) -> Any:
    """Return what tells the cells of a column apart: the cells as they came, or codes once they were changed."""
    column = table.columns[name]
    return pa.array(table.codes(name).astype(np.int64)) if column.cells is None else column.cells
