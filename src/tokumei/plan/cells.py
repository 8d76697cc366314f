"""What the cells of a column look like, whatever its name is: addresses, telephone numbers, free text, weights, codes for missing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.arrays import Floats, Integers
from tokumei.table.domain import DEFAULT_PARTS, Numbers, family, plain

MOST = 0.8  # of the cells look like it
LONG = 40  # characters of a cell on average, and
SPOKEN = 5  # words of it: free text
EMAIL = r"^\s*[^@\s]+@[^@\s]+\.[A-Za-z]{2,}\s*$"
PHONE = r"^\s*(\+\d[\d\s().-]{7,}|0\d{1,4}[\s().-]+\d{1,4}[\s().-]+\d{3,4}|\(\d{2,5}\)\s*\d[\d\s-]{4,})\s*$"
NUMBER = r"^\s*[-+]?(\d+([.,]\d+)?|\d{1,3}([., ]\d{3})+([.,]\d+)?|[.,]\d+)\s*$"
STEPS = tuple(Fraction(each) for each in ("1/2", "1/4", "1/5", "1/10", "1/20", "1/100", "1/1000"))
# Codes that surveys write where there is no answer.
BELOW = {*range(-9, 0), -66, -77, -88, -96, -97, -98, -99, -999, -9999}
ABOVE = {base + last for base in (90, 990, 9990, 99990, 999990) for last in (6, 7, 8, 9)} | {
    77,
    88,
    777,
    888,
    7777,
    8888,
}


def numbers_of(column: Any) -> Floats | None:
    """Return the numbers of a column that are there, or None where it has none."""
    if family(column.type) != "numbers":
        return None
    there = np.asarray(column.cast(pa.float64(), safe=False).drop_null().to_numpy())
    there = there[np.isfinite(there)]
    return there if len(there) else None


class Texts(NamedTuple):
    """The different texts of a column, and how many cells have each; missing cells are left out."""

    values: Any
    rows: Integers

    def share(self, holds: Any) -> float:
        """Return the share of the cells whose text has a property, or the mean over the cells of a number."""
        return float(np.dot(holds.to_numpy(zero_copy_only=False).astype(np.float64), self.rows) / self.rows.sum())


def numbered(column: Any) -> Any:
    """Return a column of text in which equal cells have the same number, which makes looking at it several times quick."""
    return (
        column.dictionary_encode()
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
        else column
    )


def texts_of(column: Any) -> Texts | None:
    """Return the different texts of a column, or None where it has none."""
    if family(column.type) != "text":
        return None
    if pa.types.is_dictionary(column.type):
        whole = plain(column.unify_dictionaries() if isinstance(column, pa.ChunkedArray) else column)
        numbers = whole.indices.drop_null().to_numpy(zero_copy_only=False)
        rows = np.bincount(numbers, minlength=len(whole.dictionary))
        found = Texts(whole.dictionary.filter(pa.array(rows > 0)), rows[rows > 0])
    else:
        counted = plain(column.drop_null()).value_counts()
        found = Texts(counted.field(0), counted.field(1).to_numpy())
    return found if len(found.values) else None


def mostly(column: Any, form: str, share: float = MOST) -> bool:
    """Whether most cells of text that are there have a form."""
    texts = texts_of(column)
    return texts is not None and texts.share(pc.match_substring_regex(texts.values, form)) >= share


def free_text(column: Any) -> bool:
    """Whether cells are sentences.

    >>> free_text(pa.chunked_array([["She said that the doctor in her town did not see her again.", "no"]]))
    False
    """
    texts = texts_of(column)
    if texts is None:
        return False
    words = pc.add(pc.count_substring_regex(texts.values, r"\S\s+\S"), 1)
    length = texts.share(pc.utf8_length(texts.values))
    ideographs = mostly(column, r"[\x{3040}-\x{30ff}\x{4e00}-\x{9fff}]", 0.5)  # written without spaces
    return length > (LONG / 2 if ideographs else LONG) and (ideographs or texts.share(words) >= SPOKEN)


def sums_like_weights(column: Any) -> str | None:
    """Say why numbers look like calibrated weights: with many decimals, above zero, and summing up to the rows or to a whole number of people.

    Numbers of four decimals and more that are no weights add up to a whole number in one table of five hundred.
    """
    numbers = numbers_of(column)
    if numbers is None or len(numbers) < 50 or numbers.min() <= 0:
        return None
    fine = np.abs(numbers * 1000 - np.rint(numbers * 1000)) > 1e-6 * np.maximum(1, np.abs(numbers))
    if fine.mean() < 0.5:
        return None
    total = float(numbers.sum())
    if abs(total / len(numbers) - 1) < 1e-3:
        return "its numbers have many decimals and a mean of 1, as scaled survey weights have"
    if total > 2 * len(numbers) and abs(total - round(total)) < 1e-3:
        return "its numbers have many decimals and add up to a whole number, as weights do that were calibrated to a population"
    return None


def stray_text(column: Any) -> int:
    """Count the cells of text among numbers, where a column has mostly numbers and not only these.

    >>> stray_text(pa.chunked_array([["1", "2", "3", "4", "5", "refused"]]))
    1
    """
    texts = texts_of(column)
    if texts is None:
        return 0
    numbers = pc.match_substring_regex(texts.values, NUMBER)
    return int(texts.rows[~numbers.to_numpy(zero_copy_only=False)].sum()) if texts.share(numbers) >= MOST else 0


def sentinels(column: Any) -> dict[int, int]:
    """Count the cells of codes that surveys write for no answer, where these lie apart from all other numbers.

    >>> sentinels(pa.chunked_array([[20, 35, 47, 61, 999, 999, -9]]))
    {-9: 1, 999: 2}
    """
    numbers = numbers_of(column)
    if numbers is None:
        return {}
    counted = pa.array(numbers).value_counts()  # of few different numbers, which are then sorted
    order = np.argsort(counted.field(0).to_numpy())
    different, counts = (counted.field(at).to_numpy()[order] for at in (0, 1))
    code = np.isin(different, [*BELOW, *ABOVE])
    others = different[~code]
    if not len(others) or not code.any():
        return {}
    low, high = float(others.min()), float(others.max())
    gap = max(2.0, 0.15 * (high - low))
    above_all = different[code][(different[code] > high + gap)]
    below_all = different[code][(different[code] < 0)] if low >= 0 else np.array([])
    # Nines that fill one digit more than the largest value, or codes below zero where nothing else is.
    apart = {*above_all.tolist(), *below_all.tolist()}
    return {int(each): int(count) for each, count in zip(different, counts, strict=True) if each in apart}


def natural_step(column: Any, domain: Numbers, parts: int = DEFAULT_PARTS) -> Numbers:
    """Return numbers on the grid that they are written on, such as halves, where it has at most ``parts`` parts.

    >>> natural_step(pa.chunked_array([[150.5, 171.0, 180.5]]), Numbers(150.5, 180.5, quantity=False)).step
    0.5
    >>> natural_step(pa.chunked_array([[0, 5_000, 40_000_000]]), Numbers(0, 40_000_000, 625, quantity=False)).step
    5000
    """
    numbers = numbers_of(column)
    if numbers is None:
        return domain
    if domain.step is not None:
        return _whole_step(numbers, domain, parts)
    for step in STEPS:
        places = numbers * step.denominator
        if np.all(np.abs(places - np.rint(places)) < 1e-6 * np.maximum(1, np.abs(places)) / 1000):
            low, high = (Fraction(round(end * step.denominator), step.denominator) for end in (domain.low, domain.high))
            if (high - low) / step > parts or high == low:
                return domain
            return Numbers(float(low), float(high), float(step), quantity=domain.quantity)
    return domain


def _whole_step(numbers: Floats, domain: Numbers, parts: int) -> Numbers:
    """Return whole numbers that a coarse step would move on the grid that they are written on, such as thousands."""
    low = int(domain.low)
    if domain.step is None or domain.step <= 1 or not domain.whole:
        return domain
    step, high = int(np.gcd.reduce(numbers.astype(np.int64) - low)), int(numbers.max())
    if step == 0 or (high - low) // step > parts:
        return domain
    return Numbers(low, high, step, quantity=domain.quantity)
