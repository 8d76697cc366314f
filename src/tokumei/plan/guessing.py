"""What a column seems to be for, by its name and its cells: a guess, with the reason for it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.table.domain import family
from tokumei.table.observed import FEW
from tokumei.table.schema import Role

IDENTIFIERS = re.compile(
    r"(^|[^a-z])(id|uid|uuid|guid|no|nr|number|name|names|surname|firstname|lastname|fullname|username|login|e-?mail|mail|"
    r"phone|mobile|fax|tel|telephone|ssn|passport|iban|account|address|street|url|ip|plate|patient|customer|person|"
    r"hhid|hid|pid|hhno|hhnum|pno|idno|idnum|caseid|respid|persid|personid|householdid|serial|serialno)"
    r"([^a-z]|$)|_id$|氏名|名前|姓名|苗字|名字|氏$|住所|番地|電話|携帯|メール|口座|マイナンバー|個人番号|番号|顧客|患者",
    re.IGNORECASE,
)
SENSITIVE = re.compile(
    r"所得|年収|給与|病|診断|宗教|信条|犯罪|income|salary|wage|disease|diagnos|icd|health|religion|belief|politic|vote|sexual|crime|convict|debt|credit",
    re.I,
)
WEIGHTS = re.compile(
    r"(^|[^a-z])[a-z]{0,8}(weights?|wgts?|wts?)([^a-z]|$)|^wt[a-z]*$|^w(_|\d|$)|ウェイト|ウエイト|乗率", re.IGNORECASE
)
OF_BODIES = re.compile(r"birth|body|over|under|height|kg|lbs?([^a-z]|$)|gram|体重", re.IGNORECASE)
BARE = re.compile(r"^(weights?|wts?)$", re.IGNORECASE)  # people weigh something, too
CODED = re.compile(
    r"(^|[^a-z])(codes?|cd|isco|isic|nace|naics|zip|postal|postcode|plz|district|province|county|region|municipality|psu|"
    r"cluster|stratum|strata)([^a-z]|$)|コード|市区町村|都道府県",
    re.IGNORECASE,
)
HEAVIEST = 650  # kilograms
MANY_LABELS = 1000
ALONE = 0.95  # of the rows have a whole number of their own: a number of people or households
SHORT = 20  # rows of a table in which that says nothing

WHY: dict[Role, str] = {
    "identifier": "names a person directly: it is dropped",
    "person": "says whose row it is, if people have several: it is dropped, and guarantees are for people",
    "quasi_identifier": "others may know it about a person: it is perturbed",
    "sensitive": "should not become known about a person: see 'kept' below",
    "insensitive": "identifies nobody and may be known: see 'kept' below",
}
LIKE_NAMES = "most rows have a different value, as with a name: it is dropped"
LIKE_NUMBERS = (
    "nearly every row has a different whole number, as in numbering people or households: it is dropped; if it "
    "is an amount, make it a quasi_identifier or sensitive, and give it a domain"
)
REPEATS = (
    '; its values repeat: if they say whose row each is, use "person", and guarantees are for people or households'
)
LIKE_WEIGHTS = (
    "looks like a survey weight: it is released unchanged, so that analysts can weight by it; a weight that few "
    "rows have points to them, so round it to few values, or drop it (identifier); if it is the weight of "
    'people\'s bodies, use "quasi_identifier"'
)

OR_WEIGHTS = '; if it is a survey weight, not a body weight, use "insensitive"'


def guess_role(name: str, column: Any) -> tuple[Role, str]:
    """Guess the role of an Arrow column from its name and its cells, and say why."""
    if weights(name, column):
        return "insensitive", LIKE_WEIGHTS
    if named_like_an_identifier(name):
        return "identifier", WHY["identifier"] + (REPEATS if _repeats(column) else "")
    if SENSITIVE.search(name):
        return "sensitive", WHY["sensitive"]
    different = len(column.unique())
    if family(column.type) == "text" and len(column) > 1 and (different > 0.5 * len(column) or different > MANY_LABELS):
        return "identifier", LIKE_NAMES
    if len(column) >= SHORT and different > ALONE * len(column) and _whole(column):
        return "identifier", LIKE_NUMBERS
    return "quasi_identifier", WHY["quasi_identifier"] + (OR_WEIGHTS if BARE.match(name) else "")


def most_codes(name: str) -> int:
    """Return up to how many different whole numbers of a column are taken for codes: more where its name says so."""
    return MANY_LABELS if CODED.search(_words(name)) else FEW


def named_like_an_identifier(name: str) -> bool:
    """Whether a name is one of those that identifiers have."""
    return IDENTIFIERS.search(_words(name)) is not None


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)  # firstName is two words


def _repeats(column: Any) -> bool:
    there = column.drop_null()
    return 2 * len(there.unique()) <= len(there)


def _numbers(column: Any) -> Any:
    """Return the numbers of a column that are there, or None where it has none."""
    if family(column.type) != "numbers":
        return None
    there = np.asarray(column.cast(pa.float64(), safe=False).drop_null().to_numpy())
    there = there[np.isfinite(there)]
    return there if len(there) else None


def _whole(column: Any) -> bool:
    numbers = _numbers(column)
    return numbers is not None and bool(np.all(np.trunc(numbers) == numbers))


def weights(name: str, column: Any) -> bool:
    """Whether a column seems to hold survey weights: named so, none below zero, and not what people weigh."""
    words = _words(name)
    numbers = _numbers(column)
    if numbers is None or not WEIGHTS.search(words) or OF_BODIES.search(words):
        return False
    if numbers.min() < 0 or numbers.max() == 0:
        return False
    fractions = bool(np.any(np.trunc(numbers) != numbers))
    if BARE.match(name) and numbers.max() <= HEAVIEST:  # kilograms have one decimal at most
        return bool(np.any(np.abs(numbers * 10 - np.rint(numbers * 10)) > 1e-6))
    return fractions or len(np.unique(numbers)) > 2
