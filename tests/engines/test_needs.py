"""What methods need of engines: an engine that offers counts only makes the same release, and a missing need is one sentence."""

from __future__ import annotations

from typing import Any, get_args

import pytest

import tokumei as tk
from tokumei.anonymizers.anonymizer import Need, table_of
from tokumei.engines.needs import COUNTS, EVERYTHING, NEEDED, refuse_needs
from tokumei.engines.survey import LocalSurvey
from tokumei.errors import InvalidParameter
from tokumei.testing.trial import example_table

MONDRIAN = tk.partitions.Mondrian(choose="gain")


def rows(release: tk.Release) -> list[str]:
    return sorted(map(str, release.table.to_pylist()))


@pytest.mark.parametrize("method", [tk.Generalization(k=4, partition=MONDRIAN), tk.RecordSuppression(k=2)])
def test_counts_are_enough_for_the_same_release(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, schema = example_table()
    steps = [tk.prepare.Recode("age", level=1)]
    whole = tk.anonymize(frame, schema, method, steps, seed=3)
    monkeypatch.setattr(LocalSurvey, "offers", COUNTS)
    counted = tk.anonymize(frame, schema, method, steps, seed=3)
    assert rows(whole) == rows(counted)
    assert whole.guarantees == counted.guarantees
    assert whole.disclosed == counted.disclosed
    assert whole.mechanism.describe() == counted.mechanism.describe()


def test_every_need_has_a_sentence_and_the_local_engine_offers_all() -> None:
    assert set(NEEDED) == set(get_args(Need)) == EVERYTHING
    assert COUNTS < EVERYTHING
    _, schema = example_table()
    for need in EVERYTHING:

        class Needy(tk.PkPerturbation):
            def needs(self, need: Any = need) -> Any:
                return {need: "ask for less"}

        refuse_needs(Needy(k=3), schema, "mine", EVERYTHING)
        with pytest.raises(
            InvalidParameter, match="Needy needs .*, which the engine 'mine' does not offer; ask for less, or"
        ):
            refuse_needs(Needy(k=3), schema, "mine", EVERYTHING - {need})


def test_rows_that_are_not_in_memory_are_refused_in_one_sentence() -> None:
    class Elsewhere:
        table = None

    with pytest.raises(InvalidParameter, match="did not say in needs"):
        table_of(Elsewhere())  # type: ignore[arg-type]
