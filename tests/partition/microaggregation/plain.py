"""Plain twins of the groupings, and the best grouping of a few rows by trying all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from tokumei.arrays import Floats


def squares(rows: Floats, groups: list[list[int]]) -> float:
    """The sum of squares within groups."""
    return sum(float(np.square(rows[group] - rows[group].mean(axis=0)).sum()) for group in groups)


def groups_of(labels: np.ndarray) -> list[list[int]]:
    """The rows of each group."""
    return [np.flatnonzero(labels == group).tolist() for group in np.unique(labels)]


def as_sets(labels: np.ndarray) -> set[frozenset[int]]:
    """Groups whatever their numbers."""
    return {frozenset(group) for group in groups_of(labels)}


def every_grouping(left: list[int], k: int) -> Iterator[list[list[int]]]:
    """All ways to put rows into groups of k to 2k - 1."""
    if not left:
        yield []
        return
    first, others = left[0], left[1:]
    for size in range(k, min(2 * k - 1, len(left)) + 1):
        if 0 < len(left) - size < k:
            continue
        for members in combinations(others, size - 1):
            for rest in every_grouping([row for row in others if row not in members], k):
                yield [[first, *members], *rest]


def best_squares(rows: Floats, k: int) -> float:
    """The least sum of squares that any grouping has."""
    return min(squares(rows, grouping) for grouping in every_grouping(list(range(len(rows))), k))


def nearest(rows: Floats, left: list[int], point: Floats, count: int) -> list[int]:
    """The rows nearest to a point."""
    gaps = np.square(rows[left] - point).sum(axis=1)
    return [left[at] for at in np.argsort(gaps, kind="stable")[:count]]


def farthest(rows: Floats, left: list[int], point: Floats) -> int:
    """The row farthest from a point."""
    return left[int(np.argmax(np.square(rows[left] - point).sum(axis=1)))]


def plain_mdav(rows: Floats, k: int) -> set[frozenset[int]]:
    """MDAV, by its definition."""
    left, groups = list(range(len(rows))), []

    def take(row: int) -> None:
        group = nearest(rows, left, rows[row], k)
        groups.append(frozenset(group))
        left[:] = [other for other in left if other not in group]

    while len(left) >= 3 * k:
        first = farthest(rows, left, rows[left].mean(axis=0))
        take(first)
        take(farthest(rows, left, rows[first]))
    if len(left) >= 2 * k:
        take(farthest(rows, left, rows[left].mean(axis=0)))
    return {*groups, frozenset(left)} - {frozenset()}


def plain_farthest_first(rows: Floats, k: int) -> set[frozenset[int]]:
    """The farthest row first, with its nearest ones that are left."""
    order = np.argsort(-np.square(rows - rows.mean(axis=0)).sum(axis=1), kind="stable").tolist()
    left, groups = list(range(len(rows))), []
    for row in order:
        if row in left:
            group = nearest(rows, left, rows[row], k if len(left) >= 2 * k else len(left))
            groups.append(frozenset(group))
            left = [other for other in left if other not in group]
    return set(groups)


def plain_v_mdav(rows: Floats, k: int, gain: float) -> set[frozenset[int]]:
    """V-MDAV, by its definition."""
    order = np.argsort(-np.square(rows - rows.mean(axis=0)).sum(axis=1), kind="stable").tolist()
    apart = np.sqrt(np.square(rows[:, None] - rows[None]).sum(axis=2))
    left, groups = list(range(len(rows))), []
    for row in order:
        if len(left) < k:
            break
        if row not in left:
            continue
        group = nearest(rows, left, rows[row], k)
        left = [other for other in left if other not in group]
        while left and len(group) < 2 * k - 1:
            best = min(left, key=lambda other: apart[other, group].min())
            others = [other for other in left if other != best]
            if others and not apart[best, group].min() < gain * apart[best, others].min():
                break
            group.append(best)
            left = others
        groups.append(group)
    means = np.array([rows[group].mean(axis=0) for group in groups])
    for row in left:
        groups[int(np.argmin(np.square(means - rows[row]).sum(axis=1)))].append(row)
    return {frozenset(group) for group in groups}


def plain_path(rows: Floats) -> list[int]:
    """The nearest point next, from the row farthest from the mean."""
    left = list(range(len(rows)))
    path = [farthest(rows, left, rows.mean(axis=0))]
    while len(path) < len(rows):
        left.remove(path[-1])
        path += nearest(rows, left, rows[path[-1]], 1)
    return path


def plain_walk(rows: Floats, blocks: np.ndarray, ring: Callable[[int, set[int]], set[int]]) -> list[int]:
    """The nearest row that is left in the block, or else in the ring of blocks around it, from the row farthest out."""
    left = list(range(len(rows)))
    path = [farthest(rows, left, rows.mean(axis=0))]
    while len(path) < len(rows):
        left.remove(path[-1])
        here = int(blocks[path[-1]])
        there = {int(block) for block in blocks[left]}
        inside = {here} if here in there else ring(here, there)
        path += nearest(rows, [row for row in left if blocks[row] in inside], rows[path[-1]], 1)
    return path


def ring_of_cells(cells: dict[int, np.ndarray]) -> Callable[[int, set[int]], set[int]]:
    """Rings of a grid: the blocks with rows left that are the fewest cells away."""

    def ring(here: int, there: set[int]) -> set[int]:
        away = {block: int(np.abs(cells[block] - cells[here]).max()) for block in there}
        return {block for block in there if away[block] == min(away.values())}

    return ring


def ring_of_neighbours(neighbours: np.ndarray) -> Callable[[int, set[int]], set[int]]:
    """Rings of a graph: the blocks with rows left that are the fewest steps away; all where no step leads to one."""

    def ring(here: int, there: set[int]) -> set[int]:
        seen, last = {here}, {here}
        while last:
            last = {int(other) for block in last for other in neighbours[block] if other >= 0} - seen
            seen |= last
            if last & there:
                return last & there
        return there

    return ring


def plain_dice(rows: Floats, most: int, parts: int) -> dict[frozenset[int], tuple[int, tuple[int, ...]]]:
    """FlexDice's blocks, one after the other: their rows, how often each was halved, and its place among those of that size."""
    low, width = rows.min(axis=0), np.ptp(rows, axis=0)
    shares = np.minimum((rows - low) / np.where(width > 0, width, 1), np.nextafter(1, 0))

    def place(row: int, level: int) -> tuple[int, ...]:
        return tuple(int(share * 2**level) for share in shares[row])

    def halved(block: list[int], level: int) -> list[list[int]]:
        found: dict[tuple[int, ...], list[int]] = {}
        for row in block:
            found.setdefault(place(row, level), []).append(row)
        return list(found.values())

    done, waiting = {}, [([[*range(len(rows))]], 0)]
    while waiting:
        family, level = waiting.pop()
        finer = [part for block in family for part in halved(block, level + 1)]
        if level < 40 and sum(map(len, family)) > most:
            waiting += [([part], level + 1) for part in finer]
        elif level < 40 and len(finer) <= parts:
            waiting.append((finer, level + 1))
        else:
            for block in family:  # the largest box that holds these rows and no others
                alone = next(
                    at
                    for at in range(level + 1)
                    if all(place(row, at) != place(block[0], at) for row in {*range(len(rows))} - {*block})
                )
                done[frozenset(block)] = (alone, place(block[0], alone))
    return done


