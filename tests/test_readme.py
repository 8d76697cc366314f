"""What the README shows of the demonstration is what the demonstration finds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tokumei as tk

ROOT = Path(__file__).parent.parent
SCHOOLING = {
    "School": ["None", "Primary", "Secondary"],
    "Vocational": ["Vocational"],
    "University": ["Bachelor", "Master", "Doctorate"],
}


def shown() -> tuple[dict[str, list[float]], list[float]]:
    """Return the shares of each line, and by how much the last two columns are said to be off."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- printed by tokumei demo -->\n```text\n(.*?)```", text, flags=re.DOTALL)
    assert found is not None
    lines = {
        label: [float(share) for share in re.findall(r"([\d.]+)%", found[1].split(label)[1])[:3]] for label in SCHOOLING
    }
    return lines, [float(points) for points in re.findall(r"([\d.]+) points", found[1])]


def test_the_original_column_is_that_of_the_example() -> None:
    people = tk.example_census()
    well_paid = people["income"].isin(["50k to 100k", "over 100k"])
    for label, values in SCHOOLING.items():
        assert 100 * well_paid[people["education"].isin(values)].mean() == pytest.approx(
            shown()[0][label][0], abs=0.051
        )


def test_the_means_are_those_of_the_lines_shown() -> None:
    lines, means = shown()
    assert len(means) == 2
    for place, stated in enumerate(means, start=1):
        errors = [abs(line[place] - line[0]) for line in lines.values()]
        assert sum(errors) / len(errors) == pytest.approx(stated, abs=0.1)


def test_the_share_of_unique_records_is_that_of_the_example() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    stated = re.search(r"(\d+)% of ([\d,]+) invented people have a unique combination", text)
    assert stated is not None
    people = tk.example_census()
    found = tk.check(people, tk.example_schema().names("quasi_identifier"))
    assert len(people) == int(stated[2].replace(",", ""))
    assert round(100 * found.unique / len(people)) == int(stated[1])
