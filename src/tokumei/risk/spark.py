"""The risk of a table in Spark, from the sizes of its classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.engines.spark.problems import in_one_sentence
from tokumei.engines.spark.release import CLASS_ROWS, SparkRelease, class_counts
from tokumei.engines.spark.session import is_spark, session_of
from tokumei.errors import DataError, InvalidParameter
from tokumei.messages import Spoken, phrase
from tokumei.plain_values import plain_arguments
from tokumei.progress import stage
from tokumei.risk.linking import Linking, check_threshold, three_attackers
from tokumei.risk.reading import one_or_more
from tokumei.risk.uniqueness.population import PopulationUniqueness, population_uniqueness
from tokumei.table.sizes import ClassSizes
from tokumei.text import names, nearest


@dataclass(frozen=True)
class SparkAssessment(Spoken):
    """What is known of a table's risk from the sizes of its classes alone; see `Assessment` for the attackers."""

    columns: tuple[str, ...]
    rows: int
    sizes: ClassSizes
    prosecutor: Linking
    journalist: Linking
    marketer: Linking
    uniqueness: PopulationUniqueness | None

    @property
    def k(self) -> int:
        """The fewest rows that agree with any row, itself included."""
        return self.sizes.smallest

    @property
    def unique(self) -> int:
        """How many rows are unique."""
        return self.sizes.unique

    def lines(self) -> list[str]:
        """Say what was found."""
        share = self.unique / self.rows
        lines: list[str] = [
            phrase(
                "{rows:row|rows}, seen by an attacker who knows {columns}: k = {k:,}.",
                rows=self.rows,
                columns=names(self.columns),
                k=self.k,
            ),
            phrase("{unique:row|rows} ({share:.2%}) {unique:|is|are} unique.", unique=self.unique, share=share),
            *(line for each in (self.prosecutor, self.journalist, self.marketer) for line in each.lines()),
        ]
        if self.uniqueness is not None:
            found = self.uniqueness
            lines.append(
                phrase(
                    "{people:,.0f} of {population:,} people ({share:.2%}) are unique.",
                    people=found.people,
                    population=found.population,
                    share=found.share,
                )
            )
        return lines


@stage("Measuring the risk")
@plain_arguments
def assess_spark(
    frame: Any, columns: str | Sequence[str] | None = None, *, population: int | None = None, threshold: float = 0.2
) -> SparkAssessment:
    """Measure the risk of a Spark frame as it stands, cells being compared as they are, a missing cell being a value.

    Parameters
    ----------
    frame
        A Spark frame, one row per person; or a release of generalized rows that is in Spark.
    columns
        What an attacker may know about a person. A release has them itself.
    population
        How many people the table was drawn from, to estimate how many of them are unique.
    threshold
        Rows linked with a larger probability are counted.
    """
    check_threshold(threshold)
    if isinstance(frame, SparkRelease):
        if frame.mechanism.perturbed:
            raise InvalidParameter(
                "the equivalence classes of perturbed rows say nothing about their risk; use tk.assess_release with the original."
            )
        columns = frame.schema.names("quasi_identifier") if columns is None else columns
        frame = frame.frame
    if not is_spark(frame):
        raise InvalidParameter("assess_spark needs a Spark frame, or a release in Spark; tk.assess takes other tables.")
    session_of(frame)
    known = one_or_more(columns or ())
    if not known:
        raise InvalidParameter("columns must say what an attacker may know.")
    for name in known:
        if name not in frame.columns:
            raise InvalidParameter(
                "There is no column {name!r} in the table.{hint}", name=name, hint=nearest(name, frame.columns)
            )
    with stage("Counting classes"), in_one_sentence(phrase("counting classes")):
        found = class_counts(frame, known).select(CLASS_ROWS).groupBy(CLASS_ROWS).count().toArrow()
    if not found.num_rows:
        raise DataError("The table has no rows.")
    sizes = ClassSizes.of_counts(dict(zip(found.column(0).to_pylist(), found.column(1).to_pylist(), strict=True)))
    prosecutor, journalist, marketer = three_attackers(sizes, threshold)
    return SparkAssessment(
        columns=tuple(known),
        rows=sizes.rows,
        sizes=sizes,
        prosecutor=prosecutor,
        journalist=journalist,
        marketer=marketer,
        uniqueness=None if population is None else population_uniqueness(sizes, population),
    )
