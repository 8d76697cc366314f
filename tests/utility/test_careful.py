"""Warnings are noted where the work is that gave them, whatever goes on beside it."""

from __future__ import annotations

import threading
import warnings

import pytest

from tokumei.diagnostics import ignoring, warn
from tokumei.errors import AssumptionWarning, ObservedDomainWarning, TokumeiWarning
from tokumei.utility.careful import noting
from tokumei.words import Statement


def test_two_threads_note_their_own_warnings() -> None:
    noted: dict[str, list[Statement]] = {"one": [], "other": []}
    both = threading.Barrier(2, timeout=600)

    def work(who: str) -> None:
        with noting(who, noted[who]):
            both.wait()  # now both are noting
            warn("n_bins must be a whole number of at least 2.", AssumptionWarning)
            both.wait()  # and neither has ended

    threads = [threading.Thread(target=work, args=(who,)) for who in noted]
    with warnings.catch_warnings():
        warnings.simplefilter("error", TokumeiWarning)
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert {who: [note.what.name for note in notes] for who, notes in noted.items()} == {  # type: ignore[attr-defined]
        "one": ["one"],
        "other": ["other"],
    }
    with pytest.warns(AssumptionWarning):
        warn("n_bins must be a whole number of at least 2.", AssumptionWarning)


def test_one_kind_is_left_out_and_others_are_told() -> None:
    notes: list[Statement] = []
    with noting("release", notes), ignoring(ObservedDomainWarning):
        warn("n_bins must be a whole number of at least 2.", ObservedDomainWarning)
        warn("n_bins must be a whole number of at least 2.", AssumptionWarning)
    assert len(notes) == 1
    with pytest.warns(AssumptionWarning) as told, ignoring(ObservedDomainWarning):
        warn("n_bins must be a whole number of at least 2.", ObservedDomainWarning)
        warn("n_bins must be a whole number of at least 2.", AssumptionWarning)
    assert len(told) == 1
    assert told[0].filename == __file__
