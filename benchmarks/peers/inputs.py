"""Tables that all packages get alike: a CSV file, what its columns are, and hierarchies as files."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

import tokumei as tk
from benchmarks import adult, data
from tokumei.examples import EDUCATION, MARITAL, OCCUPATION, REGIONS

CENSUS = ["age", "sex", "region", "education", "marital", "occupation", "hours"]
WORK = {
    "Manual": ("Farming", "Crafts", "Machines", "Beekeeper"),
    "Trade": ("Services", "Sales"),
    "Desk": ("Office", "Technical", "Management", "Judge"),
    "Care": ("Teaching", "Health"),
    "None": ("Not working",),
}


@dataclass(frozen=True)
class Input:
    """A table on disk, and what everybody is told of it."""

    name: str
    rows: int
    request: dict[str, Any]

    def frame(self) -> pd.DataFrame:
        """The table, as every side reads it."""
        return pd.read_csv(self.request["data"], keep_default_na=False)


def written(name: str, frame: pd.DataFrame, columns: list[str], sensitive: str, home: Path) -> Input:
    """Write a table; a column's domain is what occurs in it, in declared order where one is declared."""
    folder = home / name.replace(" ", "-").replace(",", "")
    folder.mkdir()
    frame[[*columns, sensitive]].to_csv(folder / "data.csv", index=False)
    domains: dict[str, Any] = {}
    for column in columns:
        if pd.api.types.is_numeric_dtype(frame[column]):
            domains[column] = {"low": int(frame[column].min()), "high": int(frame[column].max())}
        else:
            found = set(frame[column])
            declared = DECLARED.get(column, ())
            domains[column] = (
                [value for value in declared if value in found] if found <= set(declared) else sorted(found)
            )
    request = {
        "data": str(folder / "data.csv"),
        "columns": columns,
        "sensitive": sensitive,
        "domains": domains,
        "sensitive_values": sorted(frame[sensitive].unique()),
    }
    return Input(name, len(frame), request)


DECLARED: dict[str, tuple[str, ...]] = {
    "sex": ("Female", "Male"),
    "region": REGIONS,
    "education": EDUCATION,
    "marital": MARITAL,
    "occupation": OCCUPATION,
}


def census(rows: int, home: Path, columns: list[str] | None = None) -> Input:
    """Invented people, with a tree for every column."""
    chosen = columns or CENSUS
    made = written(f"census, {rows:,}", tk.example_census(rows=rows), chosen, "income", home)
    trees = {
        "region": _grouped({"City": REGIONS[:2], "Hills": (REGIONS[2], REGIONS[6]), "Plain": REGIONS[3:5]}, REGIONS),
        "education": _grouped({"School": EDUCATION[:3], "University": EDUCATION[4:]}, EDUCATION),
        "occupation": _grouped(WORK, OCCUPATION),
        "sex": [[value, "*"] for value in DECLARED["sex"]],
        "marital": [[value, "*"] for value in MARITAL],
        "age": [[f"{at}", *(_band(at, width) for width in (5, 10, 20, 40)), "*"] for at in range(17, 91)],
        "hours": [[f"{at}", *(_band(at, width) for width in (5, 10, 20, 40)), "*"] for at in range(81)],
    }
    folder = Path(made.request["data"]).parent
    for name in chosen:
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=";").writerows(trees[name])
    made.request["hierarchies"] = {name: str(folder / f"{name}.csv") for name in chosen}
    return made


def _grouped(groups: dict[str, tuple[str, ...]], values: tuple[str, ...]) -> list[list[str]]:
    over = {value: label for label, members in groups.items() for value in members}
    return [[value, f"{over[value]} group" if value in over else value, "*"] for value in values]


def _band(at: int, width: int) -> str:
    return f"{at // width * width}-{at // width * width + width - 1}"


def tables(sizes: list[int], home: Path) -> list[Input]:
    """Tables of invented people, and Adult where its size is asked for and the data folder is there."""
    with_adult = data.named() is not None
    return [
        adult_rows(home) if size == adult.COMPLETE else census(size, home)
        for size in sizes
        if size != adult.COMPLETE or with_adult
    ]


def adult_rows(home: Path) -> Input:
    """The 30,162 complete rows of Adult's training part, eight columns, ARX's example hierarchies."""
    made = written("Adult, 30,162", adult.complete().to_pandas(), adult.COLUMNS, "income", home)
    made.request["hierarchies"] = {
        name: str(data.path(f"adult_hierarchies/{name}.csv").resolve()) for name in adult.COLUMNS
    }
    return made
