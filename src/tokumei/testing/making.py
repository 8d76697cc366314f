"""Checks of how a release is made: what it may show of the original, the bytes it draws, the engines, and bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tokumei.engines.local import make_release
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter
from tokumei.randomness import Key, generator
from tokumei.release.manifest import declared_and_disclosed
from tokumei.release.reasons import PartitionFrom
from tokumei.runner import run
from tokumei.table.frames import Origin
from tokumei.table.schema import DROPPED
from tokumei.testing.reads import recorded
from tokumei.testing.trial import SEED, Trial, check, one_sentence

TWICE = {"bernoulli"}  # a coin is tossed once to count how many rows it draws, and once to draw them


def drops_identifiers(trial: Trial) -> None:
    """No column that names people is released, unless a step was asked to."""
    named = set(trial.schema.names(*DROPPED)) - {step.column for step in trial.prepare}
    check(not named & set(trial.release(SEED).types.names), "A direct identifier is released.")


def hides_the_order_of_the_original(trial: Trial) -> None:
    """Rows come in an order of chance, another one for every key, and nothing but columns comes with them."""
    made = [
        make_release(trial.frame, Origin("pyarrow"), trial.schema, trial.method, trial.prepare, Key.seeded(seed))
        for seed in range(3)
    ]
    orders = [each.order for each in made]
    for place, order in enumerate(orders):
        check(np.any(np.diff(order) < 0), "The released rows are in the order of the original.")
        check(len(np.unique(order)) == len(order), "A row of the original is released twice.")
        check(
            not any(np.array_equal(order, other) for other in orders[:place]), "Two keys give the same order of rows."
        )
    check(not made[0].release.table.schema.metadata, "The released table has metadata.")


def shares_no_draw(trial: Trial) -> None:
    """No byte of a key stream serves two draws, and every draw comes from the key of the release."""
    with recorded() as ledger:
        for _ in range(2):
            trial.release()
    check(ledger.stray == 0, "Something is drawn without a stream of the key.")
    check(any(label[0] == "shuffle" for label in ledger.labels), "The rows are not shuffled by the key.")
    shared = {label: count for label, count in ledger.overlaps().items() if label[0] not in TWICE}
    check(not shared, f"Draws share bytes: {shared}.")


def declares_nothing_of_the_rows(trial: Trial) -> None:
    """What a manifest declares is the same whatever the rows are; what was taken from them is disclosed, with a reason."""
    rng = generator(SEED)
    mixed = {
        name: trial.frame[name].take(pa.array(rng.permutation(trial.frame.num_rows)))
        for name in trial.frame.column_names
    }
    told = []
    for frame in (trial.frame, pa.table(mixed)):
        try:
            told.append(declared_and_disclosed(trial.release(SEED, frame=frame)))
        except InfeasiblePromise:
            return  # so other rows do not allow it
    one, other = (json.dumps(declared, sort_keys=True, default=str) for declared, _ in told)
    check(one == other, "What is declared depends on the rows; put it among the facts of the design.")


def runs_on_every_engine(trial: Trial) -> None:
    """The streaming engine, and Spark where it is tried, make the same release."""
    pq.write_table(trial.frame, trial.folder / "rows.parquet")
    engines = ["stream", *(["spark"] if trial.spark is not None else [])]
    for engine in engines:
        found = run(trial.plan(), engine, SEED)
        local = trial.release(SEED)
        for asked in trial.method.asked():
            check(asked.kept_by(found.guarantees), f"The engine {engine!r} does not keep what is asked.")
        if any(fact.reason == PartitionFrom(how="engine") for fact in found.disclosed):
            continue  # which groups rows in its own way, and says so
        check(found.guarantees == local.guarantees, f"The engine {engine!r} makes another promise.")
        check(_rows(found) == _rows(local), f"The engine {engine!r} releases other rows.")


def refuses_bad_input_in_one_sentence(trial: Trial) -> None:
    """Whatever cannot be released is refused in one sentence."""
    method: Any = trial.method
    one_sentence("an empty table", lambda: trial.release(frame=trial.frame.slice(0, 0)), DataError, InfeasiblePromise)
    one_sentence("a table of one row", lambda: trial.release(frame=trial.frame.slice(0, 1)))
    harmless = [replace(each, role="insensitive") if each.role == "quasi_identifier" else each for each in trial.schema]
    one_sentence(
        "a schema without quasi-identifiers", lambda: trial.release(schema=type(trial.schema)(tuple(harmless)))
    )
    first = trial.schema.names("quasi_identifier")[0]
    one_sentence("a missing column", lambda: trial.release(frame=trial.frame.drop_columns([first])), DataError)
    if getattr(method, "k", None) is not None:
        large = replace(method, k=100 * trial.frame.num_rows)
        one_sentence("a k above the number of rows", lambda: trial.release(method=large), InfeasiblePromise)
        one_sentence("a k below 1", lambda: replace(method, k=-3), InvalidParameter)


def _rows(release: Any) -> list[str]:
    return sorted(json.dumps(row, default=str, sort_keys=True) for row in release.table.to_pylist())
