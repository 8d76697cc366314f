"""What is said of tables with many columns stays short: a long list of names is told once."""

from __future__ import annotations

import html
import re

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.words import Words

NAMES = [f"column {at:02}" for at in range(14)]


@pytest.fixture(scope="module")
def release() -> tk.Release:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.choice(["a", "b"], 120) for name in NAMES})
    frame["ill"], frame["paid"] = rng.choice(["no", "yes"], 120), rng.choice(["low", "middle", "high"], 120)
    schema = [tk.Attribute(name, domain=tk.Categories(["a", "b"])) for name in NAMES]
    schema += [
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        tk.Attribute("paid", "sensitive", tk.Categories(["low", "middle", "high"])),
    ]
    return tk.anonymize(frame, tk.Schema(schema), tk.Generalization(k=10), seed=1)


def times(name: str, said: str) -> int:
    return len(re.findall(re.escape(name), said))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_ladder_tells_what_an_attacker_knows_once(release: tk.Release, language: str) -> None:
    said = "\n".join(tk.ladder(release).lines(Words(language)))  # type: ignore[arg-type]
    assert times(NAMES[0], said) > 1
    assert times(NAMES[-1], said) == 1
    assert {"en": "'column 02' and 11 more", "ja": "ほか 11 列"}[language] in said


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_report_tells_what_an_attacker_knows_with_the_guarantee(release: tk.Release, language: str) -> None:
    made = tk.report(release, language=language)  # type: ignore[arg-type]
    said = re.sub(r"<script.*?</script>|<style.*?</style>", "", html.unescape(made.html), flags=re.DOTALL)
    promised = said.index(NAMES[-1])
    assert times(NAMES[-1], said[: said.index("</section>", promised)]) == 1
    assert times(NAMES[0], said) > times(NAMES[-1], said) + 3
