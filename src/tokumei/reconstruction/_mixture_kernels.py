"""Inner loops of the mixture of products: arrays in, array out.

A thing seen is ``first + second``, two products of rows of the table of masses, each times a factor. The rows of the product
of thing t are ``entries[starts[t] : starts[t + 1]]``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import inner, loop

LEAST = 1e-290
QUICK = {"reassoc", "contract", "nsz"}  # sums in any order: several numbers at a time


@inner(fastmath=QUICK)
def give(low: Any, high: Any, places: Any, values: Any, thetas: Any, out: Any) -> None:
    """Fill in what each class gives to a thing with the probabilities ``values[low : high]``; four at a time, so that sums are not waited for."""
    for c in range(out.size):
        out[c] = 0.0
    even = low + (high - low) // 4 * 4
    for e in range(low, even, 4):
        a, b, d, f = places[e], places[e + 1], places[e + 2], places[e + 3]
        one, two, three, four = values[e], values[e + 1], values[e + 2], values[e + 3]
        for c in range(out.size):
            out[c] += one * thetas[a, c] + two * thetas[b, c] + three * thetas[d, c] + four * thetas[f, c]
    for e in range(even, high):
        place, value = places[e], values[e]
        for c in range(out.size):
            out[c] += value * thetas[place, c]


@loop(fastmath=QUICK)
def mass(starts: Any, places: Any, values: Any, thetas: Any, out: Any) -> None:
    """Fill in what each class gives to each thing: the probabilities of thing t are ``values[starts[t] : starts[t + 1]]``."""
    for t in range(starts.size - 1):
        give(starts[t], starts[t + 1], places, values, thetas, out[t])


@loop(fastmath=QUICK)
def share_values(starts: Any, places: Any, values: Any, added: Any, masses: Any, ratios: Any, out: Any) -> None:
    """Add the rows of each class that have shown a thing to its values, by their probability and the mass of the thing."""
    for t in range(starts.size - 1):
        for c in range(ratios.size):
            ratios[c] = added[t, c] / max(masses[t, c], 1e-300)
        for e in range(starts[t], starts[t + 1]):
            place, value = places[e], values[e]
            for c in range(ratios.size):
                out[place, c] += value * ratios[c]


@inner(fastmath=QUICK)
def look_at_one(factor: Any, masses: Any, seen: Any, kept: Any) -> Any:
    """Do the same for a thing that is one mass, and cannot be another; return its scale."""
    top = 1e-300
    for c in range(masses.size):
        both = factor * masses[c]
        top = both if both > top else top
    scale = 1.0 / top
    for c in range(masses.size):
        both = factor * masses[c]
        seen[c] = (both if both > 1e-300 else 1e-300) * scale
        kept[c] = 1.0 if both > 1e-300 else both / 1e-300
    return top


@loop(fastmath=QUICK)
def look(
    masses: Any,
    first: Any,
    first_starts: Any,
    first_entries: Any,
    second: Any,
    second_starts: Any,
    second_entries: Any,
    seen: Any,
    tops: Any,
    kept: Any,
) -> None:
    """Fill in the likelihood of each thing, class by class, scaled to a largest one of one, its scale, and how much of it is the first product's."""
    classes = masses.shape[1]
    for t in range(first.size):
        one, two = first[t], second[t]
        if two == 0.0 and first_starts[t + 1] - first_starts[t] == 1:
            tops[t] = look_at_one(one, masses[first_entries[first_starts[t]]], seen[t], kept[t])
            continue
        for c in range(classes):
            kept[t, c], seen[t, c] = one, two
        for e in range(first_starts[t], first_starts[t + 1]):
            entry = first_entries[e]
            for c in range(classes):
                kept[t, c] *= masses[entry, c]
        for e in range(second_starts[t], second_starts[t + 1]):
            entry = second_entries[e]
            for c in range(classes):
                seen[t, c] *= masses[entry, c]
        top = 1e-300
        for c in range(classes):
            both = kept[t, c] + seen[t, c]
            seen[t, c] = both if both > 1e-300 else 1e-300
            top = both if both > top else top
        scale = 1.0 / top
        for c in range(classes):
            kept[t, c] /= seen[t, c]
            seen[t, c] *= scale
        tops[t] = top


@loop(fastmath=QUICK)
def share_out(
    added: Any, kept: Any, first_starts: Any, first_entries: Any, second_starts: Any, second_entries: Any, out: Any
) -> None:
    """Add the rows of each class that have shown a thing to what its products are made of."""
    for t in range(added.shape[0]):
        for e in range(first_starts[t], first_starts[t + 1]):
            entry = first_entries[e]
            for c in range(added.shape[1]):
                out[entry, c] += added[t, c] * kept[t, c]
        for e in range(second_starts[t], second_starts[t + 1]):
            entry = second_entries[e]
            for c in range(added.shape[1]):
                out[entry, c] += added[t, c] * (1.0 - kept[t, c])


