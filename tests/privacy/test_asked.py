"""No release promises less than was asked for, whatever the method, the engine or the sample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tokumei as tk
from tests.engines.stream.rows import SCHEMA, people, plan_for
from tokumei.anonymizers import METHODS
from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.anonymizers.sample import Bernoulli, Stratified
from tokumei.errors import InfeasiblePromise
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.asked import Asked, asked_of_classes, refuse_less
from tokumei.privacy.attackers import Linking, WholeTable
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.sampling import HidingPlace, achieved, binding

STEPS = [tk.prepare.Drop("note"), tk.prepare.Recode("age", level=1)]
DIVERSE = (
    tk.constraints.LDiversity("ill", 2),
    tk.constraints.TCloseness("ill", 0.5),
    tk.constraints.LDiversity("ill", 1.1, kind="entropy"),
)
EVERY: dict[str, tuple[Anonymizer, int]] = {  # a method, and how much it asks for
    "pk": (tk.PkPerturbation(k=5, kept="perturb", tells="all"), 1),
    "pk, who was drawn is known": (tk.PkPerturbation(k=5, sample=0.3, membership="known", tells="all"), 1),
    "grouped": (tk.GroupedPkPerturbation(k=5, partition=tk.partitions.Mondrian()), 1),
    "pram": (tk.PRAM({"age": tk.transitions.KeepOrReplace(0.1), "town": tk.transitions.KeepOrReplace(0.1)}, k=2), 1),
    "pram, whatever comes": (
        tk.PRAM({"age": tk.transitions.KeepOrReplace(0.1), "town": tk.transitions.KeepOrReplace(0.1)}),
        0,
    ),
    "sampling": (tk.Sampling(300, known=20, k=3), 1),
    "generalization": (tk.Generalization(k=5, constraints=DIVERSE, suppression_limit=1.0), 4),
    "microaggregation": (tk.Microaggregation(k=5, constraints=DIVERSE), 4),
    "swapping": (tk.Swapping(k=5), 1),
    "record suppression": (tk.RecordSuppression(k=5, constraints=DIVERSE), 4),
    "local suppression": (tk.LocalSuppression(k=5), 2),
    "wildcards": (tk.LocalSuppression(k=5, meaning="wildcard"), 1),
}
pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")


def test_all_methods_are_here() -> None:
    assert {type(method) for method, _ in EVERY.values()} == set(METHODS)


@pytest.mark.parametrize("name", EVERY)
def test_a_release_keeps_what_was_asked(name: str) -> None:
    method, count = EVERY[name]
    release = tk.anonymize(people(600), SCHEMA, method, STEPS, seed=2)
    asked = method.asked()
    assert len(asked) == count
    assert all(each.kept_by(release.guarantees) for each in asked)


@pytest.mark.parametrize("name", [name for name, (_, count) in EVERY.items() if count])
def test_less_than_was_asked_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method, _ = EVERY[name]
    for place, each in enumerate(method.asked()):
        asked = list(method.asked())
        asked[place] = replace(each, value=each.value * (0.01 if each.notion == "t-closeness" else 100))
        monkeypatch.setattr(type(method), "asked", lambda self, asked=asked: tuple(asked))
        with pytest.raises(InfeasiblePromise, match="was asked for and would not hold"):
            tk.anonymize(people(600), SCHEMA, method, STEPS, seed=2)
        monkeypatch.undo()


def too_much(self: Any) -> tuple[Asked, ...]:
    return (Asked("Pk-anonymity", 1e6),)


def test_a_stream_refuses_less_than_was_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tk.PkPerturbation, "asked", too_much)
    pq.write_table(people(600), tmp_path / "people.parquet")
    with pytest.raises(InfeasiblePromise, match="was asked for and would not hold"):
        tk.run(plan_for(tmp_path / "people.parquet", tk.PkPerturbation(k=5, tells="all"), STEPS), engine="stream")


def test_spark_refuses_less_than_was_asked(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tk.PkPerturbation, "asked", too_much)
    pq.write_table(people(600), tmp_path / "people.parquet")
    frame = spark.read.parquet(str(tmp_path / "people.parquet"))
    with pytest.raises(InfeasiblePromise, match="was asked for and would not hold"):
        tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=5, tells="all"), STEPS)


def promise(notion: Any, value: float) -> Guarantee:
    return Guarantee(notion, value, Linking(), WholeTable(), ())


def test_what_is_no_number_or_not_there_keeps_nothing() -> None:
    for notion in ("Pk-anonymity", "t-closeness"):
        with pytest.raises(InfeasiblePromise):
            refuse_less([Asked(notion, 1.0)], [])
        broken = promise(notion, 1.0)
        object.__setattr__(broken, "value", float("nan"))  # which no promise can be made with
        with pytest.raises(InfeasiblePromise):
            refuse_less([Asked(notion, 1.0)], [broken])
    with pytest.raises(InfeasiblePromise):  # the second constraint of a notion is not kept by the first one's promise
        refuse_less(asked_of_classes(2, (tk.constraints.LDiversity("a", 2), tk.constraints.LDiversity("b", 2))), [promise("k-anonymity", 2), promise("l-diversity", 3)])  # fmt: skip


def test_the_last_promise_is_the_one_against_those_who_know_who_was_drawn() -> None:
    stated = [promise("Pk-anonymity", 10.0), promise("Pk-anonymity", 3.0)]
    assert Asked("Pk-anonymity", 10.0, 0).kept_by(stated)
    assert not Asked("Pk-anonymity", 10.0, -1).kept_by(stated)


@pytest.mark.parametrize("membership", ["secret", "known"])
def test_classes_of_the_same_size_are_no_single_class(membership: Any) -> None:
    # Coins that draw equally many rows of two classes of equal size: that is as common as anything here.
    table = pa.table({"x": [i % 5 for i in range(24)], "kind": [i // 12 for i in range(24)]})
    schema = tk.Schema(
        [
            tk.Attribute("x", "quasi_identifier", tk.Categories(range(5))),
            tk.Attribute("kind", "insensitive", tk.Categories([0, 1])),
        ]
    )
    method = tk.PkPerturbation(k=2, kept="known", sample=Bernoulli(0.6, delta=0.01), membership=membership, tells="all")
    alike = 0
    for seed in range(40):
        release = tk.anonymize(table, schema, method, seed=seed)
        counts = [release.table["kind"].to_pylist().count(kind) for kind in (0, 1)]
        alike += counts[0] == counts[1]
        assert release.guarantees[-1 if membership == "known" else 0].value >= 2
    assert alike > 3


@pytest.mark.parametrize(
    ("high", "places", "k"),
    [
        (9, (HidingPlace(7, 29), HidingPlace(18, 4)), 8.7168),
        (3, (HidingPlace(47, 2), HidingPlace(33, 27)), 27.4946),
        (1, (HidingPlace(33, 10), HidingPlace(35, 2)), 7.5133),
    ],
)
def test_k_is_solved_for_every_place_in_which_people_hide(high: int, places: Any, k: float) -> None:
    # The swap of such a channel is not the square of its ratio, so the place that binds is not the one reckoned with.
    column = tk.Attribute("x", "quasi_identifier", tk.Numbers(0, high, step=1), missing=True)
    reckoned = binding(places, k)
    alone = solve_channels([column], reckoned, k, "even")
    assert min(achieved(place, Mechanism(alone)) for place in places) < k
    everywhere = solve_channels([column], reckoned, k, "even", places)
    assert k <= min(achieved(place, Mechanism(everywhere)) for place in places) < k * (1 + 1e-6)


def test_strata_in_which_people_hide_less_are_solved_for() -> None:
    ages = [None if i % 7 == 3 else i % 4 for i in range(109)]
    table = pa.table({"age": ages, "town": ["north"] * 49 + ["south"] * 60})
    schema = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 3, step=1), missing=True),
            tk.Attribute("town", "insensitive", tk.Categories(["north", "south"])),
        ]
    )
    method = tk.PkPerturbation(
        k=27.4946, kept="known", sample=Stratified("town", {"north": 2, "south": 27}), tells="all"
    )
    assert tk.anonymize(table, schema, method).guarantees[0].value >= 27.4946
