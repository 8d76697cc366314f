from __future__ import annotations

import copy
import itertools
import pickle
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from tokumei.errors import InvalidParameter
from tokumei.randomness import Key, generator, permutation


def test_words_do_not_depend_on_how_they_are_fetched() -> None:
    stream = Key.seeded(1).stream("column", "age")
    for bits in (32, 64):
        whole = stream.words(0, 1000, bits)
        for start, count in itertools.product((0, 1, 2, 3, 5, 17, 500), (0, 1, 2, 7, 333)):
            assert np.array_equal(stream.words(start, count, bits), whole[start : start + count])
        places = np.array([999, 0, 3, 3, 512])
        assert np.array_equal(stream.words_at(places, bits), whole[places])


def test_longer_than_one_buffer_of_zeros() -> None:
    stream = Key.seeded(1).stream("long")
    whole = stream.words(0, 300_000)
    assert np.array_equal(whole[299_000:], stream.words(299_000, 1000))
    assert len(np.unique(whole)) == len(whole)


def test_scratch_words_are_the_same_words() -> None:
    stream = Key.seeded(1).stream("x")
    assert np.array_equal(stream.words(3, 50, scratch=True).copy(), stream.words(3, 50))


def test_streams_differ_by_label_key_and_attempt() -> None:
    key = Key.seeded(1)
    streams = [
        key.stream("a"),
        key.stream("b"),
        key.stream("a", "b"),
        key.stream("ab"),
        key.stream("a").sub("retry", 1),
        key.stream("a").sub("retry", 2),
        Key.seeded(2).stream("a"),
        Key.fresh().stream("a"),
        Key.fresh().stream("a"),
    ]
    first = {int(stream.words(0, 1)[0]) for stream in streams}
    assert len(first) == len(streams)


def test_keys_come_from_the_operating_system() -> None:
    # In a process of its own: here what the operating system gives is stood in for.
    program = "from tokumei.randomness import Key; print(Key.fresh()._secret.hex(), Key.fresh()._secret.hex())"
    keys = [subprocess.check_output([sys.executable, "-c", program], text=True).split() for _ in range(2)]
    assert len({*keys[0], *keys[1]}) == 4
    assert all(len(key) == 64 for key in keys[0])


def test_fresh_keys_are_secure_and_seeded_ones_are_not() -> None:
    assert Key.fresh().secure
    assert not Key.seeded(0).secure


def test_secrets_are_neither_shown_nor_pickled() -> None:
    key = Key.fresh()
    stream = key.stream("a")
    for thing in (key, stream):
        assert key._secret.hex() not in repr(thing)
        assert str(key._secret) not in repr(thing)
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(thing)
        with pytest.raises(TypeError, match="not pickled"):
            copy.deepcopy(thing)


@pytest.mark.parametrize("seed", [-1, 1.5, True, "1", None])
def test_bad_seeds(seed: object) -> None:
    with pytest.raises(InvalidParameter, match="seed must be a whole number"):
        Key.seeded(seed)  # type: ignore[arg-type]


def test_bits_are_balanced() -> None:
    words = Key.seeded(3).stream("bits").words(0, 100_000)
    for bit in range(64):
        ones = int(((words >> np.uint64(bit)) & np.uint64(1)).sum())
        assert stats.binomtest(ones, len(words)).pvalue > 1e-6


def test_every_order_is_equally_likely() -> None:
    orders = dict.fromkeys(itertools.permutations(range(4)), 0)
    key = Key.seeded(5)
    for i in range(6000):
        orders[tuple(permutation(key.stream("shuffle", i), 4).tolist())] += 1
    assert stats.chisquare(list(orders.values())).pvalue > 1e-4


def test_a_permutation_is_one_and_repeats_itself() -> None:
    order = permutation(Key.seeded(6).stream("shuffle"), 600_001)
    assert np.array_equal(np.sort(order), np.arange(600_001))
    assert np.array_equal(order, permutation(Key.seeded(6).stream("shuffle"), 600_001))
    assert abs(np.corrcoef(order, np.arange(600_001))[0, 1]) < 0.01


@pytest.mark.parametrize("count", [0, 1, 2])
def test_tiny_permutations(count: int) -> None:
    assert sorted(permutation(Key.fresh().stream("s"), count)) == list(range(count))


def test_rejected_draws_are_drawn_again_from_their_own_words() -> None:
    stream = Key.seeded(7).stream("r")
    asked: list[list[int]] = []

    def draw(words: np.ndarray, places: np.ndarray) -> np.ndarray:
        assert np.array_equal(words, stream.sub("retry", len(asked) + 1).words_at(places + 100))
        asked.append(places.tolist())
        return places[::2][: len(places) // 2]

    stream.redraw(100, np.array([4, 9, 11]), draw)
    assert asked == [[4, 9, 11], [4]]


@pytest.mark.parametrize("state", [-1, 1.5, "7", True, [1, 2]])
def test_a_random_state_is_a_whole_number_a_generator_or_nothing(state: object) -> None:
    with pytest.raises(InvalidParameter, match="random_state must be a whole number of at least 0"):
        generator(state)  # type: ignore[arg-type]


def test_generators_repeat_and_are_passed_on() -> None:
    assert generator(3).random() == generator(np.int64(3)).random()
    own = generator(None)
    assert generator(own) is own
