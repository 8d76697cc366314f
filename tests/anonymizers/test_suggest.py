"""Suggested splits: worth more than the even one, safe all the same, and nothing of the pilot in messages."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.anonymizers.suggest import _error, _matrix
from tokumei.anonymizers.treatments import best_cuts, build_groups
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter

SCHEMA = tk.example_schema()
PILOT = tk.example_census(rows=1500, random_state=5)


def well_paid_by_school(release: tk.Release) -> np.ndarray:
    return tk.IterativeBayes(["education", "income"]).fit(release).pmf_


def test_an_association_is_kept_better_than_by_the_even_split() -> None:
    """The same classifier, fitted to both releases and used on true rows."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    found = tk.splits.suggest_split(PILOT, SCHEMA, k=10, rows=8000, target="income")
    assert found.worth > 1.3 * found.worth_even
    frame, test = tk.example_census(rows=8000, random_state=2), tk.example_census(rows=4000, random_state=3)

    def score(split: object, prepare: tuple[tk.prepare.Recode, ...]) -> float:
        release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=10, split=split, tells="all"), prepare, seed=1)
        assert release.guarantees[0].value >= 10
        columns = [n for n in release.schema.names() if n != "income"]
        true = tk.anonymize(test, SCHEMA, tk.Sampling(4000, known=1), prepare) if prepare else None
        train = pd.get_dummies(release.frame[columns].astype(str))
        clean = true.frame if true is not None else test
        wanted = clean["income"].isin(["50k to 100k", "over 100k"])
        given = pd.get_dummies(clean[columns].astype(str)).reindex(columns=train.columns, fill_value=0)
        model = LogisticRegression(max_iter=500).fit(train, release.frame["income"].isin(["50k to 100k", "over 100k"]))
        return roc_auc_score(wanted, model.decision_function(given))

    treated = {step.column for step in found.prepare}
    assert set(found.split) | {step.column for step in found.prepare if isinstance(step, tk.prepare.Drop)} == set(
        SCHEMA.names("quasi_identifier")
    )
    numbers = [a.name for a in SCHEMA if isinstance(a.domain, tk.Numbers) and a.name not in treated]
    drops = tuple(tk.prepare.Drop(name) for name in numbers)
    split = {name: weight for name, weight in found.split.items() if name not in numbers}
    assert score(split, (*found.prepare, *drops)) > score("even", ()) + 0.03


@pytest.mark.parametrize("purpose", ["marginals", "pairs"])
def test_shares_are_estimated_better(purpose: str) -> None:
    found = tk.splits.suggest_split(PILOT, SCHEMA, k=10, rows=8000, purpose=purpose, coarsen=False)
    assert found.worth >= found.worth_even
    assert found.prepare == ()
    assert sum(found.split.values()) == pytest.approx(1)
    tk.anonymize(PILOT, SCHEMA, tk.PkPerturbation(k=10, split=found.split, tells="all"))


def test_the_expected_error_is_the_error() -> None:
    """Shares estimated by inverting the channel vary as the trace of the inverse information says."""
    rng = np.random.default_rng(0)
    share, matrix = np.array([0.6, 0.3, 0.1]), _matrix("retention", 3, 1.0)
    inverse = np.linalg.inv(matrix)
    estimates = [inverse @ rng.multinomial(2000, matrix @ share) / 2000 for _ in range(4000)]
    assert np.var(estimates, axis=0).sum() == pytest.approx(_error(matrix, share) / 2000, rel=0.05)


def test_groups_are_the_best_runs() -> None:
    rng = np.random.default_rng(0)
    count, total = rng.integers(1, 20, 7).astype(float), rng.normal(0, 5, 7)
    import itertools

    for runs, starts in zip((2, 3, 4), best_cuts(count, total, 4, least=0.0), strict=True):

        def gain(cuts: tuple[int, ...]) -> float:
            ends = [0, *cuts, 7]
            return sum(total[a:b].sum() ** 2 / count[a:b].sum() for a, b in itertools.pairwise(ends))

        best = max(gain(cuts) for cuts in itertools.combinations(range(1, 7), runs - 1))
        assert gain(tuple(starts[1:])) == pytest.approx(best)


def test_runs_of_ordered_values_and_sets_of_unordered_ones() -> None:
    codes = np.repeat(np.arange(6), 100)
    target = np.where(codes % 2 == 0, 1.0, -1.0)[:, None]
    nominal = tk.Attribute("n", domain=tk.Categories(list("abcdef")))
    assert build_groups(codes, target, nominal)[0][[0, 2, 4]].tolist() in ([0, 0, 0], [1, 1, 1])
    ordered = tk.Attribute("o", domain=tk.Categories(list("abcdef"), ordered=True))
    assert (np.diff(build_groups(codes, target, ordered)[0]) >= 0).all()


def test_numbers_dates_and_missing_cells_are_recoded() -> None:
    rng = np.random.default_rng(0)
    ill = rng.random(1200) < 0.5
    day = dt.date(2000, 1, 1)
    frame = pd.DataFrame(
        {
            "age": np.where(
                rng.random(1200) < 0.1, np.nan, np.clip(rng.normal(40 + 20 * ill, 10, 1200).round(), 0, 99)
            ),
            "since": pd.to_datetime([day + dt.timedelta(days=int(d)) for d in rng.integers(0, 900, 1200) + 99 * ill]),
            "spike": np.where(ill & (rng.random(1200) < 0.5), 99_999, 0),
            "ill": ill,
        }
    )
    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(0, 99, step=1), missing=True),
            tk.Attribute("since", domain=tk.Dates(day, dt.date(2002, 12, 31))),
            tk.Attribute("spike", domain=tk.Numbers(0, 99_999, step=1)),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        ]
    )
    found = tk.splits.suggest_split(frame, schema, k=5, rows=1200, target="ill")
    assert found.split["spike"] > 0.2
    assert "spike" in {step.column for step in found.prepare}
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=5, split=found.split, tells="all"), found.prepare)
    assert release.guarantees[0].value >= 5
    assert "of the budget" in str(found)


