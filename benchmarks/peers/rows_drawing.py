"""Drawing from channels, the words behind it, and the shuffle, which has rows of its own."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

import tokumei as tk
from benchmarks.row import Row
from tokumei.anonymizers.tells import Subsets, solve_telling
from tokumei.mechanism.grid_laplace import GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.parallel import in_chunks
from tokumei.randomness import Key, permutation

ROWS, COLUMNS = 10_000_000, 10
SIZES = (74, 9, 16, 7, 15, 6, 5, 2, 42, 99)  # like ten columns of Adult


def rows() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    key = Key.fresh()
    table = np.stack([rng.integers(0, size, ROWS, dtype=np.uint8) for size in SIZES])
    out = np.empty_like(table)
    out[:] = 0
    channels = [Retention.solve(size, Fraction(1, 20)) for size in SIZES]
    streams = [key.stream("column", place) for place in range(COLUMNS)]

    def retention() -> None:
        for place, channel in enumerate(channels):
            source, target, stream = table[place], out[place], streams[place]
            in_chunks(ROWS, lambda a, b, c=channel, s=source, t=target, w=stream: c.draw(s[a:b], t[a:b], w, a))

    def retention_in_numpy() -> None:
        for place, channel in enumerate(channels):
            kept = rng.random(ROWS) < channel.retention
            out[place] = np.where(kept, table[place], rng.integers(0, channel.size, ROWS, dtype=np.uint8))

    def words_alone() -> None:
        for channel, stream in zip(channels, streams, strict=True):
            in_chunks(ROWS, lambda a, b, c=channel, w=stream: w.words(a, b - a, c.bits, scratch=True))

    yield Row("retention, 10M × 10 codes", "copy of the table", retention, lambda: np.copyto(out, table), at_most=15)
    yield Row("retention, 10M × 10 codes", "drawing its words alone", retention, words_alone, at_most=2.5)
    yield Row("retention, 10M × 10 codes", "vectorised numpy", retention, retention_in_numpy, at_least=8)

    attributes = [tk.Attribute(f"c{place}", domain=tk.Categories(range(size))) for place, size in enumerate(SIZES)]
    codes = {a.name: table[place] for place, a in enumerate(attributes)}
    for told, words in ((1, "one column"), (2, "one pair")):
        telling = solve_telling([Subsets(told)], attributes, Fraction(1, 5000), tk.Schema(attributes))
        yield Row(
            f"{words} a row, 10M × 10 codes",
            "copy of the table",
            lambda telling=telling: telling.sample(codes, key),
            lambda: np.copyto(out, table),
            at_most=15,
        )

    number = rng.uniform(17, 90, ROWS)
    copied = np.empty_like(number)
    copied[:] = 0

    def continuous() -> None:
        low, high, phi = 17.0, 90.0, 37.0
        u = rng.random(ROWS)
        left, right = 0.5 * np.exp((low - number) / phi), 1 - 0.5 * np.exp((number - high) / phi)
        v = left + u * (right - left)
        np.where(v < 0.5, number + phi * np.log(2 * v), number - phi * np.log(2 * (1 - v)))

    for size, kind, words in ((74, np.uint8, "74 points"), (2**16 + 1, np.uint32, "2^16 parts")):
        channel = GridLaplace.solve(size, Fraction(1, 50))
        codes = rng.integers(0, size, ROWS).astype(kind)
        drawn = np.zeros_like(codes)

        def laplace(channel=channel, codes=codes, drawn=drawn) -> None:
            in_chunks(ROWS, lambda a, b: channel.draw(codes[a:b], drawn[a:b], streams[0], a))

        yield Row(
            f"grid Laplace, 10M, {words}", "copy of a float column", laplace, lambda: np.copyto(copied, number), 25
        )
        yield Row(f"grid Laplace, 10M, {words}", "numpy's continuous draw", laplace, continuous, at_least=3, rounds=3)

    count = 2**23
    pcg = np.random.PCG64(1)
    yield Row(
        "secure words, 64 MiB",
        "numpy's PCG64",
        lambda: streams[0].words(0, count),
        lambda: pcg.random_raw(count),
        at_least=1,
    )

    def shuffle() -> None:
        order = permutation(key.stream("shuffle"), ROWS)
        for place in range(COLUMNS):
            np.take(table[place], order, out=out[place])

    yield Row("shuffle of 10M × 10 codes", "copy of the table", shuffle, lambda: np.copyto(out, table), rounds=3)
    yield Row(
        "shuffle of 10M × 10 codes",
        "numpy's permutation, likewise",
        shuffle,
        lambda: [
            np.take(table[place], order, out=out[place])
            for order in [rng.permutation(ROWS)]
            for place in range(COLUMNS)
        ],
        rounds=3,
    )
