from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.bounds import LARGEST_DOMAIN
from tokumei.errors import DataError, InvalidParameter
from tokumei.table.domain import OUTSIDE, code_type, family
from tokumei.table.observed import observe


def test_categories_code_text_in_every_dress() -> None:
    domain = tk.Categories(["b", "a"])
    plain = pa.array(["a", "b", None, "z"])
    for column in (
        plain,
        plain.cast(pa.large_string()),
        plain.dictionary_encode(),
        pa.chunked_array([plain[:1], plain[1:]]),
    ):
        coded = domain.code(column)
        assert coded.codes.tolist() == [1, 0, 2, OUTSIDE]
        assert coded.outside == 1


def test_whole_number_labels_survive_pandas_floats() -> None:
    domain = tk.Categories([3, 1])
    assert domain.code(pa.array([1.0, None, 3.5, math.nan, 3.0])).codes.tolist() == [1, 2, OUTSIDE, 2, 0]
    assert domain.code(pa.array([1, 3], pa.int8())).codes.tolist() == [1, 0]


def test_booleans_and_nothing_but_missing() -> None:
    assert tk.Categories([False, True]).code(pa.array([True, None, False])).codes.tolist() == [1, 2, 0]
    assert tk.Categories(["a"]).code(pa.nulls(2)).codes.tolist() == [1, 1]
    assert tk.Numbers(0, 1, step=1).code(pa.nulls(2)).codes.tolist() == [2, 2]


def test_codes_and_values_are_inverse() -> None:
    domains = [
        tk.Categories(["x", "y"]),
        tk.Numbers(-3, 3, step=1),
        tk.Numbers(0, 1, step=0.1),
        tk.Numbers(0.05, 0.35, step=0.05),
        tk.Numbers(-1, 1),
        tk.Dates(dt.date(2020, 2, 27), dt.date(2020, 3, 2)),
        tk.Dates(dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2), step=6, unit="hour"),
    ]
    for domain in domains:
        codes = np.arange(domain.size + 1)
        values = domain.values_of(codes)
        assert values.null_count == 1
        coded = domain.code(values)
        assert np.array_equal(coded.codes, codes)
        assert coded.rounded == 0
        assert len(domain.labels()) == domain.size
        assert domain.describe()


def test_decimal_grids_are_the_decimals_one_would_write() -> None:
    assert tk.Numbers(0, 1, step=0.1).points.tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert tk.Numbers(0, 10, step=2).points.dtype == np.int64
    assert tk.Numbers(0, 1).size == 2**16 + 1


def test_numbers_are_rounded_to_their_grid_and_counted() -> None:
    coded = tk.Numbers(0, 10, step=5).code(pa.array([0.0, 2.4, 2.6, 10.0]))
    assert coded.codes.tolist() == [0, 0, 1, 2]
    assert coded.rounded == 2


def test_numbers_outside_are_outside() -> None:
    domain = tk.Numbers(0, 10, step=5)
    assert domain.code(pa.array([-0.001, 10.001, math.inf, -math.inf, 10.0])).codes.tolist() == [OUTSIDE] * 4 + [2]
    assert tk.Numbers(0, 0.1, step=0.1).code(pa.array([0.1], pa.float32())).codes.tolist() == [1]


def test_dates_are_cut_down_to_their_grid() -> None:
    domain = tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 12, 31))
    coded = domain.code(
        pa.array([dt.datetime(2020, 1, 2, 23, 59), dt.datetime(2020, 12, 31, 12), None, dt.datetime(2021, 1, 1)])
    )
    assert coded.codes.tolist() == [1, 365, 366, OUTSIDE]
    assert coded.rounded == 2
    assert domain.code(pa.array([dt.date(2020, 1, 1)])).codes.tolist() == [0]


