"""The rows that are weighed: distinct ones, with how likely each released row is to come from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.likelihood import distinct, seen
from tokumei.progress import stage
from tokumei.reconstruction._bumps import Features
from tokumei.reconstruction._columns import check_count
from tokumei.reconstruction._em import normalised
from tokumei.reconstruction._views import marginal
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of
from tokumei.table.domain import Categories
from tokumei.table.frames import from_arrow
from tokumei.table.schema import Attribute, Schema

FINE = 256  # points at which a column of numbers is looked at
KEPT = 50  # a kept column with more values is matched by bins of equal count
KEPT_BINS = 10
CLASS = 200


@dataclass(frozen=True)
class Added:
    """Features that a linear model adds up, column after column."""

    values: Floats
    spans: tuple[slice, ...]  # which features a column has

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, which: Any) -> Added:
        return replace(self, values=self.values[which])


Design = Added | Features | None  # what a model knows of rows


@dataclass(frozen=True)
class Problem:
    """Distinct released and supporting rows in bins, with their counts, and P column by column."""

    matrices: tuple[Floats, ...]
    released: Integers
    counts: Floats
    which: Integers  # of each released row among the distinct ones
    true: Integers
    base: Floats  # the share of the support that a distinct supporting row stands for
    place: Integers  # of each supporting row among the distinct ones
    shares: Floats  # of each released row, and of each supporting one
    design: Design
    together: bool  # whether the support is the released rows

    @classmethod
    def of(
        cls,
        release: Release,
        schema: Schema,
        codes: dict[str, Integers],
        true: dict[str, Integers],
        shares: Floats,
        design: Design,
    ) -> Problem:
        """Look at every column, and count equal rows once."""
        views = []
        for attribute in schema:
            mine, theirs = true[attribute.name], codes[attribute.name]
            if attribute.name in release.mechanism.kept:
                mine, theirs = _matched(attribute, mine, theirs)
                occur, both = np.unique(np.concatenate([mine, theirs]), return_inverse=True)
                check_count(attribute.name, len(occur))
                views.append((np.eye(len(occur)), both[: len(mine)], both[len(mine) :]))
                continue
            view = seen(release.mechanism.conditional(attribute), mine, theirs, FINE)
            views.append((view.matrix, view.true, view.released))
        together = true is codes
        released, which, _ = distinct([each[2] for each in views], release.rows)
        counts: Floats = np.bincount(which, weights=shares).astype(np.float64)
        places = [each[1] for each in views]
        support, place, _ = distinct(places, len(places[0]))
        base = np.bincount(place, weights=shares)
        first = np.full(len(support), len(place), dtype=np.int64)
        np.minimum.at(first, place, np.arange(len(place)))
        return cls(
            tuple(each[0] for each in views),
            released,
            counts,
            which,
            support,
            base / base.sum(),
            place,
            shares,
            None if design is None else design[first],
            together,
        )

    def split(self, rng: np.random.Generator, most: int) -> tuple[Problem, Problem]:
        """Take some rows, and hold a fifth of them back: rows, not distinct ones, of which a table of labels has few."""
        picked = rng.permutation(len(self.which))[:most]
        held, kept = picked[: len(picked) // 5], picked[len(picked) // 5 :]
        if len(held) < 1:
            raise InvalidParameter("There are too few released rows to hold some out for choosing the width; give it.")
        mine = kept if self.together else np.sort(rng.permutation(len(self.place))[:most])
        base = np.bincount(self.place[mine], weights=self.shares[mine], minlength=len(self.true))
        there = np.flatnonzero(base)
        train = replace(
            self._counting(kept),
            true=self.true[there],
            base=normalised(base[there]),
            design=None if self.design is None else self.design[there],
        )
        back = self._counting(held)
        return train, replace(train, released=back.released, counts=back.counts)

    def _counting(self, rows: Integers) -> Problem:
        """Count some of the released rows only."""
        counts: Floats = np.bincount(self.which[rows], weights=self.shares[rows], minlength=len(self.released)).astype(
            np.float64
        )
        there = np.flatnonzero(counts)
        return replace(self, released=self.released[there], counts=counts[there])


def _matched(attribute: Attribute, mine: Integers, theirs: Integers) -> tuple[Integers, Integers]:
    """Put a kept column with many values into bins of equal count: rows must agree, but not to the last digit."""
    if attribute.states <= KEPT or (isinstance(attribute.domain, Categories) and not attribute.domain.ordered):
        return mine, theirs
    assert attribute.domain is not None
    size = attribute.domain.size
    there = theirs[theirs < size]
    edges = np.unique(np.quantile(there, np.arange(1, KEPT_BINS) / KEPT_BINS)) if len(there) else np.zeros(0)

    def binned(codes: Integers) -> Integers:
        found = np.searchsorted(edges, codes, side="right")
        return np.where(codes == size, KEPT_BINS, found)  # a missing cell agrees with missing ones only

    return binned(mine), binned(theirs)


def product_rows(
    release: Release, schema: Schema, codes: dict[str, Integers], shares: Floats, rng: np.random.Generator
) -> tuple[dict[str, Integers], Any]:
    """Draw supporting rows: kept columns as in the released rows, the others each from its reconstructed distribution.

    Where kept categories make classes of at least `CLASS` rows, the distribution is that of the class.
    """
    rows = release.rows
    kept = [a for a in schema if a.name in release.mechanism.kept]
    drawn = {a.name: codes[a.name] for a in kept}
    which = class_of([codes[a.name] for a in kept if isinstance(a.domain, Categories)], rows)
    large = np.flatnonzero(np.bincount(which) >= CLASS)
    perturbed = [a for a in schema if a.name not in drawn]
    with stage("Drawing supporting rows", total=len(perturbed)) as shown:
        for attribute in perturbed:
            pooled = marginal(release, attribute, shares)
            drawn[attribute.name] = rng.choice(len(pooled), rows, p=pooled)
            for label in large if len(large) > 1 else ():
                here = np.flatnonzero(which == label)
                pmf = marginal(release, attribute, shares * (which == label), prior=pooled)
                drawn[attribute.name][here] = rng.choice(len(pmf), len(here), p=pmf)
            shown.advance(note=attribute.name)
    cells = {}
    for attribute in schema:
        assert attribute.domain is not None
        cells[attribute.name] = attribute.domain.values_of(drawn[attribute.name])
    return drawn, from_arrow(pa.table(cells), release.origin)
