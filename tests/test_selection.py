"""Selection sampling: the right number, the same whatever the chunks, and every sample equally likely."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest
import scipy.stats

from tokumei.randomness import Key
from tokumei.randomness._kernels import FULL, select
from tokumei.randomness.selection import Chooser, Selection, Tosses


def test_exactly_the_size_asked_for_in_each_stratum_however_rows_are_chunked() -> None:
    rng = np.random.default_rng(0)
    strata = rng.integers(0, 3, 5000)
    counts, wanted = np.bincount(strata), np.array([10, 0, 700])
    stream = Key.seeded(1).stream("sample")
    whole = Selection(stream, counts, wanted).take(5000, strata)
    assert np.bincount(strata[whole], minlength=3).tolist() == wanted.tolist()
    chunked = Selection(stream, counts, wanted)
    parts = [chunked.take(len(part), part) for part in np.array_split(strata, 17)]
    assert np.array_equal(np.concatenate(parts), whole)


@pytest.mark.parametrize("kind", ["strata", "coins"])
def test_somebody_else_goes_on_where_it_stands(kind: str) -> None:
    key, strata = Key.seeded(4), np.random.default_rng(0).integers(0, 3, 5000)
    counts = np.bincount(strata)

    def chooser() -> Chooser:
        if kind == "coins":
            return Tosses(key.stream("sample"), 2**62)
        return Selection(key.stream("sample"), counts, counts // 3)

    whole, first = chooser().take(5000, strata), chooser()
    first.take(1234, strata[:1234])
    carried = pickle.dumps(first.stand())
    assert key._secret not in carried
    rest = pickle.loads(carried).resume(key).take(5000 - 1234, strata[1234:])
    assert np.array_equal(rest, whole[1234:])
    assert 0 < rest.sum() < len(rest)


def test_every_sample_is_equally_likely() -> None:
    found = Counter(
        tuple(np.flatnonzero(Selection(Key.seeded(seed).stream("sample"), [5], [2]).take(5))) for seed in range(6000)
    )
    assert len(found) == 10
    assert scipy.stats.chisquare(list(found.values())).pvalue > 1e-4
    skewed = [count + (150 if place == 0 else -150 if place == 1 else 0) for place, count in enumerate(found.values())]
    assert scipy.stats.chisquare(skewed).pvalue < 1e-4  # the test could fail


def test_the_loop_is_its_plain_twin_and_stops_at_words_that_are_not_uniform() -> None:
    rng = np.random.default_rng(0)
    words = rng.integers(0, 2**63, 50).astype(np.uint64) * np.uint64(2)
    words[20] = FULL  # its quotient is the bound itself, so it must be drawn again
    strata = np.zeros(50, np.int64)
    left, wanted, drawn = np.array([50]), np.array([20]), np.zeros(50, np.bool_)
    rest, need, plain = 50, 20, []
    for word in words.tolist():
        bound = rest
        number = word // ((2**64 - 1) // bound)
        if number >= bound:
            break
        plain.append(number < need)
        rest, need = rest - 1, need - int(number < need)
    stopped = select(words, strata, left, wanted, 0, drawn)
    assert stopped == len(plain) == 20
    assert drawn[:stopped].tolist() == plain
    assert (left[0], wanted[0]) == (rest, need)
