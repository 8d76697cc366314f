"""The scheme of an earlier release, for new rows."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, WithJsonSchema

from tokumei.errors import InvalidParameter, SamePeopleWarning
from tokumei.messages import phrase
from tokumei.partition.arrangement import Arrangement, Boxed, Problem, holding
from tokumei.partition.notes import LabelledAsEarlier
from tokumei.partition.published_scheme import PublishedScheme, classes_of
from tokumei.partition.rows import problem_of
from tokumei.partition.scheme import Scheme, register_scheme
from tokumei.privacy.assumptions import LabelsOfEarlier, ThisReleaseAlone
from tokumei.release.artifact import Release
from tokumei.release.disclosure import Fact
from tokumei.release.files import read_release
from tokumei.release.reasons import LabelsFrom
from tokumei.table.coded import CodedTable
from tokumei.table.loss import mean_loss
from tokumei.values import value

TAKEN = Fact("published", None, LabelsFrom(how="earlier"))


@register_scheme
@value
class Published(Scheme):
    """Give new rows the labels that an earlier release gave to the same values, and count k again.

    Next month's table then has the same columns and labels as this month's, and what it shows does not depend on how its own rows
    lie. Classes with fewer than k of the new rows are suppressed as far as ``suppression_limit`` of `Generalization` allows;
    values that the scheme does not cover are refused.

    Parameters
    ----------
    release
        A release, or its folder: one with a level for each column (`Optimal`), or with boxes that do not overlap.

    Examples
    --------
    >>> import tokumei as tk
    >>> method = tk.Generalization(k=5, partition=tk.partitions.Published("march"), suppression_limit=0.05)
    """

    # It stays out of manifests, which name no files.
    release: Annotated[Any, Field(exclude=True), WithJsonSchema({"type": "string"})]
    kind: Literal["published"] = field(default="published", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.release, str | Path | Release) or not str(self.release):
            raise InvalidParameter("Published takes a release, or the path of its folder.")

    def arrange(self, table: CodedTable, problem: Problem, limit: int) -> Arrangement:
        """Give rows the labels that the earlier release gave to the same values, and count who shares them."""
        scheme, columns = self.scheme(), [axis.name for axis in problem.axes]
        table = scheme.told(table, columns)
        told = [each.told(table) if isinstance(each, Boxed) else each for each in problem.constraints]
        problem = problem_of(table, columns, problem.k, told)
        low, high, inside = scheme.stretches(problem)
        labels = holding(problem, classes_of(low, high, inside, problem.k), (low, high))
        outside, gone = int(np.count_nonzero(~inside)), labels < 0
        seen_twice = phrase(
            "This release has the labels of an earlier one. Anyone who has both sees two equivalence classes of a "
            "person who is in both releases, and fewer than {k} people may be in both classes. Each guarantee holds "
            "for one release alone.",
            k=problem.k,
        )
        losses = [axis.loss(low[~gone, at], high[~gone, at]) for at, axis in enumerate(problem.axes)]
        missing = int(np.count_nonzero(gone))
        lost = mean_loss(np.stack(losses, axis=1), np.ones(table.rows - missing), missing)
        return Arrangement(
            table,
            problem,
            labels,
            low,
            high,
            scheme.kind,
            lost,
            (TAKEN,),
            LabelledAsEarlier(loss=lost, suppressed=missing, rows=table.rows, outside=outside),
            named={name: scheme.named(name) for name in columns},
            chosen=LabelsOfEarlier(),
            assumes=(ThisReleaseAlone(),),
            why=phrase(" ({outside:row|rows} of them in no published box)", outside=outside) if outside else "",
            warning=(seen_twice, SamePeopleWarning),
        )

    def scheme(self) -> PublishedScheme:
        """Read what the release did to values."""
        given = self.release
        return PublishedScheme.of(given if isinstance(given, Release) else read_release(given, frame="pyarrow"))
