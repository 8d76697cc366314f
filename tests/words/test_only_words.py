"""Every English sentence is replaced by its key: nothing that the library does changes, but the words."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import tokumei as tk
from tests.release.test_forged_promises import KINDS, MASK, SCHEMA, TABLE
from tokumei.errors import TokumeiWarning
from tokumei.studio.session import Session
from tokumei.words.catalogue import table

HOLE = re.compile(r"\{[^{}]*\}")


@contextmanager
def keys_in_place_of_sentences() -> Iterator[None]:
    """Let every sentence be its key, followed by its parameters."""
    words = table("en")
    before = dict(words)
    for key, sentence in before.items():
        words[key] = f"[{key}]" + "".join(HOLE.findall(sentence))
    try:
        yield
    finally:
        words.update(before)


def done(folder: Path) -> dict[str, Any]:
    """Write, read, combine, report, compare, and go through a session of the studio; return everything but words."""
    found: dict[str, Any] = {}
    releases = {}
    for name, make in KINDS.items():
        place = folder / name
        _seeded(make).write(place, "csv", allow_seeded=True)
        releases[name] = tk.read_release(place)
        found[f"manifest of {name}"] = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
        found[f"guarantees of {name}"] = [each.describe() for each in releases[name].guarantees]
    for name in ("pk, unknown", "pk, known", "pk, perturbed", "pk, masked"):
        together = tk.combine([releases[name], releases["pk, perturbed"]])
        found[f"{name} and another"] = [each.describe() for each in together]
    for name in ("pk, unknown", "classes", "sampling"):
        html = tk.report(releases[name], public=True).html
        found[f"figures of {name}"] = re.findall(r'data-measure="([^"]*)" data-value="([^"]*)"', html)
        found[f"elements of {name}"] = re.findall(r"<(\w+)", re.sub(r"<svg.*?</svg>", "", html, flags=re.S))
    compared = tk.compare(TABLE, SCHEMA, ["pk_perturbation", "generalization:mondrian"], [3])
    found["compared"] = compared.drop_columns(["note", "seconds"]).to_pylist()
    with Session.example(rows=300) as session:
        session.change(method=tk.Generalization(k=3), seed=1)
        session.give_role("hours", "insensitive")
        session.undo()
        found["plan of the studio"] = session.as_toml()
        found["records in the studio"] = str([asdict(each) for each in session.records().records])
        found["lattice in the studio"] = session.lattice().nodes.reach.tolist()
        found["labels of the history"] = len(session.history)
        found["frontier in the studio"] = [
            (line.name, [(point.k, point.utility) for point in line.points])
            for line in session.frontier_now().lines.values()
        ]
    return found


def _seeded(make: Any) -> Any:
    method, prepare, schema, rows = (cell.cell_contents for cell in _parts(make))
    return tk.anonymize(rows, schema, method, prepare, seed=7)


def _parts(make: Any) -> list[Any]:
    names = dict(zip(make.__code__.co_freevars, make.__closure__, strict=True))
    return [names[name] for name in ("method", "prepare", "schema", "table")]


def test_nothing_changes_but_the_words(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        before = done(tmp_path / "before")
        with keys_in_place_of_sentences():
            said = str(tk.anonymize(TABLE, SCHEMA, tk.PkPerturbation(k=3, tells="all"), MASK).guarantees[0])
            assert "[promise.linking][attacker.learns_nothing_from]'name', 'ill'" in said
            after = done(tmp_path / "after")
    assert before.keys() == after.keys()
    for part, found in before.items():
        assert after[part] == found, part
    assert "No attacker" in str(tk.read_release(tmp_path / "after" / "pk, unknown").guarantees[0])


@pytest.mark.parametrize("name", ["pk, unknown", "constraints", "groups"])
def test_a_manifest_holds_no_sentence(name: str, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        KINDS[name]().write(tmp_path / "out")
    text = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    assert not re.findall(r'"[^"]*\b(?:the|is|are|was|were|of a|attacker who)\b [^"]*"', text)