def test_decimals_are_numbers() -> None:
    from decimal import Decimal

    assert tk.Numbers(0, 2, step=0.5).code(pa.array([Decimal("1.50")])).codes.tolist() == [3]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tk.Categories([]), "at least one label"),
        (lambda: tk.Categories(["a", "a"]), "'a' is listed twice"),
        (lambda: tk.Categories(["a", 1]), "not a mixture"),
        (lambda: tk.Categories([True, 1]), "not a mixture"),
        (lambda: tk.Categories([2**60]), "2\\^53"),
        (lambda: tk.Numbers(2, 1), "low must not be above high"),
        (lambda: tk.Numbers(0, 1, step=0), "step must be above zero"),
        (lambda: tk.Numbers(0, 1, step=-1), "step must be above zero"),
        (lambda: tk.Numbers(0, 1, step=0.3), "whole number of steps above low: 0.9 or 1.2"),
        (lambda: tk.Numbers(0, math.inf), "high must be a finite number"),
        (lambda: tk.Numbers(math.nan, 1), "low must be a finite number"),
        (lambda: tk.Numbers("a", 1), "'low' must be"),
        (lambda: tk.Numbers(0, 1, 1, 1), "at most 3 positional"),
        (lambda: tk.Numbers(0), "'high' is missing"),
        (lambda: tk.Numbers(0, 1, stepp=1), "'stepp' is not known"),
        (lambda: tk.Numbers(0, LARGEST_DOMAIN, step=1), "at most 4,194,304 values"),
        (lambda: tk.Dates(dt.date(2020, 1, 2), dt.date(2020, 1, 1)), "low must not be after high"),
        (lambda: tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 1), step=0), "at least 1"),
        (lambda: tk.Dates(dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.date(2020, 1, 1)), "no time zone"),
    ],
)
def test_domains_that_cannot_be(make, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        make()


@pytest.mark.parametrize(
    ("domain", "column", "message"),
    [
        (tk.Categories(["1"]), pa.array([1]), "holds numbers but its domain lists text"),
        (tk.Categories([1]), pa.array(["1"]), "holds text but its domain lists numbers"),
        (tk.Numbers(0, 1), pa.array(["1"]), "holds text but its domain is numbers"),
        (tk.Numbers(0, 1), pa.array([True]), "holds booleans"),
        (tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 1)), pa.array(["2020-01-01"]), "parse it first"),
        (
            tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 1)),
            pa.array([dt.datetime(2020, 1, 1)], pa.timestamp("us", "UTC")),
            "time zone",
        ),
    ],
)
def test_columns_of_another_kind(domain, column, message: str) -> None:
    with pytest.raises(DataError, match=message):
        domain.code(column)


def test_observing() -> None:
    assert observe(pa.array(["b", "a", None])) == tk.Categories(("a", "b"))
    assert observe(pa.array([3, 9])) == tk.Numbers(3, 9, step=1, quantity=False)
    assert observe(pa.array([3.0, math.nan, 9.0])) == tk.Numbers(3, 9, step=1, quantity=False)
    assert observe(pa.array([0.5, 2.0])) == tk.Numbers(0.5, 2.0, quantity=False)
    assert observe(pa.array([True])) == tk.Categories((False, True))
    assert observe(pa.array([0, 10**6])).size <= 2**16 + 1
    assert observe(pa.array([dt.datetime(2020, 1, 1, 5)])) == tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 1))
    for column in (pa.array([], pa.string()), pa.nulls(3), pa.array([b"x"]), pa.array([math.inf, 1.0])):
        with pytest.raises(DataError):
            observe(column)


def test_few_whole_numbers_that_come_again_are_codes() -> None:
    assert observe(pa.array([9, 1, 3] * 2)) == tk.Categories((1, 3, 9))
    assert observe(pa.array([9.0, None, 1.0, 1.0, 9.0])) == tk.Categories((1, 9))  # as pandas keeps them beside gaps
    assert observe(pa.array([9, 1, 3])) == tk.Numbers(1, 9, step=1, quantity=False)  # three rows tell nothing
    assert observe(pa.array(list(range(24)) * 2)) == tk.Categories(tuple(range(24)))
    assert observe(pa.array(list(range(25)) * 2)) == tk.Numbers(0, 24, step=1, quantity=False)
    assert observe(pa.array([1.5, 2.0] * 9)) == tk.Numbers(1.5, 2.0, quantity=False)
    assert repr(tk.Numbers(0, 1)) == "Numbers(low=0, high=1, step=None)"
    assert repr(observe(pa.array([3, 9]))) == "Numbers(low=3, high=9, step=1, quantity=False)"


def test_small_codes_for_small_domains() -> None:
    assert code_type(tk.Categories(list(range(255)))) is np.uint8
    assert code_type(tk.Categories(list(range(256)))) is np.uint16
    assert code_type(tk.Numbers(0, 1)) is np.uint32


def test_families_have_names_a_person_would_use() -> None:
    assert family(pa.int8()) == family(pa.decimal128(5, 2)) == "numbers"
    assert family(pa.dictionary(pa.int8(), pa.string())) == "text"
    assert family(pa.binary()) == "bytes"


def test_labels_of_numbers_read_back_as_the_same_numbers() -> None:
    for domain in (tk.Numbers(0, 1), tk.Numbers(1_000_000.5, 1_000_020.5, step=1), tk.Numbers(0, 2e-6, step=1e-7)):
        labels = domain.labels()
        assert [float(label) for label in labels] == domain.points.tolist()
        assert len(set(labels)) == domain.size
    assert tk.Numbers(0, 1, step=0.25).labels() == ["0", "0.25", "0.5", "0.75", "1"]


def test_labels_of_intervals_cover_their_values() -> None:
    edges = [1_000_000.25, 1_000_000.5, 1_000_001.0]
    groups, codes = tk.Hierarchy.intervals(edges).coarsen(tk.Numbers(1_000_000.25, 1_000_001.0, step=0.25), 1)
    assert groups.labels() == ["[1000000.25, 1000000.5)", "[1000000.5, 1000001]"]
    assert codes.tolist() == [0, 1, 1, 1]
