"""Inner loops of the mixture of products: arrays in, array out.

A thing seen is ``first + second``, two products of rows of the table of masses, each times a factor. The rows of the product
of thing t are ``entries[starts[t] : starts[t + 1]]``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop

LEAST = 1e-290


@loop()
def multiply(masses: Any, factors: Any, starts: Any, entries: Any, out: Any) -> None:
    """Fill in the product of each thing seen, class by class."""
    for t in range(factors.size):
        for c in range(masses.shape[1]):
            out[t, c] = factors[t]
        for e in range(starts[t], starts[t + 1]):
            for c in range(masses.shape[1]):
                out[t, c] *= masses[entries[e], c]


@loop()
def share_out(weights: Any, starts: Any, entries: Any, out: Any) -> None:
    """Add the weight of each thing seen to the rows that its product is made of."""
    for t in range(starts.size - 1):
        for e in range(starts[t], starts[t + 1]):
            for c in range(weights.shape[1]):
                out[entries[e], c] += weights[t, c]


@njit(nogil=True, cache=True)
def respond(ids: Any, seen: Any, logs: Any, shares: Any, counts: Any, out: Any, classes: Any, likelihoods: Any) -> None:
    """Add the rows to the classes that they may be of, and to what they show; fill in their log-likelihoods.

    ``seen`` are the likelihoods of things, scaled to a largest one of one; ``logs`` are the logarithms of the scales. Rows count
    ``counts`` times.
    """
    size = shares.size
    each = np.empty(size)
    for i in range(ids.shape[0]):
        log = 0.0
        for c in range(size):
            each[c] = shares[c]
        for j in range(ids.shape[1]):
            t = ids[i, j]
            if t >= 0:
                log += logs[t]
                for c in range(size):
                    each[c] *= seen[t, c]
        total = 0.0
        for c in range(size):
            total += each[c]
        total = max(total, LEAST)
        likelihoods[i] = log + np.log(total)
        weight = counts[i] / total
        if weight == 0.0:
            continue
        for c in range(size):
            each[c] *= weight
            classes[c] += each[c]
        for j in range(ids.shape[1]):
            t = ids[i, j]
            if t >= 0:
                for c in range(size):
                    out[t, c] += each[c]


@loop()
def draw(cumulated: Any, chance: Any) -> Any:
    """Return the place that a number between 0 and 1 falls on, given sums of weights."""
    low, high = 0, cumulated.size - 1
    wanted = chance * cumulated[high]
    while low < high:
        middle = (low + high) // 2
        if cumulated[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@loop()
def class_of(ids: Any, seen: Any, shares: Any, chance: Any, each: Any) -> Any:
    """Draw the class of a row."""
    for c in range(shares.size):
        each[c] = shares[c]
    for t in ids:
        if t >= 0:
            for c in range(shares.size):
                each[c] *= seen[t, c]
    for c in range(1, shares.size):
        each[c] += each[c - 1]
    return draw(each, chance)


@njit(nogil=True, cache=True)
def impute(
    ids: Any,
    seen: Any,
    kept: Any,
    shares: Any,
    first_starts: Any,
    first_entries: Any,
    second_starts: Any,
    second_entries: Any,
    column_of: Any,
    row_starts: Any,
    likelihoods: Any,
    bases: Any,
    loose: Any,
    trust: Any,
    spread: Any,
    thetas: Any,
    bounds: Any,
    chances: Any,
    out: Any,
) -> None:
    """Draw a true row for each released one: its class, whether what it shows was kept, then column by column.

    ``kept`` is the probability that a thing seen comes from its first product. Where a cell is ``loose``, what the model says of it, next to
    the ``bases`` alone, is raised to the power ``trust``, and with probability ``spread`` the ``bases`` are all that counts. ``thetas`` holds the distributions of all
    columns side by side; column j has the places from ``bounds[j]`` to ``bounds[j + 1]``.
    """
    columns = bounds.size - 1
    each = np.empty(shares.size)
    weights = np.empty(bounds[columns])
    for i in range(ids.shape[0]):
        z = class_of(ids[i], seen, shares, chances[i, 0], each)
        for b in range(weights.size):
            weights[b] = thetas[z, b]
        for j in range(ids.shape[1]):
            t = ids[i, j]
            if t < 0:
                continue
            starts, entries = second_starts, second_entries
            if chances[i, 1 + j] < kept[t, z]:
                starts, entries = first_starts, first_entries
            for e in range(starts[t], starts[t + 1]):
                entry = entries[e]
                column = column_of[entry]
                start, wide = bounds[column], bounds[column + 1] - bounds[column]
                power = trust if loose[entry] else 1.0
                if loose[entry] and chances[i, 1 + ids.shape[1] + columns + column] < spread:
                    power = 0.0
                for b in range(wide):
                    at = row_starts[entry] + b
                    weights[start + b] *= likelihoods[at]
                    if power < 1.0 and bases[at] > 0.0:
                        weights[start + b] = bases[at] * (weights[start + b] / bases[at]) ** power
        for j in range(columns):
            for b in range(bounds[j] + 1, bounds[j + 1]):
                weights[b] += weights[b - 1]
            out[i, j] = draw(weights[bounds[j] : bounds[j + 1]], chances[i, 1 + ids.shape[1] + j])


@loop()
def believe(added: Any, masses: Any, thetas: Any, base: Any, out: Any) -> Any:
    """Fill in what is believed about a value that a thing was seen of, and return how many rows have shown it."""
    count, total = 0.0, 0.0
    for x in range(base.size):
        out[x] = 0.0
    for c in range(thetas.shape[0]):
        count += added[c]
        weight = added[c] / masses[c]
        for x in range(base.size):
            out[x] += weight * thetas[c, x]
    for x in range(base.size):
        out[x] *= base[x]
        total += out[x]
    for x in range(base.size):
        out[x] /= max(total, LEAST)
    return count if total > 0.0 else 0.0


@loop()
def add_logs(count: Any, believed: Any, needed: Any, parts: Any, of_part: Any, logs: Any) -> None:
    """Add the logarithms of the chances that rows do not have the values needed, or that they lie in the same part."""
    for part in range(of_part.size):
        of_part[part] = 0.0
    for x in range(believed.size):
        if parts[x] >= 0:
            of_part[parts[x]] += believed[x]
    for x in range(believed.size):
        if needed[x]:
            logs[x] += count * np.log1p(-min(believed[x], 1.0 - 1e-9))
        elif parts[x] >= 0:
            logs[x] += count * np.log(max(of_part[parts[x]], 1e-12))


@loop()
def factor(logs: Any, scale: Any, needed: Any, parts: Any, out: Any) -> None:
    """Fill in how likely a box is given each value of one of its rows, apart from holding it."""
    whole = 1.0
    for x in range(logs.size):
        if needed[x] or parts[x] >= 0:
            out[x] = max(-np.expm1(logs[x] * scale), 1e-6)
        if needed[x]:
            whole *= out[x]
    whole = max(whole, 1e-100)
    for x in range(logs.size):
        if parts[x] < 0:
            out[x] = whole / out[x]


@njit(nogil=True, cache=True)
def tighten(
    added: Any, masses: Any, thetas: Any, base: Any, unit: Any, rows: Any, needed: Any, parts: Any, factors: Any
) -> None:
    """Fill in how likely each group's box is given each value of one of its rows, apart from holding it.

    Thing t was seen by ``added[t]`` rows of each class; ``masses[t]`` is what each class gives to it.
    """
    logs, totals = np.zeros(needed.shape), np.zeros(rows.size)
    believed, of_part = np.empty(base.shape[1]), np.empty(base.shape[1])
    for t in range(base.shape[0]):
        u = unit[t]
        if u >= 0:
            count = believe(added[t], masses[t], thetas, base[t], believed)
            totals[u] += count
            add_logs(count, believed, needed[u], parts[u], of_part, logs[u])
    for u in range(rows.size):
        if totals[u] > 0.0:
            factor(logs[u], max(rows[u] - 1.0, 0.0) / totals[u], needed[u], parts[u], factors[u])


@njit(nogil=True, cache=True)
def sum_by_key(ids: Any, seen: Any, shares: Any, counts: Any, key: Any, out: Any) -> None:
    """Add up for each key and class how many of the rows with this key are of the class."""
    each = np.empty(shares.size)
    for i in range(ids.shape[0]):
        for c in range(shares.size):
            each[c] = shares[c]
        for j in range(ids.shape[1]):
            t = ids[i, j]
            if t >= 0:
                for c in range(shares.size):
                    each[c] *= seen[t, c]
        total = 0.0
        for c in range(shares.size):
            total += each[c]
        weight = counts[i] / max(total, LEAST)
        for c in range(shares.size):
            out[key[i], c] += each[c] * weight
