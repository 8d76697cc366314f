"""What a release must keep, counted again by slow and plain means that share nothing with the library."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import math
import os
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import tokumei as tk
from tests.adversarial.people import KEY, NAME, SERIAL, People

Matrix = list[list[Fraction]]  # one row a true value, one column a released one


# Nothing is lost, nothing is added.


def originals(people: People, release: tk.Release) -> list[int]:
    """Say which row of the table each released row is, and check that the rest is counted."""
    place = {serial: row for row, serial in enumerate(people.table.column(SERIAL).to_pylist())}
    found = [place[serial] for serial in release.table.column(SERIAL).to_pylist()]
    assert len(set(found)) == len(found), "a row is there twice"
    of = release.mechanism.of or people.rows
    assert of == people.rows, "the release was drawn from another number of rows"
    facts = {fact.name: fact.value for fact in release.disclosed}
    if release.mechanism.of is None:
        assert len(found) + facts.get("left_out", 0) == people.rows, "rows are gone and nobody counted them"
    return found


def check_kept(people: People, release: tk.Release, order: list[int]) -> None:
    """Columns that are released as they are have the cells they had."""
    assert SERIAL in release.mechanism.kept
    for name in release.mechanism.kept:
        if name != NAME:
            given = people.table.column(name).to_pylist()
            assert release.table.column(name).to_pylist() == [given[row] for row in order], "a kept cell was changed"


def check_names(people: People, release: tk.Release, order: list[int]) -> None:
    """Identifiers are gone, masked, or the keyed hash that the page promises."""
    if not people.prepare:
        assert NAME not in release.table.column_names, "names were released"
        return
    given = people.table.column(NAME).to_pylist()
    key = bytes.fromhex(os.environ[KEY])

    def stands_for(name: str | None) -> str | None:
        if name is None:
            return None
        if isinstance(people.prepare[0], tk.prepare.Mask):
            return "*" + name[-2:]
        return pseudonym(key, name)

    expected = [stands_for(given[row]) for row in order]
    assert release.table.column(NAME).to_pylist() == expected, "a name stands for somebody else"


def pseudonym(key: bytes, name: str) -> str:
    """Hash a cell as docs/prepare.md says."""
    purpose = f"column {NAME}"
    message = f"tokumei pseudonym {len(purpose)}:{purpose}{name}".encode()
    return base64.b32encode(hmac.digest(key, message, hashlib.sha256)[:16]).decode().rstrip("=").lower()


# What a label may stand for.


def check_truth(people: People, release: tk.Release, order: list[int]) -> None:
    """Every released label covers the cell that the person came with, or where that is said its point of the grid."""
    recoding = release.mechanism.recoding
    for name in () if recoding is None else recoding.columns:
        assert recoding.columns[name].exact or release.method["method"] != "local_suppression", "a cell moved"
        cells = release.table.column(name).to_pylist()
        values = people.table.column(name).to_pylist() if recoding.columns[name].exact else people.true[name]
        for cell, row in zip(cells, order, strict=True):
            assert covers(people, name, cell, values[row]), "a label does not cover its value"


def covers(people: People, name: str, label: str | None, value: Any) -> bool:
    """Read a label as a person would."""
    if label is None or value is None:
        return label == "*" or (label is None and value is None)
    if label == "*" or label == text(value) or label in people.above.get(name, {}).get(value, set()):
        return True
    if not (label.startswith("[") and label.endswith("]")):
        return False
    low, high = label[1:-1].split(", ")
    values = people.schema[name].domain.values if isinstance(people.schema[name].domain, tk.Categories) else None
    if values is not None:
        return values.index(low) <= values.index(value) <= values.index(high)
    if isinstance(value, dt.date):
        return low <= str(value) <= high  # ISO texts sort as the moments do
    return Fraction(low) <= Fraction(text(value)) <= Fraction(high)


def text(value: Any) -> str:
    """Write a value as a person would."""
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def check_averages(people: People, release: tk.Release, order: list[int]) -> None:
    """A mean lies among the values of the rows that share it; medians and modes are cells of one of them, as it came."""
    averaging = release.mechanism.averaging
    if averaging is None:
        return
    columns = [release.table.column(name).to_pylist() for name in people.columns]
    members = defaultdict(list)
    for place, row in enumerate(zip(*columns, strict=True)):
        members[row].append(order[place])
    for name, how in averaging.columns.items():
        place = people.columns.index(name)
        came = people.table.column(name).to_pylist()
        for cells, rows in members.items():
            mine = [people.true[name][row] for row in rows]
            there = [value for value in mine if value is not None]
            if cells[place] is None:
                assert len(there) < len(mine), "an average is missing where no cell was"
            elif how != "mean":
                assert cells[place] in [came[row] for row in rows], "a group has a value that none of its rows has"
            else:
                assert min(there) <= cells[place] <= max(there), "an average lies outside its group"


# Classes.


def check_classes(people: People, release: tk.Release, asked: int, constraints: tuple[Any, ...]) -> None:
    """Count k and every constraint on the released cells: what is stated is what they have."""
    rows = list(zip(*(release.table.column(name).to_pylist() for name in people.columns), strict=True))
    stated = [(each.notion, each.value) for each in release.guarantees]
    smallest = min(Counter(rows).values())
    notions = [notion for notion, _ in stated]
    assert dict(stated)["k-anonymity"] == smallest, "another k is stated than the rows have"
    if "k-anonymity with wildcards" in notions:
        agreeing = min(sum(agree(mine, other) for other in rows) for mine in rows)
        assert dict(stated)["k-anonymity with wildcards"] == agreeing, "another k is stated than the rows have"
        smallest = agreeing
    assert smallest >= asked, "a class is too small"
    others = [each for each in stated if not each[0].startswith("k-")]
    for (notion, value), constraint in zip(others, constraints, strict=True):
        found = worst(rows, release.table.column(constraint.column).to_pylist(), constraint)
        assert notion == constraint.notion.name
        assert math.isclose(value, found, rel_tol=1e-9, abs_tol=1e-12), "another number is stated than the classes have"
        good = found >= constraint.asked - 1e-9 if constraint.rising else found <= constraint.asked + 1e-9
        assert good, "a class does not hold what was asked"


def agree(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two rows could be the same one, a star being anything."""
    return all("*" in (mine, theirs) or mine == theirs for mine, theirs in zip(one, other, strict=True))


