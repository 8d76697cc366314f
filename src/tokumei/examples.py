"""Example data that the package makes itself: a census-like table of people who do not exist.

The columns are associated as in real tables (older people are more often widowed, schooling leads to some
occupations and to income), and there are rare values, because those are what gives people away.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.memory import within_memory
from tokumei.plain_values import plain_arguments
from tokumei.randomness import generator
from tokumei.table.domain import Categories, Numbers
from tokumei.table.frames import FrameKind, frame_kind, from_arrow
from tokumei.table.hierarchy import Hierarchy
from tokumei.table.schema import Attribute, Schema

REGIONS = ("Harbour", "Old Town", "Hillside", "Riverside", "Marshland", "Forest", "Upper Valley", "Lighthouse Isle")
REGION_SHARES = (0.24, 0.2, 0.17, 0.15, 0.11, 0.08, 0.046, 0.004)
EDUCATION = ("None", "Primary", "Secondary", "Vocational", "Bachelor", "Master", "Doctorate")
MARITAL = ("Single", "Married", "Separated", "Divorced", "Widowed")
OCCUPATION = (
    "Not working", "Farming", "Crafts", "Machines", "Services", "Sales", "Office", "Technical", "Teaching", "Health",
    "Management", "Judge", "Beekeeper",
)  # fmt: skip
INCOME = ("under 20k", "20k to 50k", "50k to 100k", "over 100k")


@within_memory()
def example_schema() -> Schema:
    """Return the schema of `example_census`, with declared domains and hierarchies."""
    areas = {
        "City": REGIONS[:2],
        "Hills": (REGIONS[2], REGIONS[6]),
        "Plain": (REGIONS[3], REGIONS[4]),
        "Edge": (REGIONS[5], REGIONS[7]),
    }
    schooling = {"School": EDUCATION[:3], "Vocational": EDUCATION[3:4], "University": EDUCATION[4:]}
    return Schema(
        (
            Attribute("person_id", "identifier"),
            Attribute(
                "age",
                "quasi_identifier",
                Numbers(17, 90, step=1),
                Hierarchy.intervals([17, 30, 45, 60, 75, 90], [17, 45, 90]),
            ),
            Attribute("sex", "quasi_identifier", Categories(("Female", "Male"))),
            Attribute("region", "quasi_identifier", Categories(REGIONS), Hierarchy.groups(areas)),
            Attribute(
                "education", "quasi_identifier", Categories(EDUCATION, ordered=True), Hierarchy.groups(schooling)
            ),
            Attribute("marital", "quasi_identifier", Categories(MARITAL)),
            Attribute("occupation", "quasi_identifier", Categories(OCCUPATION)),
            Attribute("hours", "quasi_identifier", Numbers(0, 80, step=1)),
            Attribute("income", "sensitive", Categories(INCOME, ordered=True)),
        )
    )


@within_memory()
@plain_arguments
def example_census(rows: int = 12_000, random_state: int | None = 20_26, frame: FrameKind = "pandas") -> Any:
    """Make a table of this many invented people.

    >>> example_census(rows=3, frame="pyarrow").column_names
    ['person_id', 'age', 'sex', 'region', 'education', 'marital', 'occupation', 'hours', 'income']
    """
    if rows < 1:
        raise InvalidParameter("rows must be at least 1. Got {rows}.", rows=rows)
    rng = generator(random_state)
    age = np.clip(np.rint(17 + 73 * rng.beta(1.35, 2.1, rows)), 17, 90).astype(np.int64)
    female = rng.random(rows) < 0.51
    region = rng.choice(len(REGIONS), rows, p=REGION_SHARES)
    city = region <= 1
    # Schooling: the young and the city went further; the youngest are not done yet.
    reach = rng.normal(2.6 + 0.5 * city - 0.018 * np.maximum(age - 35, 0), 1.15)
    reach = np.where(age < 22, np.minimum(reach, 2.9), np.where(age < 25, np.minimum(reach, 4.4), reach))
    education = np.clip(np.digitize(reach, [0.2, 1.4, 2.7, 3.6, 4.7, 5.6]), 0, 6)
    marital = _marital(age, rng)
    occupation = _occupation(age, education, female, city, rng)
    working = occupation > 0
    hours = np.where(working, np.clip(np.rint(rng.normal(39 - 5.0 * female + 4.0 * (occupation == 10), 8)), 4, 80), 0)
    wage = (
        8.9 + 0.32 * education + 0.028 * np.minimum(age, 55) - 0.12 * female + 0.35 * (occupation >= 9)
        + 0.25 * (occupation == 10) + 0.1 * city + rng.normal(0, 0.4, rows)
        + np.where(working, 0.016 * hours - 0.55, -1.3)
    )  # fmt: skip
    income = np.digitize(np.exp(wage), [20_000, 50_000, 100_000])
    ids = rng.permutation(rows * 7)[:rows] + 100_000
    table = pa.table(
        {
            "person_id": pa.array([f"P{number}" for number in ids]),
            "age": pa.array(age),
            "sex": _labels(np.where(female, 0, 1), ("Female", "Male")),
            "region": _labels(region, REGIONS),
            "education": _labels(education, EDUCATION),
            "marital": _labels(marital, MARITAL),
            "occupation": _labels(occupation, OCCUPATION),
            "hours": pa.array(hours.astype(np.int64)),
            "income": _labels(income, INCOME),
        }
    )
    return from_arrow(table, frame_kind(frame))


def _marital(age: Integers, rng: np.random.Generator) -> Integers:
    odds = np.stack(
        [
            np.exp(-(age - 17) / 11.0) + 0.09,
            0.9 / (1 + np.exp(-(age - 29) / 4.0)),
            np.full(len(age), 0.02),
            0.2 / (1 + np.exp(-(age - 40) / 6.0)),
            1.3 / (1 + np.exp(-(age - 80) / 6.0)),
        ]
    )
    return _choose(odds, rng)


def _occupation(
    age: Integers,
    education: npt.NDArray[Any],
    female: Booleans,
    city: Booleans,
    rng: np.random.Generator,
) -> Integers:
    low, high = np.exp(-0.9 * education), np.exp(0.8 * (education - 4.0))
    middle = np.exp(-(((education - 2.5) / 1.4) ** 2))
    one = np.ones(len(age))
    odds = np.stack(
        [
            0.15 + 1.6 / (1 + np.exp(-(age - 66) / 2.5)) * 8 + 0.5 * (age < 21),
            (0.3 + low) * (1.2 - city),
            middle * (1.2 - 0.9 * female),
            (0.4 * middle + low) * (1.0 - 0.6 * female),
            0.8 * (middle + low),
            0.6 * (middle + 0.3),
            0.7 * (0.5 * middle + high * 0.3) * (1 + female),
            0.5 * (middle + high),
            0.5 * high * (1 + female),
            0.45 * (0.3 * middle + high) * (1 + female),
            0.5 * high * np.minimum((age - 17) / 20.0, 1.3),
            0.006 * high * (age > 38),
            0.004 * one,
        ]
    )
    return _choose(odds, rng)


def _choose(odds: Floats, rng: np.random.Generator) -> Integers:
    """Draw one place for each column of the odds."""
    reach = np.cumsum(odds, axis=0)
    return (rng.random(odds.shape[1]) * reach[-1] >= reach).sum(axis=0)


def _labels(codes: npt.NDArray[Any], labels: tuple[str, ...]) -> Any:
    return pa.array(labels).take(pa.array(codes))