def test_declared_levels_are_used() -> None:
    found = tk.splits.suggest_split(
        PILOT[["age", "income"]], tk.Schema([SCHEMA["age"], SCHEMA["income"]]), k=100, rows=8000, target="income"
    )
    assert found.split == {"age": pytest.approx(1.0)}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"target": None}, InvalidParameter, "target must name a column that is released unchanged, one of 'income'"),
        ({"target": "incom"}, InvalidParameter, "Did you mean 'income'"),
        ({"target": "age"}, InvalidParameter, "released unchanged"),
        ({"purpose": "fame"}, InvalidParameter, "purpose must be"),
        ({"purpose": "pairs"}, InvalidParameter, "target is for the purpose"),
        ({"k": 1}, InvalidParameter, "k must be a number above 1"),
        ({"k": 9000}, InfeasiblePromise, "largest k is 8000"),
        ({"k": 8000}, InvalidParameter, "nothing to split"),
        ({"pilot": PILOT.head(20)}, DataError, "too few rows"),
        ({"pilot": PILOT.assign(income="under 20k")}, DataError, "only one value"),
        ({"pilot": PILOT.drop(columns="age")}, DataError, "no column 'age'"),
    ],
)
def test_suggestions_that_cannot_be_made(change: dict[str, object], error: type[Exception], message: str) -> None:
    given = {"pilot": PILOT, "schema": SCHEMA, "k": 10, "rows": 8000, "target": "income", **change}
    with pytest.raises(error, match=message):
        tk.splits.suggest_split(**given)  # type: ignore[arg-type]


def test_a_sorted_pilot_serves_as_well() -> None:
    given = {"schema": SCHEMA, "k": 10, "rows": 8000, "target": "income"}
    shuffled, in_order = (
        tk.splits.suggest_split(p, **given) for p in (PILOT, PILOT.sort_values("income", ignore_index=True))
    )
    assert in_order.worth == pytest.approx(shuffled.worth, rel=0.15)


# As the split of a method.


def test_a_split_from_a_pilot_is_declared_and_one_from_the_rows_is_disclosed() -> None:
    frame = tk.example_census(rows=2000, random_state=2)
    pilot = tk.PkPerturbation(k=10, split=tk.splits.OptimisedSplit(target="income", pilot=PILOT), tells="all")
    tk.anonymize(
        frame, SCHEMA, pilot, prepare=[tk.prepare.Recode("age"), tk.prepare.Drop("hours")]
    )  # the pilot is prepared alike
    release = tk.anonymize(frame, SCHEMA, pilot)
    assert release.disclosed == ()
    assert release.guarantees[0].value >= 10
    assert release.method["split"] == {"kind": "optimised", "purpose": "association", "target": "income", "pilot": True}
    same = tk.anonymize(
        frame,
        SCHEMA,
        tk.PkPerturbation(k=10, split=tk.splits.OptimisedSplit(target="income", pilot=frame), tells="all"),
    )
    assert [fact.name for fact in same.disclosed] == ["split"]  # a pilot that is the table itself is none
    split, strata = (
        tk.splits.OptimisedSplit(purpose="marginals", pilot=frame),
        tk.samples.Stratified("marital", 0.5, labels="hidden"),
    )
    hidden = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=5, split=split, sample=strata, tells="all"))
    assert "split" in [fact.name for fact in hidden.disclosed]
    own = tk.anonymize(
        frame, SCHEMA, tk.PkPerturbation(k=10, split=tk.splits.OptimisedSplit(purpose="marginals"), tells="all")
    )
    assert [fact.name for fact in own.disclosed] == ["split"]
    assert [g.notion for g in own.guarantees] == ["Pk-anonymity"]
    costs = {name: channel.cost for name, channel in release.mechanism.channels.items()}
    assert max(costs.values()) > 1.5 * min(costs.values())


def test_a_plan_names_its_pilot(tmp_path) -> None:
    PILOT.to_csv(tmp_path / "pilot.csv", index=False)
    columns = "".join(
        f"[schema.{a.name}]\nrole = '{a.role}'\n"
        + (
            f"domain = {{ kind = 'categories', values = {list(a.domain.values)} }}\n"
            if isinstance(a.domain, tk.Categories)
            else ""
        )
        for a in SCHEMA
        if a.domain is None or isinstance(a.domain, tk.Categories)
    )
    text = (
        f"[source]\npath = 'x.csv'\n{columns}\n[schema.age]\nrole = 'identifier'\n[schema.hours]\nrole = 'identifier'\n"
    )
    text += "[method]\nmethod = 'pk_perturbation'\nk = 3\ntells = 'all'\nsplit = { kind = 'optimised', target = 'income', pilot = 'pilot.csv' }\n"
    plan = tk.Plan.from_toml(text, tmp_path)
    assert plan.method.split.pilot.num_rows == 1500
    with pytest.raises(tk.errors.PlanError, match="does not exist"):
        tk.Plan.from_toml(text.replace("pilot.csv", "absent.csv"), tmp_path)
