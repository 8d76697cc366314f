"""The scheme of an earlier release, for new rows."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from tokumei.arrays import Labels
from tokumei.errors import InvalidParameter
from tokumei.partition.partition import Partition, Problem
from tokumei.partition.published_scheme import PublishedScheme
from tokumei.release.artifact import Release
from tokumei.release.files import read_release
from tokumei.values import value


@value
class Published(Partition):
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

    def group(self, problem: Problem) -> Labels:
        """Refuse: labels that are given leave no groups to be made."""
        raise InvalidParameter(
            "Published gives rows the labels of an earlier release and forms no groups, so it is only for "
            "Generalization; use another partition."
        )

    def scheme(self) -> PublishedScheme:
        """Read what the release did to values."""
        given = self.release
        return PublishedScheme.of(given if isinstance(given, Release) else read_release(given, frame="pyarrow"))
