"""How many rows a regression would need with a given noise: its own equations, tried on people drawn from public numbers.

People are drawn from every noisy column by itself, as the release tells how it goes, and from the columns released unchanged together, as they stand in its rows. So noisy
columns go together with nothing. The regression of these people is known; noise is put on them, and what it adds to the equations of the regression is
seen. Variances of means fall with the number of rows, which says how many are needed until

* the matrix that is solved is known to be definite, by `MARGIN` standard errors more than the regression asks for: noise also picks the direction that is looked at, and
* the release tells as much about each coefficient as `WORTH` rows without noise.

Rows that count for different numbers of people tell less: with weights w of mean one, as much as 1 / mean(w²) as many that count alike (Kish 1965).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.learning import glm
from tokumei.learning.asked import Asked
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.telling import Cluster
from tokumei.randomness import generator
from tokumei.reconstruction import _told_regression as told_rows
from tokumei.reconstruction._corrected import FINE, Features, Regressors, Term, noisy_term
from tokumei.reconstruction._em import maximise
from tokumei.reconstruction._logistic_loss import LogisticLoss
from tokumei.reconstruction._minimum import CLEAR, CorrectedLoss
from tokumei.reconstruction._poisson_loss import PoissonLoss
from tokumei.reconstruction._told_columns import seen_of
from tokumei.reconstruction._views import view
from tokumei.reconstruction.corrected_linear import equations
from tokumei.release.artifact import Release
from tokumei.table.schema import Attribute

DRAWN = 20_000
MARGIN = {"linear": 4.0, "logistic": 6.0, "poisson": 6.0}
WORTH = 25.0
MOVED = 0.2
EVEN = 0.02
STEPS = 500
FEW = 20  # people drawn on average who tell what a regression needs, below which they do not show what noise adds to it


class People:
    """People drawn from what a release tells of single columns, to try a regression on.

    Parameters
    ----------
    asked
        The regression, of a release whose noisy columns have a channel each, or whose rows tell some columns each.
    """

    def __init__(self, asked: Asked) -> None:
        self.asked, release = asked, asked.release
        rng, kept = generator(0), release.mechanism.kept
        weights = asked.shares
        if asked.target.name in kept:
            weights = weights * ~np.isnan(asked.answers[release.coded.codes(asked.target.name)])
        rows = rng.choice(release.rows, DRAWN, p=weights / weights.sum())
        self._codes: dict[str, Integers] = {}
        self._pmf: dict[str, Floats] = {}
        for each in (asked.target, *asked.columns):
            if each.name in kept:
                self._codes[each.name] = release.coded.codes(each.name)[rows].astype(np.int64)
            else:
                pmf = self._pmf[each.name] = _goes(release, each, asked.shares)
                self._codes[each.name] = rng.choice(len(pmf), DRAWN, p=pmf)
        described = [
            (each, Features.of(each, np.bincount(self._codes[each.name], minlength=each.states).astype(np.float64)))
            for each in asked.columns
        ]
        self._columns = [(each, own) for each, own in described if own.size]
        blocks = [own.table[self._codes[each.name]] for each, own in self._columns]
        design = np.concatenate([np.ones((DRAWN, 1)), *blocks], axis=1)
        self._numbers = np.nan_to_num(asked.answers)[:, None]
        fitted = glm.fit(asked.family, design, self._numbers[self._codes[asked.target.name], 0], np.ones(DRAWN))
        self._beta, self._plain = fitted.coefficients, fitted.covariance * DRAWN
        noisy = np.concatenate([[False], *([each.name not in kept] * own.size for each, own in self._columns)])
        if asked.family != "linear":  # noise grows with what columns do; without any it would look too small
            self._beta = self._beta + MOVED * noisy / np.where(noisy, np.maximum(design.std(axis=0), 1e-9), 1.0)
        vary = glm.mean_and_slope(asked.family, design @ self._beta)[1]
        self._slope = design.T @ (design * vary[:, None]) / DRAWN
        scale = 1 / np.sqrt(np.maximum(np.diag(self._slope), 1e-300))
        sizes, directions = np.linalg.eigh(self._slope * np.outer(scale, scale))
        self._smallest, self._direction = float(sizes[0]), directions[:, 0] * scale
        self._uneven = float(np.mean(asked.shares**2))

    def rows_with(self, channels: Mapping[str, Channel]) -> float:
        """Return how many rows would do where every row tells every column, some through these channels."""
        asked, release, ones = self.asked, self.asked.release, np.ones(DRAWN)
        every = {**release.mechanism.channels, **channels}
        release = replace(release, mechanism=replace(release.mechanism, channels=every))
        rng = generator(1)
        own = Features((asked.target.name,), self._numbers, np.ones(1), np.zeros(1))
        aim = self._term(release, asked.target, own, rng)
        terms = tuple(self._term(release, each, own, rng) for each, own in self._columns)
        found = Regressors(terms, release.schema, release.originals)
        if asked.family == "linear":
            _, _, products, influence = equations(found, aim, ones)
            off, parts = float(np.var(products(self._direction) @ self._direction)), influence(self._beta)
            return self._enough(off, 1.0, parts.T @ parts / DRAWN)
        loss: CorrectedLoss
        if asked.family == "poisson":
            loss = PoissonLoss(found, aim, ones)
        else:
            loss = LogisticLoss(found, 2 * aim.corrected(aim.binned)[aim.released][:, 0] - 1, ones)
        rows = loss.waves.along(self._beta, loss.bend(self._beta), self._direction)
        off = float(loss.counts @ rows**2) - float(loss.counts @ rows) ** 2
        parts = loss.gradients(self._beta)
        parts -= loss.counts @ parts
        return self._enough(off, CLEAR, parts.T @ (parts * loss.counts[:, None]))

    def rows_telling(self, retention: Callable[[Cluster], float]) -> float:
        """Return how many rows would do where rows tell some columns each, which are kept with these probabilities."""
        asked, telling = self.asked, self.asked.release.mechanism.telling
        assert telling is not None
        target = told_rows.Column(asked.target, self._numbers)
        columns = [told_rows.Column(each, own.table) for each, own in self._columns]
        rng = generator(1)
        many = np.bincount(asked.release.coded.codes(telling.label), minlength=len(telling.clusters))
        which = rng.choice(len(many), DRAWN, p=many / many.sum())
        parts = []
        for place, cluster in enumerate(telling.clusters):
            rows = np.flatnonzero(which == place)
            if len(rows):
                parts.append(self._part(cluster, rows, [target, *columns], retention(cluster), rng))
        ones, beta = np.ones(DRAWN), self._beta
        if asked.family == "linear":
            made = told_rows.Moments(parts, target, columns, ones)
            off = made.covariance(lambda part: (made.products(part, self._direction) @ self._direction)[:, None])
            spread = made.covariance(lambda part: made.answers(part) - made.products(part, beta))
            return self._enough(float(off[0, 0]) * DRAWN, 1.0, spread * DRAWN)
        means = partial(glm.mean_and_slope, asked.family)
        names = [asked.target.name, *(each.name for each, _ in self._columns)]
        tables = [told_rows.Table.of(part, names, ones[part.rows]) for part in parts if part.tells(*names)]
        shares = np.array([each.power for each in tables]) / sum(each.power for each in tables)
        of = list(zip(shares, tables, strict=True))
        along = sum(w**2 * each.spread_along(beta, means, self._direction) for w, each in of)
        return self._enough(
            float(along) * DRAWN, told_rows.CLEAR, DRAWN * sum(w**2 * t.covariance(beta, means) for w, t in of)
        )

    def _enough(self, off: float, clear: float, middle: Floats) -> float:
        """Return how many rows make the matrix definite and the coefficients tell, from variances per row of the release."""
        if self._smallest < 1e-9 or not np.isfinite(off):
            return np.inf
        inverse = np.linalg.inv(self._slope)
        definite = ((clear + MARGIN[self.asked.family]) / self._smallest) ** 2 * max(off, 0.0)
        told = WORTH * np.max(np.diag(inverse @ middle @ inverse.T) / np.maximum(np.diag(self._plain), 1e-300))
        return float(max(definite, told)) * self._uneven

    def _term(self, release: Release, each: Attribute, own: Features, rng: np.random.Generator) -> Term:
        """Return a column of these people through the channel that the release has for it."""
        codes = self._codes[each.name]
        if each.name in release.mechanism.kept:
            pmf = np.bincount(codes, minlength=each.states) / DRAWN
            return Term(each, own.names, own.table, own.scale, own.shift, own.table, pmf, None, codes)
        seen = view(release, each, FINE, FINE)
        bins, u = seen.true_bin[codes], rng.random(DRAWN)
        released = np.empty(DRAWN, dtype=np.int64)
        for at, chances in enumerate(seen.conditional.matrix().T):
            released[bins == at] = np.searchsorted(np.cumsum(chances)[:-1], u[bins == at], side="right")
        pmf = np.bincount(seen.true_bin, weights=self._pmf[each.name]).astype(np.float64)
        return noisy_term(each, own, seen, pmf, released, np.ones(DRAWN))

    def _part(
        self,
        cluster: Cluster,
        rows: Integers,
        columns: list[told_rows.Column],
        retention: float,
        rng: np.random.Generator,
    ) -> told_rows.Part:
        """Return what these people's rows tell: all of their cells, or with the rest of the probability others."""
        telling = self.asked.release.mechanism.telling
        assert telling is not None
        kept_cells, cells, kept = rng.random(len(rows)) < retention, {}, {}
        for column in columns:
            name = column.attribute.name
            codes = self._codes[name][rows]
            if name in cluster.columns:
                told = telling.columns[name].shown[cluster.grids[cluster.columns.index(name)]]
                table = told_rows.by_cell(column.features, told.cell_of)
                cell = np.where(kept_cells, told.cell_of[codes], rng.integers(0, len(table), len(rows)))
                cells[name] = (table, cell)
            elif name not in telling.columns:
                kept[name] = column.features[codes]
        return told_rows.Part(rows, retention, cells, kept)


def hardly_told(asked: Asked) -> bool:
    """Whether so few rows tell together what a regression needs that people who are drawn would not show what noise adds to it."""
    if asked.release.mechanism.telling is None:
        return False
    few = told_rows.fewest(asked.release, asked.names, "pairs" if asked.family == "linear" else "all")
    return few * DRAWN < FEW * asked.release.rows


def _goes(release: Release, column: Attribute, shares: Floats) -> Floats:
    """Return the likeliest distribution of a noisy column over its codes, and a little of every code: noise may leave no more than one standing."""
    seen = seen_of(release, column, FINE)
    counts = np.bincount(
        seen.shown, weights=shares if seen.rows is None else shares[seen.rows], minlength=seen.conditional.outputs
    )
    start, channel = np.ones(seen.conditional.size), seen.conditional
    found = maximise(counts, channel.forward, channel.backward, start, 0.1, STEPS).estimate
    made: Floats = (found / np.bincount(seen.true_bin))[seen.true_bin]
    return (1 - EVEN) * made / made.sum() + EVEN / len(made)
