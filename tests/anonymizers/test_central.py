"""Methods that state central differential privacy, and noise that is solved for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.anonymizers.notes import StricterBinds
from tokumei.engines.stream import engine, shuffle
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.plan import Source
from tokumei.privacy.assumptions import AllRowsTogether, MostRows, OneRow, SampleIsSecret, Seeded
from tokumei.privacy.attackers import CentralEpsilon, KnowsOthers

RNG = np.random.default_rng(5)
ROWS = 3000
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 40, 1)),
        tk.Attribute("sex", "quasi_identifier", tk.Categories(["f", "m"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes", "worse"])),
    ]
)
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(0, 41, ROWS),
        "sex": RNG.choice(["f", "m"], ROWS),
        "ill": RNG.choice(["no", "yes", "worse"], ROWS),
    }
)
WHOLE: dict[str, Any] = {"kept": "perturb"}


def central(release: tk.Release) -> Any:
    found = [each for each in release.guarantees if each.notion == "central differential privacy"]
    assert len(found) <= 1
    return found[0] if found else None


def made(schema: tk.Schema = SCHEMA, frame: pd.DataFrame = PEOPLE, **given: Any) -> tk.Release:
    return tk.anonymize(frame, schema, tk.PkPerturbation(**given))


@pytest.mark.parametrize("tells", ["auto", "all", 1, (tk.tells.Subsets(2, cells=4), tk.tells.Subsets(1))])
def test_a_release_that_is_perturbed_as_a_whole_states_it(tells: Any) -> None:
    release = made(k=5, tells=tells, **WHOLE)
    said = central(release)
    assert (said.promise, said.attacker) == (CentralEpsilon(delta=1e-6), KnowsOthers())
    assert dict(said.numbers) == {"delta": 1e-6}
    local = next(each for each in release.guarantees if each.notion == "local differential privacy")
    assert 0 < said.value < local.value / 3
    assert OneRow() in said.assumes


@pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
@pytest.mark.parametrize(
    "given",
    [
        {"kept": "unknown"},
        {"kept": "known"},
        {"kept": "perturb", "sample": tk.samples.Bernoulli(0.5, delta=0.01)},
        {"kept": "perturb", "sample": tk.samples.Stratified("sex", 500, labels="hidden")},
        {"kept": "perturb", "tells": "all", "split": tk.splits.OptimisedSplit("marginals")},
    ],
)
def test_nothing_is_stated_where_a_column_is_kept_or_something_was_taken_from_the_data(given: dict[str, Any]) -> None:
    assert central(made(k=3, **given)) is None
    with pytest.raises(InvalidParameter, match="epsilon = 1 cannot be guaranteed"):
        made(epsilon=1.0, **given)


@pytest.mark.filterwarnings("ignore::tokumei.errors.ObservedDomainWarning")
def test_observed_domains_and_counted_rows_say_nothing() -> None:
    seen = tk.Schema.observe(PEOPLE, roles={"age": "quasi_identifier", "sex": "quasi_identifier", "ill": "sensitive"})
    assert central(made(seen, k=3, **WHOLE)) is None
    with pytest.raises(InvalidParameter, match="read from the data"):
        made(seen, epsilon=1.0, **WHOLE)
    frame = PEOPLE.assign(who=np.arange(ROWS) // 2)
    counted = tk.Schema([*SCHEMA, tk.Attribute("who", "person")])
    assert central(made(counted, frame, k=3, **WHOLE)) is None
    with pytest.raises(InvalidParameter, match="counted in the data"):
        made(counted, frame, epsilon=1.0, **WHOLE)


def test_people_with_a_declared_number_of_rows_are_covered() -> None:
    frame = PEOPLE.assign(who=np.arange(ROWS) // 2)
    declared = tk.Schema([*SCHEMA, tk.Attribute("who", "person", most=2)])
    said = central(made(declared, frame, k=3, **WHOLE))
    assert {MostRows(most=2, how="declared"), AllRowsTogether(most=2)} <= set(said.assumes)
    solved = made(declared, frame, epsilon=1.0, **WHOLE)
    assert 0.999 < central(solved).value <= 1.0
    alone = made(epsilon=1.0, **WHOLE)
    assert solved.guarantees[1].value / 2 < alone.guarantees[1].value  # more noise on each row


def test_a_sample_of_a_fixed_size_amplifies() -> None:
    sampled = made(k=3, sample=300, membership="known", tells="all", **WHOLE)
    said = central(sampled)
    assert SampleIsSecret(rows=300, of=ROWS) in said.assumes
    alone = made(frame=PEOPLE.head(300), k=3, tells="all", **WHOLE)
    assert said.value < central(alone).value / 5
    assert central(made(k=3, sample=0.1, membership="known", tells="all", **WHOLE)).value == said.value


def test_engines_state_it_alike_and_blocks_say_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "batch_rows", lambda memory, columns: 500)
    monkeypatch.setattr(shuffle, "BLOCK", 1000)
    PEOPLE.to_parquet(tmp_path / "p.parquet")
    for method in (tk.PkPerturbation(k=3, **WHOLE), tk.PkPerturbation(epsilon=1.0, **WHOLE)):
        plan = tk.Plan(Source(str(tmp_path / "p.parquet")), SCHEMA, method)
        assert central(tk.run(plan, "stream", seed=1)) == central(tk.anonymize(PEOPLE, SCHEMA, method, seed=1))
        if method.epsilon is None:
            release = tk.run(plan, "stream", seed=1, shuffle="blocks")
            assert release.mechanism.block == 1000
            assert central(release) is None
        else:
            with pytest.raises(InvalidParameter, match="shuffled in blocks only"):
                tk.run(plan, "stream", seed=1, shuffle="blocks")


@pytest.mark.parametrize("epsilon", [3.0, 1.0, 0.3, 0.05])
@pytest.mark.parametrize("tells", ["auto", "all"])
def test_an_epsilon_is_kept_and_hardly_surpassed(epsilon: float, tells: Any, tmp_path: Path) -> None:
    release = made(epsilon=epsilon, delta=1e-5, tells=tells, **WHOLE)
    said = central(release)
    assert 0.99 * epsilon < said.value <= epsilon
    assert said.numbers["delta"] == 1e-5
    release.write(tmp_path / "out")
    assert tk.read_release(tmp_path / "out").guarantees == release.guarantees


def test_the_stricter_of_two_decides_and_is_named() -> None:
    weak, strong = made(k=2, epsilon=0.1, **WHOLE), made(k=200, epsilon=2, **WHOLE)
    assert weak.guarantees[0].value > 2
    assert 0.09 < central(weak).value <= 0.1
    assert StricterBinds(which="epsilon", k=2, epsilon=0.1, delta=1e-6) in weak.record.notes
    assert 200 <= strong.guarantees[0].value < 200.01
    assert central(strong).value < 1
    assert StricterBinds(which="k", k=200, epsilon=2, delta=1e-6) in strong.record.notes


def test_an_epsilon_that_cannot_be_met_is_refused() -> None:
    declared = tk.Schema([*SCHEMA, tk.Attribute("who", "person", most=ROWS)])
    with pytest.raises(InfeasiblePromise, match="all rows may belong to one person"):
        made(declared, PEOPLE.assign(who=np.arange(ROWS)), epsilon=1.0, **WHOLE)
    with pytest.raises(InfeasiblePromise, match="all rows may belong to one person"):
        made(frame=PEOPLE.head(1), epsilon=1.0, **WHOLE)
    for bad in (
        {"epsilon": 0.0},
        {"epsilon": -1},
        {"epsilon": 1.0, "delta": 0.0},
        {"k": 3, "delta": 1.5},
        {"epsilon": "1"},
    ):
        with pytest.raises(InvalidParameter):
            tk.PkPerturbation(**bad)


def test_two_rows_can_be_released() -> None:
    assert central(made(frame=PEOPLE.head(2), epsilon=0.5, **WHOLE)).value <= 0.5


def test_pram_states_it_where_all_columns_have_matrices(tmp_path: Path) -> None:
    schema, frame = SCHEMA.without("age"), PEOPLE[["sex", "ill"]]
    whole = tk.PRAM({"sex": [[0.7, 0.3], [0.4, 0.6]], "ill": tk.transitions.KeepOrReplace(0.4)}, delta=1e-5)
    release = tk.anonymize(frame, schema, whole)
    assert central(release).numbers["delta"] == 1e-5
    release.write(tmp_path / "out")
    assert tk.read_release(tmp_path / "out").guarantees == release.guarantees
    with pytest.warns(tk.errors.TokumeiWarning):
        zeros = tk.PRAM({"sex": [[1.0, 0.0], [0.4, 0.6]], "ill": tk.transitions.KeepOrReplace(0.4)})
        assert central(tk.anonymize(frame, schema, zeros)) is None
    part = tk.PRAM({"sex": [[0.7, 0.3], [0.4, 0.6]]})
    assert central(tk.anonymize(frame, schema, part)) is None


def test_a_seed_is_said_and_the_number_does_not_depend_on_rows() -> None:
    method = tk.PkPerturbation(epsilon=1.0, k=3, **WHOLE)
    one = tk.anonymize(PEOPLE, SCHEMA, method, seed=1)
    other = tk.anonymize(PEOPLE.assign(age=0), SCHEMA, method, seed=2)
    assert one.guarantees == other.guarantees
    assert one.mechanism == other.mechanism
    assert Seeded() in central(one).assumes


def test_plans_name_it(tmp_path: Path) -> None:
    PEOPLE.to_csv(tmp_path / "p.csv", index=False)
    (tmp_path / "plan.toml").write_text(
        """
[source]
path = "p.csv"

[schema.age]
role = "quasi_identifier"
domain = { kind = "numbers", low = 0, high = 40, step = 1 }

[schema.sex]
role = "quasi_identifier"
domain = { kind = "categories", values = ["f", "m"] }

[schema.ill]
role = "sensitive"
domain = { kind = "categories", values = ["no", "yes", "worse"] }

[method]
method = "pk_perturbation"
epsilon = 0.5
delta = 1e-5
kept = "perturb"
""",
        encoding="utf-8",
    )
    plan = tk.Plan.read(tmp_path / "plan.toml")
    assert plan.method == tk.PkPerturbation(epsilon=0.5, delta=1e-5, kept="perturb")
    assert central(tk.run(plan, seed=1)).value <= 0.5
