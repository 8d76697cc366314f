"""Checks of promises: kept, no less than asked, written, recounted, and void under a seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

from tokumei.errors import InfeasiblePromise, OutputError, ReleaseError
from tokumei.privacy.asked import Asked
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.rungs import RUNGS
from tokumei.release.files import read_release
from tokumei.results import json_text
from tokumei.risk.ladder import ladder
from tokumei.testing.trial import SEED, Trial, check, one_sentence
from tokumei.words import LANGUAGES, Words


def keeps_what_is_asked(trial: Trial) -> None:
    """Every promise is one that can be checked, and what is asked for is kept."""
    release = trial.release(SEED)
    check(release.guarantees, "The release promises nothing.")
    for each in release.guarantees:
        check(each.checked, f"The promise of {each.notion} says something that is not registered.")
        for language in LANGUAGES:
            known = Words(language).knows(f"notion.{each.notion}")  # type: ignore[arg-type]
            check(known, f"The catalogue lacks 'notion.{each.notion}' in {LANGUAGES[language]}.")
    for asked in trial.method.asked():
        check(asked.notion in NOTIONS, f"{asked.notion!r} is not a registered notion.")
        check(asked.kept_by(release.guarantees), f"{asked.notion} of {asked.value:g} is asked for and not kept.")


def refuses_less_than_is_asked(trial: Trial) -> None:
    """Where a release would keep less than `asked` says, every engine refuses it."""
    for place, each in enumerate(trial.method.asked()):
        asked = list(trial.method.asked())
        better = NOTIONS[each.notion].larger_is_better
        asked[place] = replace(each, value=each.value * 1e6 if better else each.value * 1e-6)

        def more(self: Any, asked: list[Asked] = asked) -> tuple[Asked, ...]:
            return tuple(asked)

        with patch.object(type(trial.method), "asked", more):
            one_sentence("a promise of less than is asked", lambda: trial.release(SEED), InfeasiblePromise)


def is_read_as_it_was_written(trial: Trial) -> None:
    """What `read_release` gives is what was written, in both formats."""
    release = trial.release()
    check(not release.seeded, "A release without a seed says that it has one.")
    formats: tuple[Any, ...] = ("parquet", "csv")
    for form in formats:
        read = read_release(release.write(trial.folder / form, form), frame="pyarrow")
        for part in ("schema", "guarantees", "disclosed", "prepare", "seeded"):
            check(
                getattr(read, part) == getattr(release, part),
                f"The {part} of a release is not read from {form} as written.",
            )
        check(dict(read.method) == json.loads(json.dumps(release.method)), "The method is not read as it was written.")
        check(read.mechanism.describe() == release.mechanism.describe(), "The mechanism is not read as it was written.")
        check(read.table.to_pylist() == release.table.to_pylist() or form == "csv", "The rows are not read as written.")
        check(read.rows == release.rows, "Rows were lost.")


def recounts_every_promise(trial: Trial) -> None:
    """A manifest that promises more, or less, than the release keeps is refused."""
    for place in range(len(trial.release(SEED).guarantees)):
        for number, factor in enumerate((2.0, 0.5)):
            folder = trial.release().write(trial.folder / f"{place} {number}")

            def forge(content: Any, place: int = place, factor: float = factor) -> None:
                made = content["declared"].get("guarantees") or content["disclosed"]["guarantees"]["value"]
                made[place]["value"] *= factor

            if read_release(folder).guarantees[place].value == 0:
                continue  # no other number comes of it
            _rewrite(folder, forge)
            one_sentence("a forged promise", partial(read_release, folder), ReleaseError)


def a_seed_makes_the_promise_void(trial: Trial) -> None:
    """The same seed gives the same rows, and a seeded release is written only if that is asked for."""
    first, second = trial.release(SEED), trial.release(SEED)
    check(first.table.equals(second.table), "The same seed gives other rows: some draw does not come from the key.")
    check(first.seeded, "A seeded release does not say so.")
    one_sentence("writing a seeded release", lambda: first.write(trial.folder / "seeded"), OutputError)
    check(read_release(first.write(trial.folder / "allowed", allow_seeded=True)).seeded, "The manifest hides the seed.")


def has_all_five_rungs(trial: Trial) -> None:
    """The ladder has every rung, in words and as data; reading the release gives the same, and nothing better than the guarantees."""
    release = trial.release()
    found = ladder(release, trial.frame, trial.schema)
    check([rung.name for rung in found.rungs] == list(RUNGS), "The ladder lacks a rung.")
    json_text(found.describe())
    for language in LANGUAGES:
        words = Words(language)  # type: ignore[arg-type]
        text = "\n".join([*found.lines(words), *found.assumed(words)])
        unknown = words("unknown.unknown", unknown="").strip()
        check(unknown not in text and "…" not in text, f"A rung has no words in {LANGUAGES[language]}.")
    for rung in found.rungs:
        check(
            rung.how != "nothing" or rung.value in {None, 1.0},
            f"The rung {rung.name} promises nothing, and has a number.",
        )
    linking = [1 / each.value for each in release.guarantees if NOTIONS[each.notion].linking and each.checked]
    stated, whole = found["linking"].value, found["whole_table"].value
    assert stated is not None
    assert whole is not None
    check(stated <= min([1.0, *linking[:1]]) * (1 + 1e-9), "The ladder says less than the first guarantee.")
    check(stated <= whole * (1 + 1e-9), "Knowing more would make a link less likely.")
    read = read_release(release.write(trial.folder / "rungs"), frame="pyarrow")
    check(read.rungs == release.rungs, "The rungs of a release are not read as they were made.")


def _rewrite(folder: Any, change: Callable[[Any], None]) -> None:
    """Change a manifest and sign it again, as a careful forger does."""
    file = folder / "manifest.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content.pop("sha256")
    change(content)
    content["sha256"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    file.write_text(json.dumps(content), encoding="utf-8")
