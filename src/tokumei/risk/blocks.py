"""Many small blocks of people and rows, attacked together: groups, or people and rows that agree in what is known.

No person of a block can have a row of another one, so each is balanced by itself: the work is the sum over blocks of their distinct
people times their distinct rows, not the square of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Booleans, Codes, Floats, Integers
from tokumei.parallel import in_chunks, threads
from tokumei.privacy.exact import link_posteriors
from tokumei.progress import stage
from tokumei.risk.beliefs import NEARLY_CERTAIN, SWEEPS, TOLERANCE
from tokumei.risk.pairs import Pairs
from tokumei.risk.said import Bethe, EveryAssignment, Sinkhorn
from tokumei.table.classes import class_of
from tokumei.words import Statement

CHUNK = 2**20  # pairs that are looked at together
STACK = 512  # small blocks that are enumerated together


@dataclass(frozen=True)
class Side:
    """People or rows: the distinct record of each, an example of every record, how many have it, and where blocks begin."""

    which: Integers
    example: Integers
    counts: Floats
    begin: Integers

    @classmethod
    def of(cls, blocks: Integers, columns: Sequence[Integers], count: int) -> Side:
        """Tell records apart in each of this many blocks; those with a negative block are in none."""
        inside = np.flatnonzero(blocks >= 0)
        found = class_of([blocks[inside], *(column[inside] for column in columns)], len(inside))
        which = np.full(len(blocks), -1, dtype=np.int64)
        which[inside] = found
        example = np.empty(int(found.max(initial=-1)) + 1, dtype=np.int64)
        example[found[::-1]] = inside[::-1]
        begin = np.searchsorted(blocks[example], np.arange(count + 1))  # classes are numbered block by block
        return cls(which, example, np.bincount(found).astype(np.float64), begin)


@dataclass(frozen=True)
class InBlocks:
    """What an attacker believes of people in blocks.

    Attributes
    ----------
    belief, best
        For each person the belief in their likeliest record, and its number; -1 where no row can be theirs.
    rows
        The released rows, by block and record.
    guesses
        For each column to be guessed, the likeliest value of each person's row.
    how
        How beliefs were computed, in one block or another.
    """

    belief: Floats
    best: Integers
    rows: Side
    guesses: Mapping[str, Integers]
    how: tuple[Statement, ...]


def believe(
    pairs: Pairs,
    of_person: Integers,
    of_row: Integers,
    blocks: int,
    secret: Mapping[str, tuple[Codes, int]],
    exact: int = 0,
) -> InBlocks:
    """Attack all blocks; those of up to ``exact`` people by every assignment. ``secret`` has the codes of each row, and how many there are."""
    from tokumei.risk._block_kernels import balance_blocks, likeliest_value, strongest

    people = Side.of(of_person, pairs.true, blocks)
    rows = Side.of(of_row, [*pairs.released, *(codes.astype(np.int64) for codes, _ in secret.values())], blocks)
    size = np.bincount(of_person[of_person >= 0], minlength=blocks)
    absent = (size - np.bincount(of_row[of_row >= 0], minlength=blocks)).astype(np.float64)
    block_of = of_person[people.example]
    wide = np.diff(rows.begin)[block_of]
    belief, best = np.zeros(len(people.example)), np.full(len(people.example), -1, dtype=np.int64)
    guessed = {name: np.zeros(len(people.example), dtype=np.int64) for name in secret}
    values = {name: codes.astype(np.int64)[rows.example] for name, (codes, _) in secret.items()}
    bethe, small = np.zeros(blocks, dtype=np.bool_), size <= exact
    with stage("Attacking", total=len(people.example)) as shown:
        for first, last in _chunks(np.diff(people.begin) * np.diff(rows.begin)):
            low, high = people.begin[first], people.begin[last]
            who, width = np.arange(low, high), wide[low:high]
            start = np.cumsum(width) - width
            at = np.arange(int(width.sum())) - np.repeat(start - rows.begin[block_of[who]], width)
            mine = np.repeat(who, width)
            weights = pairs.likelihood(people.example[mine], rows.example[at], block_of[mine])
            begin = np.concatenate([start, [len(weights)]])[people.begin[first : last + 1] - low]
            row = rows.begin[block_of[who]]
            _enumerate(weights, np.arange(first, last)[small[first:last]], begin, first, people, rows, size)
            rest = np.arange(last - first)[~small[first:last]]

            def part(
                begun: int, ended: int, first: int = first, last: int = last, rest: Integers = rest,
                begin: Integers = begin, weights: Floats = weights,
            ) -> None:  # fmt: skip
                balance_blocks(
                    rest[begun:ended], people.begin[first : last + 1], rows.begin[first : last + 1], begin, weights,
                    people.counts, rows.counts, absent[first:last], SWEEPS // 2, TOLERANCE, NEARLY_CERTAIN, bethe[first:last],
                )  # fmt: skip

            in_chunks(len(rest), part, max(256, -(-len(rest) // threads())))
            strongest(0, high - low, start, row, width, weights, best[low:high], belief[low:high])
            for name, (_, states) in secret.items():
                likeliest_value(
                    0,
                    high - low,
                    start,
                    row,
                    width,
                    weights,
                    rows.counts,
                    values[name],
                    states,
                    guessed[name][low:high],
                )
            shown.advance(int(high - low))
    held = people.which[of_person >= 0]
    found = best[held], {name: guess[held] for name, guess in guessed.items()}
    return InBlocks(belief[held], found[0], rows, found[1], _ways(small, bethe, np.diff(rows.begin) > 0))


def _chunks(pairs: Integers) -> Iterator[tuple[int, int]]:
    """Cut blocks into runs of at most `CHUNK` pairs, or of a single block."""
    ends, low = np.cumsum(pairs), 0
    while low < len(pairs):
        before = ends[low - 1] if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + CHUNK, side="right")))
        yield low, high
        low = high


def _enumerate(
    weights: Floats, blocks: Integers, begin: Integers, first: int, people: Side, rows: Side, size: Integers
) -> None:
    """Turn the likelihoods of small blocks into beliefs by every assignment; people who were not drawn are matched with ones."""
    taken = np.array([int(rows.counts[rows.begin[b] : rows.begin[b + 1]].sum()) for b in blocks], dtype=np.int64)
    for n, m in sorted(set(zip(size[blocks].tolist(), taken.tolist(), strict=True))):
        alike = blocks[(size[blocks] == n) & (taken == m)]
        for some in np.array_split(alike, -(-len(alike) // STACK)) if m else ():
            who = np.stack([_each(people, b) for b in some])
            which = np.stack([_each(rows, b) for b in some])
            wide = np.diff(rows.begin)[some]
            at = begin[some - first, None, None] + who[:, :, None] * wide[:, None, None] + which[:, None, :]
            ones = np.ones((len(some), n, n - m))
            weights[at] = link_posteriors(np.concatenate([weights[at], ones], axis=2))[:, :, :m]


def _each(side: Side, block: int) -> Integers:
    """Return the record of everyone in a block, counted from its first."""
    low, high = side.begin[block], side.begin[block + 1]
    return np.repeat(np.arange(high - low), side.counts[low:high].astype(np.int64))


def _ways(small: Booleans, bethe: Booleans, any_row: Booleans) -> tuple[Statement, ...]:
    """Name the ways in which beliefs were computed, in the order of the first block that needed each."""
    way = np.where(small, 0, np.where(bethe, 1, 2))[any_row]
    found, place = np.unique(way, return_index=True)
    said: list[Statement] = [EveryAssignment(), Bethe(), Sinkhorn()]
    return tuple(said[each] for each in found[np.argsort(place)])
