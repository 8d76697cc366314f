"""Which rows are drawn, decided row by row from their numbers, so that every task decides alike.

Every row has a random word. A sample of fixed size is that of the smallest words, in the whole table or in each stratum:
each set of so many rows is equally likely. Words are known without the rows, so the driver finds the largest word of a simple
sample by itself; in strata it is found by a job.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.anonymizers.sample import Bernoulli, Sample, Stratified, bernoulli_threshold, fixed_size, planned_size
from tokumei.anonymizers.sample import stratum_sizes as sizes_of
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.rows import mapped
from tokumei.errors import InvalidParameter
from tokumei.progress import stage
from tokumei.randomness import Key, Stream, TaskKey
from tokumei.table.coded import CodedTable

CHUNK = 2**20
Label = tuple[str | int, ...]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Choice:
    """The rows that are drawn: those whose word is at most ``last``, of their stratum if there is a column of strata.

    ``taken`` says how many are drawn in each stratum, or in all; ``planned`` is the size that a promise may count on.
    """

    label: Label
    last: tuple[int, ...]
    taken: tuple[int, ...]
    planned: int
    column: str | None = None

    @property
    def size(self) -> int:
        """How many rows are drawn."""
        return sum(self.taken)

    def places(self, table: CodedTable, start: int, key: Key) -> Whole:
        """Return which rows of a chunk are drawn, the first of them having the number ``start``."""
        words = key.stream(*self.label).words(start, table.rows)
        last, some = np.array(self.last, dtype=np.uint64), np.array(self.taken) > 0
        if self.column is None:
            return np.flatnonzero(words <= last[0])
        stratum = table.codes(self.column)
        return np.flatnonzero((words <= last[stratum]) & some[stratum])


def choose(sample: Sample | None, look: Look, key: Key) -> Choice | None:
    """Decide which rows are drawn; none if all are."""
    if sample is None:
        return None
    if isinstance(sample, Stratified):
        return _stratified(sample, look, key)
    if isinstance(sample, Bernoulli):
        return _bernoulli(sample, look.rows, key)
    size = fixed_size(sample, look.rows)
    for attempt in range(100):
        label = ("choose", "spark", attempt)
        last = smallest_words(key.stream(*label), look.rows, size)
        if last is not None:
            return Choice(label, (last,), (size,), size)
    raise InvalidParameter("no sample could be drawn; this is a bug, please report it.")


def smallest_words(stream: Stream, rows: int, size: int) -> int | None:
    """Return the largest of the ``size`` smallest words, or none if it occurs twice and would bring in a row too many.

    The words are gone through twice, in chunks: to count them by their leading bits, and to sort those of one count.
    """
    spans = [(low, min(rows, low + CHUNK)) for low in range(0, rows, CHUNK)]
    counts = np.zeros(2**16, dtype=np.int64)
    with stage("Drawing the sample", total=2 * len(spans)) as shown:
        for low, high in spans:
            counts += np.bincount((stream.words(low, high - low) >> np.uint64(48)).astype(np.int64), minlength=2**16)
            shown.advance()
        below = np.cumsum(counts)
        bucket = int(np.searchsorted(below, size))
        near = []
        for low, high in spans:
            each = stream.words(low, high - low)
            near.append(each[(each >> np.uint64(48)) == bucket])
            shown.advance()
    found = np.sort(np.concatenate(near))
    place = size - 1 - int(below[bucket] - counts[bucket])
    tied = place + 1 < len(found) and found[place] == found[place + 1]
    return None if tied else int(found[place])


def _bernoulli(sample: Bernoulli, rows: int, key: Key) -> Choice:
    threshold = bernoulli_threshold(sample, rows)
    largest = rows if sample.redraw_above is None else sample.redraw_above
    for attempt in range(1000):
        stream, drawn = key.stream("bernoulli", attempt), 0
        for low in range(0, rows, CHUNK):
            words = stream.words(low, min(CHUNK, rows - low), scratch=True)
            drawn += int(np.count_nonzero(words < np.uint64(threshold)))
        if 1 <= drawn <= largest:
            return Choice(("bernoulli", attempt), (threshold - 1,), (drawn,), planned_size(sample, rows))
    raise InvalidParameter("no sample within the size came up; raise rate or redraw_above.")


def _stratified(sample: Stratified, look: Look, key: Key) -> Choice:
    attribute = look.empty.schema[sample.column]
    taken = sizes_of(sample, attribute, look.counts.get(sample.column, np.zeros(0, dtype=np.int64)))
    counts = look.counts[sample.column]
    for attempt in range(100):
        label = ("choose", "spark", "strata", attempt)
        last = _last_words(label, sample.column, counts, taken, look, key)
        if last is not None:
            return Choice(label, last, tuple(taken.tolist()), int(taken.sum()), sample.column)
    raise InvalidParameter("no sample could be drawn; this is a bug, please report it.")


def _last_words(label: Label, column: str, counts: Whole, taken: Whole, look: Look, key: Key) -> tuple[int, ...] | None:
    """Find the largest drawn word of each stratum, or none if one occurs twice.

    Where it lies is known up to chance, so only the words near there are fetched, and those below are counted. Should it
    not be among them after all, a wider window is tried.
    """
    width = 8.0
    while True:
        low, high = _window(counts, taken, width)
        with stage("Drawing the sample"), in_one_sentence("drawing a sample"):
            found = _near(label, column, low, high, look, key.for_tasks())
        below = np.zeros(len(counts), dtype=np.int64)
        np.add.at(below, found["stratum"], found["below"])
        last, inside = [0] * len(counts), True
        for stratum in np.flatnonzero(taken):
            if taken[stratum] == counts[stratum]:
                last[stratum] = 2**64 - 1
                continue
            words = np.sort(found["words"][found["of"] == stratum])
            place = int(taken[stratum] - 1 - below[stratum])
            if not 0 <= place < len(words) - 1:  # the next word must be seen too, to tell that it is another one
                inside = False
                break
            if words[place] == words[place + 1]:
                return None
            last[stratum] = int(words[place])
        if inside:
            return tuple(last)
        width *= 4


def _window(counts: Whole, taken: Whole, width: float) -> tuple[list[int], list[int]]:
    """Return between which words the last drawn one of each stratum lies, ``width`` standard deviations either way."""
    low, high = [], []
    for n, m in zip(counts.tolist(), taken.tolist(), strict=True):
        middle, reach = m / max(n, 1), width * (math.sqrt(max(m, 1)) + 1) / max(n, 1)
        low.append(max(0, int((middle - reach) * 2**64)))
        high.append(min(2**64 - 1, int((middle + reach) * 2**64)))
    return low, high


def _near(label: Label, column: str, low: list[int], high: list[int], look: Look, key: TaskKey) -> dict[str, Any]:
    """Fetch the words inside each stratum's window, and count those below it."""
    reader, parts = look.reader, look.parts
    kinds = {"stratum": pa.int32(), "below": pa.int64(), "words": pa.list_(pa.int64())}

    def near(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            bottom, top = np.array(low, dtype=np.uint64), np.array(high, dtype=np.uint64)
            stream = key.open().stream(*label)
            for start, table in parts.numbered(reader, batches):
                stratum, words = table.codes(column), stream.words(start, table.rows)
                under, within = words < bottom[stratum], (words >= bottom[stratum]) & (words <= top[stratum])
                rows = [
                    {
                        "stratum": int(each),
                        "below": int(np.count_nonzero(under & (stratum == each))),
                        "words": words[within & (stratum == each)].view(np.int64).tolist(),
                    }
                    for each in np.unique(stratum)
                ]
                yield pa.RecordBatch.from_pylist(rows, schema=pa.schema(kinds.items()))

    found = mapped(look.frame, near, kinds).toArrow()
    lists = found.column("words").combine_chunks()
    stratum = found.column("stratum").to_numpy()
    return {
        "stratum": stratum,
        "below": found.column("below").to_numpy(),
        "words": lists.flatten().to_numpy().view(np.uint64),
        "of": np.repeat(stratum, lists.value_lengths().to_numpy()),
    }