def worst(rows: list[Any], sensitive: list[Any], constraint: Any) -> float:
    """Return the worst number of any class, by the definitions of the papers."""
    whole = Counter(sensitive)
    share = {value: count / len(rows) for value, count in whole.items()}
    classes = defaultdict(list)
    for row, value in zip(rows, sensitive, strict=True):
        classes[row].append(value)
    numbers = []
    for values in classes.values():
        p = {value: values.count(value) / len(values) for value in whole}
        if isinstance(constraint, tk.constraints.LDiversity) and constraint.kind == "distinct":
            numbers.append(float(len(set(values))))
        elif isinstance(constraint, tk.constraints.LDiversity):
            numbers.append(math.exp(-sum(q * math.log(q) for q in p.values() if q)))
        elif isinstance(constraint, tk.constraints.TCloseness):
            numbers.append(sum(abs(p[value] - share[value]) for value in whole) / 2)
        elif isinstance(constraint, tk.constraints.AlphaKAnonymity):
            numbers.append(max(p.values()))
        else:
            assert isinstance(constraint, tk.constraints.BetaLikeness | tk.constraints.EnhancedBetaLikeness)
            numbers.append(max(p[value] / share[value] - 1 for value in whole))
    return min(numbers) if constraint.rising else max(numbers)


# Channels.


def matrix_of(described: dict[str, Any]) -> Matrix:
    """Make the exact probabilities of a channel from its public integers."""
    kind, size = described["channel"], described.get("size", 0)
    if kind == "retention":
        total = described["keep"] + size * described["other"]
        return [
            [Fraction(described["other"] + described["keep"] * (x == y), total) for y in range(size)]
            for x in range(size)
        ]
    if kind == "grid_laplace":
        return grid_of(size, described["decay"], described["shift"])
    if kind == "grid_laplace_with_missing":
        points, flip = described["points"], Fraction(described["flip"], 2**64)
        grid = grid_of(points, described["decay"], described["shift"])
        rows = [[(1 - flip) * p for p in row] + [flip] for row in grid]
        return [*rows, [flip / points] * points + [1 - flip]]
    assert kind == "transition_matrix", kind
    return [[Fraction(weight, 2**32) for weight in row] for row in described["weights"]]


def grid_of(size: int, decay: int, shift: int) -> Matrix:
    """Make the exact probabilities of bounded Laplace noise on a grid."""
    weights, exact = [], 2**63
    for _ in range(size):
        weights.append(max(exact >> shift, 1))
        exact = exact if decay == 2**64 else exact * decay >> 64
    rows = [[weights[abs(x - y)] for y in range(size)] for x in range(size)]
    return [[Fraction(weight, sum(row)) for weight in row] for row in rows]


def swap_of(matrix: Matrix) -> Fraction:
    """Return by how much exchanging two people may change the likelihood at worst."""
    worst = Fraction(1)
    for one in matrix:
        for other in matrix:
            pairs = [(a, b) for a, b in zip(one, other, strict=True) if a or b]
            if any(not a or not b for a, b in pairs):
                return Fraction(0)
            ratios = [a / b for a, b in pairs]
            worst = min(worst, min(ratios) / max(ratios))
    return worst


def check_pk(release: tk.Release, asked: float) -> None:
    """Compute the k of a perturbed release from its public integers alone."""
    stated = [each.value for each in release.guarantees if each.notion == "Pk-anonymity"]
    grouping = release.mechanism.grouping
    if grouping is None:
        swaps = [swap_of(matrix_of(channel.describe())) for channel in release.mechanism.channels.values()]
        found = 1 + (release.rows - 1) * math.prod(swaps, start=Fraction(1))
    else:
        found = min(
            1 + (group.among - 1) * math.prod((swap_of(matrix_of(dict(c))) for c in group.channels), start=Fraction(1))
            for group in grouping.groups
        )
        assert sum(group.rows for group in grouping.groups) == release.rows
    assert len(stated) == 1
    assert Fraction(stated[0]) <= found, "more is promised than the mechanism keeps"
    assert stated[0] >= asked, "less is promised than was asked for"


# There and back.


def check_read_back(release: tk.Release, folder: Path) -> None:
    """Read both kinds of file again: the same cells, the same promise, the same facts."""
    for kind in ("parquet", "csv"):
        release.write(folder / kind, format=kind)  # type: ignore[arg-type]
        again = tk.read_release(folder / kind, frame="pyarrow")
        assert again.guarantees == release.guarantees, "another promise is read than was written"
        assert again.schema == release.schema
        assert again.mechanism == release.mechanism
        assert {f.name for f in again.disclosed} == {f.name for f in release.disclosed}
        for name in release.table.column_names:
            cells, back = release.table.column(name).to_pylist(), again.table.column(name).to_pylist()
            assert back == cells, "other cells are read than were written"