@inner(fastmath=QUICK)
def summed(each: Any) -> Any:
    """Add up numbers."""
    total = 0.0
    for i in range(each.size):
        total += each[i]
    return total


@inner(fastmath=QUICK)
def dot(one: Any, other: Any) -> Any:
    """Multiply and add up numbers."""
    total = 0.0
    for i in range(one.size):
        total += one[i] * other[i]
    return total


@inner()
def classes_of(ids: Any, seen: Any, shares: Any, each: Any) -> Any:
    """Fill in how likely a row is by each class, and return the sum."""
    for c in range(shares.size):
        each[c] = shares[c]
    for j in range(ids.size):
        t = ids[j]
        if t >= 0:
            for c in range(shares.size):
                each[c] *= seen[t, c]
    return max(summed(each), LEAST)


@njit(nogil=True, cache=True)
def respond(ids: Any, seen: Any, shares: Any, counts: Any, out: Any, classes: Any, totals: Any) -> None:
    """Add the rows to the classes that they may be of, and to what they show; fill in how likely they are, in the scale of what they show.

    ``seen`` are the likelihoods of things, scaled to a largest one of one. Rows count ``counts`` times.
    """
    size = shares.size
    each = np.empty(size)
    for i in range(ids.shape[0]):
        total = classes_of(ids[i], seen, shares, each)
        totals[i] = total
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
def cumulate(ids: Any, seen: Any, shares: Any, each: Any) -> None:
    """Fill in the sums of how likely a row is by each class and those before it."""
    classes_of(ids, seen, shares, each)
    for c in range(1, shares.size):
        each[c] += each[c - 1]


