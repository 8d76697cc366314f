"""Full-domain recoding to levels that somebody chose."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

import numpy as np
from pydantic import StrictInt

from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.partition.full_domain.nodes import Nodes
from tokumei.partition.full_domain.recoding import Found, FullDomain
from tokumei.partition.partition import Problem
from tokumei.partition.scheme import register_scheme
from tokumei.text import names, nearest
from tokumei.values import value


@register_scheme
@value
class FixedLevels(FullDomain):
    """The level of its hierarchy for each column, as somebody chose it; rows in classes that are too small are suppressed.

    Levels that were chosen without looking at the rows tell nothing about them; the release says so only of the rows
    that had to be suppressed.

    Parameters
    ----------
    levels
        The level of each quasi-identifier: 0 for the values themselves, and one above the highest level of its hierarchy
        for a star, where its highest level is not one label already.

    Examples
    --------
    >>> import tokumei as tk
    >>> method = tk.Generalization(k=5, partition=tk.partitions.FixedLevels({"age": 1, "sex": 0}), suppression_limit=0.05)
    """

    levels: dict[str, StrictInt]
    chosen_by: ClassVar[Literal["rows", "holder"]] = "holder"
    kind: Literal["fixed_levels"] = field(default="fixed_levels", kw_only=True, repr=False)

    def search(self, problem: Problem, limit: int) -> Found:
        """Join the rows at the levels, with ``limit`` rows suppressed at most."""
        known = [axis.name for axis in problem.axes]
        for name in self.levels:
            if name not in known:
                raise InvalidParameter(
                    "levels names {name!r}, which is not a quasi-identifier.{hint}",
                    name=name,
                    hint=nearest(name, known),
                )
        lacking = [name for name in known if name not in self.levels]
        if lacking:
            raise InvalidParameter("levels needs a level for {lacking} too.", lacking=names(lacking))
        for axis in problem.axes:
            if not 0 <= self.levels[axis.name] < axis.levels:
                raise InvalidParameter(
                    "the level of {column!r} must be between 0 and {highest}.",
                    column=axis.name,
                    highest=axis.levels - 1,
                )
        nodes = Nodes(problem)
        levels = np.array([self.levels[name] for name in known], dtype=np.int64)
        labels = nodes.labels(levels)
        gone = int(np.count_nonzero(labels < 0))
        if gone > limit:
            raise InfeasiblePromise(
                "At these levels, {gone:row|rows} would be suppressed, and {limit:,} may be; choose "
                "coarser levels, or allow more suppression.",
                gone=gone,
                limit=limit,
            )
        return Found(tuple(int(level) for level in levels), labels, nodes.mean_loss(levels, labels), 1)