Box = tuple[tuple[Fraction, Fraction], ...]


def box_of(level: int, place: tuple[int, ...]) -> Box:
    """Where a block lies, the whole box being of side one."""
    return tuple((Fraction(at, 2**level), Fraction(at + 1, 2**level)) for at in place)


def across(boxes: list[Box]) -> list[list[set[int]]]:
    """For each block and each side the blocks that share the face, or part of it: every pair compared."""
    found = []
    for one in boxes:
        sides: list[set[int]] = [set() for _ in range(2 * len(one))]
        for number, other in enumerate(boxes):
            overlap = [min(a[1], b[1]) > max(a[0], b[0]) for a, b in zip(one, other, strict=True)]
            for column in range(len(one)):
                if all(overlap[:column] + overlap[column + 1 :]):
                    if other[column][1] == one[column][0]:
                        sides[2 * column].add(number)
                    if other[column][0] == one[column][1]:
                        sides[2 * column + 1].add(number)
        found.append(sides)
    return found


def plain_halves(rows: Floats, most: int, parts: int) -> list[tuple[list[int], list[tuple[float, float]]]]:
    """Blocks that are halved along their widest column: the rows of each, and from where to where it reaches."""
    done: list[tuple[list[int], list[tuple[float, float]]]] = []

    def halve(block: list[int], box: list[tuple[float, float]], budget: int) -> None:
        reach = np.ptp(rows[block], axis=0)
        column = int(np.argmax(reach))
        small = len(block) <= most
        if reach[column] == 0 or (small and budget < 2):
            done.append((block, box))
            return
        cut = rows[block, column].min() + reach[column] / 2
        left, right = list(box), list(box)
        left[column], right[column] = (box[column][0], cut), (cut, box[column][1])
        halve([row for row in block if rows[row, column] < cut], left, budget // 2 if small else budget)
        halve([row for row in block if rows[row, column] >= cut], right, budget // 2 if small else budget)

    halve([*range(len(rows))], [(-np.inf, np.inf)] * rows.shape[1], parts)
    return done


def cuts(count: int, k: int) -> Iterator[list[range]]:
    """All ways to cut a line of rows into pieces of at least k."""
    if count == 0:
        yield []
    for size in range(k, count + 1):
        for before in cuts(count - size, k):
            yield [*before, range(count - size, count)]
