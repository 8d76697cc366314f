"""Data swapping: rows of groups of at least k exchange their values, column by column."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StrictInt, StrictStr

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Survey, register_method, table_of
from tokumei.anonymizers.class_promises import check_class_size, quasi_identifiers
from tokumei.anonymizers.notes import SwappedGroups
from tokumei.arrays import Labels
from tokumei.errors import InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.swapping import SwappedColumns
from tokumei.partition.microaggregation import POINT_PARTITIONS, LocalSearch
from tokumei.partition.microaggregation.coordinates import coordinates
from tokumei.partition.microaggregation.points import PointPartition, Points
from tokumei.partition.partition import PARTITIONS, Partition
from tokumei.partition.rows import problem_of
from tokumei.privacy.asked import Asked
from tokumei.privacy.assumptions import swapping_assumptions
from tokumei.privacy.attackers import CellLinking, KnowsAllButOne, Linking, swapping_attacker
from tokumei.privacy.guarantee import Guarantee
from tokumei.registry import Kinds
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import SwappedWithin
from tokumei.table.coded import CodedTable
from tokumei.table.people import one_row_each
from tokumei.table.schema import Schema
from tokumei.text import names, nearest
from tokumei.values import described, value

# Every partition of rows or of points.
EVERY_GROUPING: Kinds[Any] = Kinds(PARTITIONS, POINT_PARTITIONS)
AnyGrouping = Annotated[Partition | PointPartition, EVERY_GROUPING]


@register_method
@value
class Swapping(Anonymizer):
    """Put similar rows into groups of at least k, and exchange their values within each group, column by column, at random.

    Every released value is a true value of someone in the group, so each column by itself, and each group's part of it, is released exactly. How
    columns go together is kept between groups and lost within them.

    Let a group have m rows. The values of each swapped column are put into an order that is uniform on all m! and independent of everything else.
    Whatever is known about the swapped columns and the groups, all m people are equally likely to have the other columns of a released row: 1/m <= 1/k.

    Parameters
    ----------
    k
        The smallest group.
    partition
        How rows are grouped, by their quasi-identifiers alone: any partition of `Microaggregation`, such as `LocalSearch` or `MDAV`, or any that groups rows, such as
        `Mondrian`.
    columns
        The columns to swap: all quasi-identifiers, which must be among them, if not given. A sensitive column can be swapped too; then its link with
        all other columns is lost within groups.

    Examples
    --------
    >>> Swapping(k=5)
    Swapping(k=5, partition=LocalSearch(thorough=False), columns=None)
    """

    k: StrictInt
    partition: AnyGrouping = LocalSearch()
    columns: tuple[StrictStr, ...] | None = None
    method: Literal["swapping"] = field(default="swapping", kw_only=True, repr=False)
    on_frontier: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_class_size(self.k)

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Group the rows by their quasi-identifiers, and say which columns are to be swapped."""
        one_row_each(survey.people, "Swapping")
        known = quasi_identifiers(schema, survey.rows, self.k)
        swapped = self._swapped(schema, known)
        labels = self._groups(table_of(survey), known)
        sizes = np.bincount(labels)
        kept = tuple(name for name in schema.names() if name not in swapped)
        attacker = swapping_attacker(swapped, kept, known)
        promise = CellLinking() if isinstance(attacker, KnowsAllButOne) else Linking()
        assumes = swapping_assumptions(swapped=swapped, kept=kept, known=known, least=self.k)
        note = SwappedGroups(
            partition=type(self.partition).__name__, groups=len(sizes), fewest=int(sizes.min()), most=int(sizes.max())
        )
        return Design(
            Mechanism({}, kept, swapping=SwappedColumns(swapped, self.k)),
            (Guarantee("probabilistic k-anonymity", float(self.k), promise, attacker, assumes),),
            (Fact("groups", None, SwappedWithin()),),
            notes=(note,),
            groups=labels.astype(np.int64),
        )

    def _swapped(self, schema: Schema, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns to swap, in the order of the table."""
        wanted = known if self.columns is None else self.columns
        for name in wanted:
            if name not in schema.names():
                raise InvalidParameter(
                    "columns names {name!r}, which is not a column of the table.{hint}",
                    name=name,
                    hint=nearest(name, schema.names()),
                )
        lacking = [name for name in known if name not in wanted]
        if lacking:
            raise InvalidParameter(
                "an attacker may know {lacking}, so every quasi-identifier must be swapped; name it in columns too.",
                lacking=names(lacking),
            )
        return tuple(name for name in schema.names() if name in wanted)

    def _groups(self, table: CodedTable, known: tuple[str, ...]) -> Labels:
        """Put every row into a group of at least k, by its quasi-identifiers alone."""
        if isinstance(self.partition, PointPartition):
            labels = self.partition.grouped(Points(coordinates(table, known), self.k)).labels
        else:
            labels = self.partition.group(problem_of(table, known, self.k))
        alone = int(np.count_nonzero(labels < 0))
        if alone:
            raise InvalidParameter(
                "{partition} puts {alone:row|rows} into no group, and rows that swap with nobody are not protected; take another partition.",
                partition=type(self.partition).__name__,
                alone=alone,
            )
        if int(np.bincount(labels).min()) < self.k:
            raise InvalidParameter(
                "{partition} makes groups of fewer than {k} rows; take another partition.",
                partition=type(self.partition).__name__,
                k=self.k,
            )
        return labels

    def asked(self) -> tuple[Asked, ...]:
        """Return k."""
        return (Asked("probabilistic k-anonymity", self.k),)

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        return {
            "method": self.method,
            "k": self.k,
            "partition": described(self.partition),
            "columns": None if self.columns is None else list(self.columns),
        }
