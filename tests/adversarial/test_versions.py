"""Releases of other versions: older ones go on being read, newer ones are refused by name, nothing unknown is believed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokumei as tk
from tests.adversarial.stored.make import HERE
from tests.release.forging import rewrite
from tokumei.errors import ReleaseError
from tokumei.release.manifest import FORMAT

STORED = sorted(file.parent for file in HERE.glob("format_*/*/manifest.json"))
DECLARED = HERE / "format_1" / "pk_perturbation_csv"
ALIKE = HERE / "format_1" / "generalization_csv"


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[Path], Path]:
    def copy(stored: Path) -> Path:
        return Path(shutil.copytree(stored, tmp_path / stored.name))

    return copy


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: f"{stored.parent.name}-{stored.name}")
def test_stored_releases_are_still_read(stored: Path) -> None:
    release = tk.read_release(stored)
    assert 1 <= len(release.frame) <= 24
    assert release.guarantees
    assert release.seeded


def test_there_are_stored_releases_of_this_format() -> None:
    assert len([stored for stored in STORED if stored.parent.name == f"format_{FORMAT}"]) >= 10


@pytest.mark.parametrize("newer", [FORMAT + 1, 99, 10**30])
def test_a_newer_format_names_what_is_needed(copied: Callable[[Path], Path], newer: int) -> None:
    folder = copied(DECLARED)

    def change(content: Any) -> None:
        content["format"] = newer
        content["declared"]["tokumei"] = "7.1.0"
        content["part of tomorrow"] = {}

    rewrite(folder, change)
    with pytest.raises(ReleaseError) as caught:
        tk.read_release(folder)
    assert str(caught.value) == (
        f"The release has format {newer} and was written by tokumei 7.1.0, and this version reads format {FORMAT}; "
        "install tokumei 7.1.0 or newer."
    )


@pytest.mark.parametrize("format", [0, -1, True, 1.0, 1.1, "1", "2\n<b>", None, [1], {"major": 1}, "x" * 10_000])
def test_what_is_no_format_is_refused(copied: Callable[[Path], Path], format: object) -> None:
    folder = copied(DECLARED)
    rewrite(folder, lambda content: content.update(format=format))
    with pytest.raises(ReleaseError, match="manifest.json is not the manifest of a release"):
        tk.read_release(folder)


@pytest.mark.parametrize("version", ["1; rm -rf /", "<b>7</b>", "x" * 10_000, 7, None, {}])
def test_the_version_named_is_one(copied: Callable[[Path], Path], version: object) -> None:
    folder = copied(DECLARED)
    rewrite(folder, lambda content: (content.update(format=2), content["declared"].update(tokumei=version)))
    with pytest.raises(ReleaseError) as caught:
        tk.read_release(folder)
    assert (
        str(caught.value)
        == f"The release has format 2, and this version reads format {FORMAT}; install a newer tokumei."
    )


PARTS: list[tuple[str, ...]] = [
    (),
    ("declared",),
    ("declared", "mechanism"),
    ("declared", "guarantees", "0"),
    ("declared", "columns", "0"),
    ("data",),
]


@pytest.mark.parametrize("path", PARTS, ids=lambda path: ".".join(path) or "top")
def test_parts_that_are_not_known_are_refused(copied: Callable[[Path], Path], path: tuple[str, ...]) -> None:
    """A part that a reader does not know may change what is promised, so it is not passed over."""
    folder = copied(DECLARED)

    def change(content: Any) -> None:
        for step in path:
            content = content[int(step)] if step.isdigit() else content[step]
        content["part of tomorrow"] = 1

    rewrite(folder, change)
    with pytest.raises(ReleaseError, match="the release is damaged, or newer than this version"):
        tk.read_release(folder)


def test_a_promise_of_a_kind_that_is_not_known_is_not_passed_on(copied: Callable[[Path], Path]) -> None:
    folder = copied(DECLARED)

    def change(content: Any) -> None:
        promise = content["declared"]["guarantees"][0]
        content["declared"]["guarantees"].append({**promise, "notion": "tomorrow's privacy"})

    rewrite(folder, change)
    *known, unknown = tk.read_release(folder).guarantees
    assert all(each.checked for each in known)
    assert not unknown.checked
    assert unknown.headline == "Not checked by this version; made by a newer version: tomorrow's privacy"


@pytest.mark.parametrize("stored", [DECLARED, ALIKE])
@pytest.mark.parametrize("raised", [1.5, 10.0])
def test_a_promise_that_method_and_rows_do_not_bear_out_is_refused(
    copied: Callable[[Path], Path], stored: Path, raised: float
) -> None:
    """Options of a newer method are carried along, and lend nothing to a promise."""
    folder = copied(stored)

    def change(content: Any) -> None:
        content["declared"]["method"]["option of tomorrow"] = True
        part = content["declared"].get("guarantees") or content["disclosed"]["guarantees"]["value"]
        part[0]["value"] *= raised

    rewrite(folder, change)
    with pytest.raises(ReleaseError):
        tk.read_release(folder)


@pytest.mark.parametrize("stored", [DECLARED, ALIKE])
def test_facts_and_options_of_a_newer_version_change_no_promise(copied: Callable[[Path], Path], stored: Path) -> None:
    before = tk.read_release(stored)
    folder = copied(stored)

    def change(content: Any) -> None:
        content["declared"]["tokumei"] = "1.99.0"
        content["declared"]["method"]["option of tomorrow"] = True
        if content["disclosed"]:
            content["disclosed"]["fact of tomorrow"] = {"value": [1, 2], "reason": {"key": "reason.tomorrow", "why": 1}}

    rewrite(folder, change)
    after = tk.read_release(folder)
    assert after.guarantees == before.guarantees
    assert after.method["option of tomorrow"] is True


def test_every_stored_manifest_is_of_the_format_of_its_folder() -> None:
    for stored in STORED:
        content = json.loads((stored / "manifest.json").read_text(encoding="utf-8"))
        assert f"format_{content['format']}" == stored.parent.name