@njit(nogil=True, cache=True)
def impute(
    which: Any,
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
    """Draw a true row for each released one, ``ids[which[i]]``: its class, whether what it shows was kept, then column by column.

    ``kept`` is the probability that a thing seen comes from its first product. Where a cell is ``loose``, what the model says of it, next to
    the ``bases`` alone, is raised to the power ``trust``, and with its probability ``spread`` the ``bases`` are all that counts. ``thetas`` holds the distributions of all
    columns side by side; column j has the places from ``bounds[j]`` to ``bounds[j + 1]``.
    """
    columns = bounds.size - 1
    each = np.empty(shares.size)
    weights = np.empty(bounds[columns])
    for i in range(which.size):
        row = ids[which[i]]
        if i == 0 or which[i] != which[i - 1]:  # several may be drawn for one released row
            cumulate(row, seen, shares, each)
        z = draw(each, chances[i, 0])
        for b in range(weights.size):
            weights[b] = thetas[z, b]
        for j in range(row.size):
            t = row[j]
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
                if loose[entry] and chances[i, 1 + ids.shape[1] + columns + column] < spread[entry]:
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


@inner()
def attained(log: Any, scale: Any) -> Any:
    """Return the chance that some other row of a group has a value, or lies in another part."""
    return max(-np.expm1(log * scale), 1e-6)


@inner()
def factor(logs: Any, scale: Any, listed: Any, parted: Any, parts: Any, out: Any) -> None:
    """Fill in how likely a box is given each value of one of its rows, apart from holding it; ``listed`` are the values needed."""
    whole = 1.0
    for n in range(listed.size):
        whole *= attained(logs[listed[n]], scale)
    whole = max(whole, 1e-100)
    for x in range(out.size):
        out[x] = whole
    for n in range(listed.size):
        out[listed[n]] = whole / attained(logs[listed[n]], scale)
    if parted:
        for x in range(out.size):
            if parts[x] >= 0:
                out[x] = attained(logs[x], scale)


@inner(fastmath=QUICK)
def believe(added: Any, plain: Any, low: Any, high: Any, places: Any, base: Any, thetas: Any, ratios: Any) -> Any:
    """Fill in how many rows of each class have shown a thing for what the class gives to it, over all classes; return how many rows have.

    What is believed about a value that it was seen of is then ``base`` times the sum over the classes of ratio and theta. ``plain`` is what classes
    give to the thing, if that is known.
    """
    if plain.size:
        for c in range(ratios.size):
            ratios[c] = plain[c]
    else:
        give(low, high, places, base, thetas, ratios)
    total, whole = 0.0, 0.0
    for c in range(ratios.size):
        total += added[c]
        whole += added[c] if ratios[c] > 1e-300 else 0.0
    scale = 1.0 / max(whole, LEAST)
    for c in range(ratios.size):
        ratios[c] = added[c] * scale / max(ratios[c], 1e-300)
    return total if whole > 0.0 else 0.0


@inner()
def add_logs(
    count: Any,
    low: Any,
    high: Any,
    places: Any,
    base: Any,
    thetas: Any,
    ratios: Any,
    column: Any,
    needed: Any,
    logs: Any,
) -> None:
    """Add the logarithms of the chances that rows do not have the values needed; both these and ``places`` rise."""
    e = low
    for n in range(needed.size):
        place = column + needed[n]
        ahead = low + place - places[low]  # where it stands in a stretch
        e = ahead if e < ahead < high and places[ahead] == place else e
        while e < high and places[e] < place:
            e += 1
        if e < high and places[e] == place:
            believed = base[e] * dot(ratios, thetas[place])
            logs[needed[n]] += count * np.log1p(-min(believed, 1.0 - 1e-9))


@inner()
def add_parts(
    count: Any,
    low: Any,
    high: Any,
    places: Any,
    base: Any,
    thetas: Any,
    ratios: Any,
    column: Any,
    needed: Any,
    parts: Any,
    of_part: Any,
    logs: Any,
) -> None:
    """Add the logarithms of the chances that rows lie in the same part of a label."""
    for x in range(parts.size):
        of_part[x] = 0.0
    for e in range(low, high):
        x = places[e] - column
        if parts[x] >= 0:
            of_part[parts[x]] += base[e] * dot(ratios, thetas[places[e]])
    for x in range(parts.size):
        of_part[x] = np.log(max(of_part[x], 1e-12))
    for x in range(parts.size):
        if parts[x] >= 0 and not needed[x]:
            logs[x] += count * of_part[parts[x]]


@njit(nogil=True, cache=True)
def tighten(
    added: Any,
    starts: Any,
    places: Any,
    base: Any,
    thetas: Any,
    column: Any,
    rows: Any,
    needed: Any,
    parts: Any,
    things: Any,
    thing_starts: Any,
    listed: Any,
    list_starts: Any,
    parted: Any,
    plain: Any,
    values: Any,
    masses: Any,
) -> None:
    """Fill in ``values``, how likely what is seen and its group's box are given each value of one of its rows, and what classes give to it.

    Thing t was seen by ``added[t]`` rows of each class, with the probabilities ``base[starts[t] : starts[t + 1]]``; values of the column
    begin at the place ``column``. The things of group u are ``things[thing_starts[u] : thing_starts[u + 1]]``, and the values that it needs
    ``listed[list_starts[u] : list_starts[u + 1]]``; of things before the first group nothing more is known.
    ``plain`` is what classes give to things by ``base`` alone; it has no columns where that is to be worked out.
    """
    size = needed.shape[1]
    ratios, of_part, logs, factors = np.empty(thetas.shape[1]), np.empty(size), np.empty(size), np.empty(size)
    for i in range(thing_starts[0]):
        t = things[i]
        for e in range(starts[t], starts[t + 1]):
            values[e] = base[e]
        give(starts[t], starts[t + 1], places, values, thetas, masses[t])
    for u in range(rows.size):
        own, total = listed[list_starts[u] : list_starts[u + 1]], 0.0
        for x in range(size):
            logs[x], factors[x] = 0.0, 1.0
        for i in range(thing_starts[u], thing_starts[u + 1]):
            t = things[i]
            if summed(added[t]) > 0.0:  # rows that are held out show nothing
                count = believe(added[t], plain[t], starts[t], starts[t + 1], places, base, thetas, ratios)
                total += count
                told = count, starts[t], starts[t + 1], places, base, thetas, ratios, column
                add_logs(*told, own, logs)
                if parted[u]:
                    add_parts(*told, needed[u], parts[u], of_part, logs)
        if total > 0.0:
            factor(logs, max(rows[u] - 1.0, 0.0) / total, own, parted[u], parts[u], factors)
        for i in range(thing_starts[u], thing_starts[u + 1]):
            t = things[i]
            for e in range(starts[t], starts[t + 1]):
                values[e] = base[e] * factors[places[e] - column]
            give(starts[t], starts[t + 1], places, values, thetas, masses[t])


@njit(nogil=True, cache=True)
def weigh(ids: Any, seen: Any, shares: Any, counts: Any, out: Any) -> None:
    """Fill in how many of the rows like each one are of each class."""
    for i in range(ids.shape[0]):
        weight = counts[i] / classes_of(ids[i], seen, shares, out[i])
        for c in range(shares.size):
            out[i, c] *= weight


@loop()
def sum_by_key(weights: Any, key: Any, out: Any) -> None:
    """Add up for each key and class how many of the rows with this key are of the class."""
    for i in range(key.size):
        for c in range(weights.shape[1]):
            out[key[i], c] += weights[i, c]


@inner(fastmath=QUICK)
def add_cells(
    thing: Any,
    weights: Any,
    starts: Any,
    places: Any,
    values: Any,
    even: Any,
    spread: Any,
    loose: Any,
    masses: Any,
    column: Any,
    ratios: Any,
    made: Any,
    bent: Any,
    flat: Any,
    touched: Any,
) -> None:
    """Add rows that show a thing to the values that it may be, which are marked as ``touched``.

    ``made`` lacks the probabilities of these by class, ``bent``, for things that are ``loose``, a power of them, and ``flat`` nothing.
    """
    if thing < 0:  # nothing is shown
        for x in range(made.shape[0]):
            touched[x] = True
            for c in range(weights.size):
                made[x, c] += weights[c]
        return
    for c in range(weights.size):
        ratios[c] = (1.0 - spread[thing]) / max(masses[thing, c], 1e-300) * weights[c]
    for e in range(starts[thing], starts[thing + 1]):
        x, value, evenly = places[e] - column, values[e], spread[thing] * even[e]
        touched[x] = True
        if loose[thing]:
            for c in range(weights.size):
                bent[x, c] += value * ratios[c]
        else:
            for c in range(weights.size):
                made[x, c] += value * ratios[c]
        if evenly > 0.0:
            for c in range(weights.size):
                flat[x, c] += evenly * weights[c]


@inner()
def with_classes(made: Any, bent: Any, flat: Any, touched: Any, thetas: Any, trust: Any) -> None:
    """Multiply by the probabilities of values by class, or by their power ``trust``, and add what does not depend on them."""
    for x in range(made.shape[0]):
        if touched[x]:
            for c in range(made.shape[1]):
                own = made[x, c] * thetas[x, c] + flat[x, c]
                made[x, c] = own + bent[x, c] * thetas[x, c] ** trust if bent[x, c] > 0.0 else own


@inner()
def clear(made: Any, bent: Any, flat: Any, touched: Any) -> None:
    """Forget what was added, value by value."""
    for x in range(made.shape[0]):
        if touched[x]:
            touched[x] = False
            for c in range(made.shape[1]):
                made[x, c], bent[x, c], flat[x, c] = 0.0, 0.0, 0.0


@njit(nogil=True, cache=True)
def add_pairs(
    ones: Any,
    others: Any,
    weights: Any,
    starts: Any,
    places: Any,
    values: Any,
    even: Any,
    spread: Any,
    loose: Any,
    masses: Any,
    trust: Any,
    one_column: Any,
    one_thetas: Any,
    other_column: Any,
    other_thetas: Any,
    out: Any,
) -> None:
    """Add up the joint table of two columns of rows that show the thing ``ones[i]`` of one and ``others[i]`` of the other; -1 is nothing.

    Equal ``ones`` stand together: what rows with them show of the other column is added up first. Boxes hold few of the values, and only these
    are worked on.
    """
    made, bent, flat = np.zeros(other_thetas.shape), np.zeros(other_thetas.shape), np.zeros(other_thetas.shape)
    own, own_bent, own_flat = np.zeros(one_thetas.shape), np.zeros(one_thetas.shape), np.zeros(one_thetas.shape)
    there, here = np.zeros(other_thetas.shape[0], dtype=np.bool_), np.zeros(one_thetas.shape[0], dtype=np.bool_)
    alone, ratios = np.ones(weights.shape[1]), np.empty(weights.shape[1])
    told = starts, places, values, even, spread, loose, masses
    i = 0
    while i < ones.size:
        one = ones[i]
        while i < ones.size and ones[i] == one:
            add_cells(others[i], weights[i], *told, other_column, ratios, made, bent, flat, there)
            i += 1
        add_cells(one, alone, *told, one_column, ratios, own, own_bent, own_flat, here)
        with_classes(made, bent, flat, there, other_thetas, trust)
        with_classes(own, own_bent, own_flat, here, one_thetas, trust)
        for a in range(own.shape[0]):
            if here[a]:
                for b in range(made.shape[0]):
                    if there[b]:
                        out[a, b] += dot(own[a], made[b])
        clear(made, bent, flat, there)
        clear(own, own_bent, own_flat, here)
