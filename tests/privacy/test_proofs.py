"""Every guarantee has a proof that a user of the package can read."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokumei as tk
from tests.command_line import tokumei
from tokumei.privacy import combined, proofs, repeats
from tokumei.privacy.notions import NOTIONS

PAGES = Path(__file__).parents[2] / "docs" / "promises"


def test_every_page_is_a_proof_and_every_notion_has_one() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(proofs.PROOFS)
    rungs = {"ladder", "whole_table", "inference", "differencing", "membership"}
    named = {notion.proof for notion in NOTIONS.values() if notion.proof} | {combined.PROOF, repeats.PROOF}
    assert named | rungs == set(proofs.PROOFS)


@pytest.mark.parametrize("name", proofs.PROOFS)
def test_a_proof_is_printed(name: str) -> None:
    text = proofs.proof_text(name)
    assert text.startswith("# ")
    assert text == (PAGES / f"{name}.md").read_text(encoding="utf-8")


def test_a_guarantee_names_a_proof_that_the_command_line_prints(tmp_path: Path) -> None:
    assert "Pk-anonymity" in tokumei("proof", "pk", cwd=tmp_path).stdout
    assert "There is no proof called 'kp'" in tokumei("proof", "kp", cwd=tmp_path, code=1).stderr


def test_another_name_is_refused_and_a_missing_page_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(tk.errors.InvalidParameter, match="Did you mean 'diversity'"):
        proofs.proof_text("diversty")
    monkeypatch.setattr(proofs, "PLACES", (tmp_path,))
    with pytest.raises(tk.errors.MissingDependency, match="install tokumei again"):
        proofs.proof_text("pk")
