"""Inner loops of the tables of all pairs of columns: arrays in, array out."""

from __future__ import annotations

from typing import Any

from tokumei.loops import inner, loop


@inner()
def classes_of(weights: Any, least: Any, active: Any, roots: Any) -> Any:
    """List the classes that a row is of, and the root of how many rows are; return how many classes there are."""
    many, total, listed = 0, 0.0, 0.0
    for c in range(weights.size):
        total += weights[c]
        if weights[c] > least:
            active[many], roots[many] = c, weights[c]
            listed += weights[c]
            many += 1
    for j in range(many):
        roots[j] = (roots[j] * (total / listed)) ** 0.5
    return many


@inner(fastmath={"contract"})
def add_values(
    low: Any,
    high: Any,
    places: Any,
    values: Any,
    even: Any,
    spread: Any,
    thetas: Any,
    cell_starts: Any,
    cells: Any,
    shares: Any,
    active: Any,
    ratios: Any,
    roots: Any,
    out: Any,
) -> None:
    """Add what is believed of the values that a thing may be to their cells."""
    for e in range(low, high):
        x, value, evenly = places[e], values[e], spread * even[e]
        for at in range(cell_starts[x], cell_starts[x + 1]):
            row, share = cells[at], shares[at]
            for j in range(ratios.size):
                out[row, j] += share * (value * ratios[j] * thetas[x, active[j]] + evenly * roots[j])


@loop()
def lay_out(
    first: Any,
    entries: Any,
    weights: Any,
    least: Any,
    starts: Any,
    places: Any,
    values: Any,
    even: Any,
    spread: Any,
    loose: Any,
    masses: Any,
    thetas: Any,
    bent: Any,
    cell_starts: Any,
    cells: Any,
    shares: Any,
    nothing: Any,
    ends: Any,
    active: Any,
    ratios: Any,
    out: Any,
) -> Any:
    """Lay out what is believed of rows from ``first`` on, a column of ``out`` for each row and class that it may be of.

    Everything is times the root of how many rows are of the class, which is in the last row of ``out``; classes with no more than ``least[i]`` are left
    out, and the others count for them. ``entries[i, v]`` is the thing that row i shows of column v, whose cells are those from ``ends[v]`` on, and -1 where it shows nothing: then
    ``nothing`` has the shares of its cells by class. Value x lies in the ``cells`` from ``cell_starts[x]`` on, with these ``shares``. Return the row to
    go on with, and how many columns were laid out.
    """
    used, i, last = 0, first, out.shape[0] - 1
    while i < entries.shape[0] and used + weights.shape[1] <= out.shape[1]:
        many = classes_of(weights[i], least[i], active, out[last, used:])
        here, roots = out[:, used : used + many], out[last, used : used + many]
        for v in range(entries.shape[1]):
            thing = entries[i, v]
            for row in range(ends[v], ends[v + 1]):
                for j in range(many):
                    here[row, j] = 0.0 if thing >= 0 else nothing[row, active[j]] * roots[j]
            if thing >= 0:
                for j in range(many):
                    ratios[j] = (1.0 - spread[thing]) / max(masses[thing, active[j]], 1e-300) * roots[j]
                told = starts[thing], starts[thing + 1], places, values, even, spread[thing]
                believed = bent if loose[thing] else thetas
                add_values(*told, believed, cell_starts, cells, shares, active, ratios[:many], roots, here)
        used += many
        i += 1
    return i, used


@inner()
def list_cells(low: Any, high: Any, places: Any, cell_starts: Any, cells: Any, seen: Any, found: Any) -> Any:
    """List the cells of the values that a thing may be, each once, behind those that are listed; return how many there are then."""
    begun = found  # cells of other columns are others
    for e in range(low, high):
        for at in range(cell_starts[places[e]], cell_starts[places[e] + 1]):
            known = begun
            while known < found and seen[known] != cells[at]:
                known += 1
            if known == found:
                seen[found] = cells[at]
                found += 1
    return found


@inner(fastmath={"contract"})
def multiply(seen: Any, active: Any, roots: Any, here: Any, summed: Any, made: Any) -> None:
    """Add the products of what is believed of each two cells, and what classes have of each; then forget it."""
    for a in seen:
        for j in range(active.size):
            summed[a, active[j]] += here[a, j] * roots[j]
        for b in seen:
            total = 0.0
            for j in range(active.size):
                total += here[a, j] * here[b, j]
            made[a, b] += total
    for a in seen:
        for j in range(active.size):
            here[a, j] = 0.0


@inner()
def hand_on(things: Any, ends: Any, summed: Any, people: Any, beside: Any, neither: Any) -> None:
    """Add up for each column that is not shown what classes have of the cells of those that are, and how many rows they have; then forget it."""
    columns, classes = things.size, people.size
    for v in range(columns + 1):
        if v < columns and things[v] >= 0:
            for a in range(ends[v], ends[v + 1]):
                for w in range(columns + 1):
                    if w == columns or things[w] < 0:
                        for c in range(classes):
                            beside[w, a, c] += summed[a, c]
                for c in range(classes):
                    summed[a, c] = 0.0
        else:
            for w in range(columns + 1):
                if w == columns or things[w] < 0:
                    for c in range(classes):
                        neither[v, w, c] += people[c]
    for c in range(classes):
        people[c] = 0.0


@loop()
def add_shown(
    parts: Any,
    entries: Any,
    weights: Any,
    least: Any,
    starts: Any,
    places: Any,
    values: Any,
    even: Any,
    spread: Any,
    loose: Any,
    masses: Any,
    thetas: Any,
    bent: Any,
    cell_starts: Any,
    cells: Any,
    shares: Any,
    ends: Any,
    active: Any,
    ratios: Any,
    roots: Any,
    seen: Any,
    here: Any,
    summed: Any,
    people: Any,
    made: Any,
    beside: Any,
    neither: Any,
) -> None:
    """Add up what is believed of the cells of columns that rows show; those from one of the ``parts`` to the next show the same columns.

    Products of each two cells are added to ``made``, what classes have of each cell to ``beside`` for every column that is not shown with it, and how many rows
    there are of each class to ``neither`` for every two columns that are both not shown; one column more is never shown. The rest is as for `lay_out`; ``active``
    to ``people`` are room, with nothing in ``here``, ``summed`` and ``people``.
    """
    for part in range(parts.size - 1):
        for i in range(parts[part], parts[part + 1]):
            many, found = classes_of(weights[i], least[i], active, roots), 0
            for j in range(many):
                people[active[j]] += roots[j] * roots[j]
            for v in range(entries.shape[1]):
                thing = entries[i, v]
                if thing < 0:
                    continue
                found = list_cells(starts[thing], starts[thing + 1], places, cell_starts, cells, seen, found)
                for j in range(many):
                    ratios[j] = (1.0 - spread[thing]) / max(masses[thing, active[j]], 1e-300) * roots[j]
                told = starts[thing], starts[thing + 1], places, values, even, spread[thing]
                believed = bent if loose[thing] else thetas
                add_values(*told, believed, cell_starts, cells, shares, active, ratios[:many], roots, here)
            multiply(seen[:found], active[:many], roots, here, summed, made)
        hand_on(entries[parts[part]], ends, summed, people, beside, neither)
