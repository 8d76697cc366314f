"""One perturbed column at a time: its channel, in bins where the column is long, and its reconstructed distribution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Conditional
from tokumei.mechanism.coarsening import Coarsened
from tokumei.reconstruction._em import maximise
from tokumei.reconstruction._survey import survey_weights
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

POINTS = 50  # a longer column of numbers or dates is looked at in this many bins
RELEASED_BINS = 64
LEAN = 100.0


@dataclass(frozen=True)
class View:
    """A column's conditional, with the bin of each true and of each released code."""

    conditional: Conditional
    true_bin: Integers
    released_bin: Integers


def view(release: Release, attribute: Attribute, points: int = POINTS, released_points: int = RELEASED_BINS) -> View:
    """Look at one column of a release."""
    conditional = release.mechanism.conditional(attribute)
    domain = attribute.domain
    assert domain is not None
    if isinstance(domain, Categories) or domain.size <= points:
        return View(conditional, np.arange(conditional.size), np.arange(conditional.outputs))
    true_bin = np.arange(domain.size) * points // domain.size
    released_points = min(released_points, domain.size)
    released_bin = np.arange(domain.size) * released_points // domain.size
    if attribute.missing:
        true_bin, released_bin = np.append(true_bin, points), np.append(released_bin, released_points)
    return View(Coarsened(conditional, true_bin, released_bin), true_bin, released_bin)


def shares_of(release: Release, weights: str | None = None) -> Floats:
    """Return how much each released row counts, with mean one.

    A row of a sample counts for the rows that it was drawn from, and where ``weights`` names a column of survey weights, for
    the people that each of them stands for: the two multiply.
    """
    drawn, stands = release.row_weights(), survey_weights(release, weights)
    if drawn is None and stands is None:
        return np.ones(release.rows)
    counts = (1.0 if drawn is None else drawn) * (1.0 if stands is None else stands)
    return np.asarray(counts * (release.rows / np.sum(counts)), dtype=np.float64)


def answering(release: Release, target: Attribute, weights: str | None = None) -> Floats:
    """Return how much each released row counts for a regression of a column: nothing, where its cell of that column is known to be missing.

    A cell that is released unchanged is known to be missing whatever the noise in other columns came to, so the other rows give their means
    for the people whose cell is there.
    """
    shares = shares_of(release, weights)
    if not target.missing or target.name not in release.mechanism.kept:
        return shares
    shares = shares * (release.coded.codes(target.name) != target.states - 1)
    if not np.any(shares):
        raise InvalidParameter("No row has a value of {target!r}, so nothing can be said about it.", target=target.name)
    return np.asarray(shares * (release.rows / np.sum(shares)), dtype=np.float64)


def drawn_rate(release: Release, rows: int) -> float:
    """Return which share of the original rows this many released ones are; one if no sample was drawn.

    A stratified sample with hidden labels cannot be weighted, so what is estimated from it is about the sample itself.
    """
    return 1.0 if hidden_strata(release) else rows / release.mechanism.population(rows)


def hidden_strata(release: Release) -> bool:
    """Whether the release is a stratified sample that does not say which stratum a row is of."""
    sample = release.method.get("sample")
    return isinstance(sample, Mapping) and sample.get("design") == "stratified" and not _strata(release)


def drawn_rates(release: Release) -> Floats:
    """Return for each released row the share of the original rows of its kind that were drawn."""
    weights = release.row_weights() if _strata(release) else None
    return np.full(release.rows, drawn_rate(release, release.rows)) if weights is None else 1 / weights


def _strata(release: Release) -> bool:
    grouping = release.mechanism.grouping
    return any(fact.name == "strata" for fact in release.disclosed) or (grouping is not None and grouping.sampled)


def marginal(release: Release, attribute: Attribute, shares: Floats, prior: Floats | None = None) -> Floats:
    """Return the likeliest distribution of a column over its codes; codes of one bin are equally likely.

    ``shares`` says how much each released row counts. ``prior`` is a distribution over codes to lean on where rows are
    few: it counts as `LEAN` rows.
    """
    seen = view(release, attribute)
    released = seen.released_bin[release.coded.codes(attribute.name)]
    conditional = seen.conditional
    counts = np.bincount(released, weights=shares, minlength=conditional.outputs)
    lean = None if prior is None else LEAN * (0.9 * np.bincount(seen.true_bin, weights=prior) + 0.1 / conditional.size)
    start = np.ones(conditional.size)
    found = maximise(counts, conditional.forward, conditional.backward, start, 0.1, 500, lean).estimate
    made: Floats = (found / np.bincount(seen.true_bin))[seen.true_bin]
    return made / made.sum()
