"""Households: the same promises as for people, said of households, from the draft to the manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.release.manifest import _digest
from tokumei.risk.ladder import ladder
from tokumei.words import Words

METHODS: dict[str, Any] = {
    "noise": tk.PkPerturbation(k=5),
    "groups": tk.GroupedPkPerturbation(k=3),
    "classes": tk.Generalization(k=3),
    "cells": tk.LocalSuppression(k=3),
}


def members(unit: Any = "household", **given: Any) -> tuple[pd.DataFrame, tk.Schema]:
    rng = np.random.default_rng(5)
    house = np.sort(rng.integers(0, 200, 500))
    frame = pd.DataFrame({"hhid": house, "age": rng.integers(0, 9, 500), "sex": rng.choice(["F", "M"], 500)})
    return frame, tk.Schema(
        [
            tk.Attribute("hhid", "person", unit=unit, **given),
            tk.Attribute("age", domain=tk.Numbers(0, 8, step=1)),
            tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        ]
    )


@pytest.mark.parametrize("given", [{}, {"most": 12}], ids=["counted", "declared"])
@pytest.mark.parametrize("which", METHODS)
def test_guarantees_speak_of_households_and_are_the_same(which: str, given: Any, tmp_path: Path) -> None:
    made = {}
    for unit in ("person", "household"):
        frame, schema = members(unit, **given)
        release = tk.anonymize(frame, schema, METHODS[which], seed=1)
        release.write(tmp_path / unit, allow_seeded=True)
        made[unit] = tk.read_release(tmp_path / unit)
    person, household = made["person"].guarantees, made["household"].guarantees
    assert [each.value for each in person] == [each.value for each in household]
    assert "to a household with" in str(household[0])
    assert "to a person with" in str(person[0])
    assert "No household has more than" in str(household[0])
    assert "household" not in str(person[0])
    assert "世帯に結び付ける" in household[0].promise.in_language("ja") or "世帯" in made["household"].guarantees[
        0
    ].assumes[0].in_language("ja")


@pytest.mark.parametrize("which", METHODS)
def test_rungs_speak_of_households(which: str) -> None:
    said = {}
    for unit in ("person", "household"):
        frame, schema = members(unit)
        found = ladder(tk.anonymize(frame, schema, METHODS[which], seed=1))
        for language in ("en", "ja"):
            words = Words(language)
            bounds = [bound for rung in found.rungs for bound in rung.bounds]
            parts = [each.sentence(words) for each in bounds] + [words.say(a) for each in bounds for a in each.assumes]
            said[unit, language] = " ".join(parts)
    assert "to a household with" in said["household", "en"]
    assert "to a person with" not in said["household", "en"]
    assert "A person has at most" not in said["household", "en"]
    assert "世帯に結び付け" in said["household", "ja"]
    assert "to a household" not in said["person", "en"]


def test_what_a_release_says_of_its_unit_must_agree(tmp_path: Path) -> None:
    frame, schema = members(most=12)
    tk.anonymize(frame, schema, METHODS["noise"], seed=1).write(tmp_path / "out", allow_seeded=True)
    file = tmp_path / "out" / "manifest.json"
    content = json.loads(file.read_text())
    content.pop("sha256")
    assumed = content["declared"]["guarantees"][0]["assumes"]
    (any_row,) = [each for each in assumed if each["key"] == "assumption.any_of_their_rows"]
    del any_row["unit"]
    content["sha256"] = _digest(content)
    file.write_text(json.dumps(content))
    with pytest.raises(ReleaseError, match="contradicts itself about how many rows"):
        tk.read_release(tmp_path / "out")


def test_counts_and_attacks_speak_of_households() -> None:
    frame, schema = members()
    assert "households" in str(tk.assess(frame, schema))
    known = list(schema.names("quasi_identifier"))  # a table without a schema: the name of the column says it
    assert "households" in str(tk.assess(frame, known, person="hhid"))
    assert "person" not in str(tk.assess(frame, known, person="hhid"))
    assert "households" in str(tk.check(frame, known, person="hhid"))
    assert "people" in str(tk.check(frame.rename(columns={"hhid": "patient"}), known, person="patient"))
    assert "households correctly" in str(tk.attack(frame, METHODS["noise"], schema, random_state=1))


def test_a_draft_knows_households_by_their_name() -> None:
    frame, _ = members()
    import pyarrow as pa

    from tokumei.plan.draft import suggest_attribute

    table = pa.Table.from_pandas(frame)
    assert suggest_attribute("hhid", table.column("hhid"), "person")[0].unit == "household"
    assert suggest_attribute("patient", table.column("hhid"), "person")[0].unit == "person"
    with pytest.raises(InvalidParameter, match="unit is for a column of role 'person'"):
        tk.Attribute("hhid", "identifier", unit="household")
