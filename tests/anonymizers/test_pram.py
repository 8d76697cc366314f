from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import stats

import tokumei as tk
from tests.conftest import columns_of
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.mechanism.transition_matrix import TOTAL, TransitionMatrix, alias_table
from tokumei.randomness import Key

pytestmark = pytest.mark.filterwarnings("ignore:These matrices guarantee next to nothing")  # a hundred rows

SCHEMA = tk.Schema(
    [
        tk.Attribute("town", domain=tk.Categories(["A", "B", "C"], ordered=True)),
        tk.Attribute("sex", domain=tk.Categories(["f", "m"]), missing=True),
        tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
    ]
)
TABLE = {"town": ["A", "B", "C", "A"] * 25, "sex": ["f", "m", None, "m"] * 25, "ill": [True, False] * 50}
TOWN = [[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]


def test_any_matrix_is_drawn_from_and_promised(make) -> None:
    release = tk.anonymize(make(TABLE), SCHEMA, tk.PRAM({"town": TOWN, "sex": tk.transitions.KeepOrReplace(0.5)}))
    channel = release.mechanism.channels["town"]
    assert np.allclose(channel.matrix().T, TOWN, atol=1e-9)
    pk, epsilon = release.guarantees
    a = min(0.1 / 0.8, 0.1 / 0.6, 0.1 / 0.6, 0.1 / 0.6)
    assert float(channel.ratio) == pytest.approx(a)
    assert pk.value == pytest.approx(1 + 99 * float(release.mechanism.swap))
    assert epsilon.numbers["town"] == pytest.approx(-np.log(a))
    assert set(columns_of(release.frame)["sex"]) == {"f", "m", None}
    assert release.rows == 100


def test_fewer_values_with_names_of_their_own(make) -> None:
    """Three towns become two sides; the analyst's table is still about towns' sides, and the frame holds the labels."""
    sides = tk.transitions.Matrix([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]], labels=["north", "south"])
    release = tk.anonymize(make(TABLE), SCHEMA, tk.PRAM({"town": sides, "sex": tk.transitions.KeepOrReplace(0.5)}))
    assert set(columns_of(release.frame)["town"]) == {"north", "south"}
    assert release.schema["town"].domain == tk.Categories(["north", "south"])
    assert release.mechanism.channels["town"].matrix().shape == (2, 3)


def test_matrices_survive_a_manifest(tmp_path) -> None:
    sides = tk.transitions.Matrix([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]], labels=["north", "south"])
    for method in (
        tk.PRAM({"town": tk.transitions.Banded(0.5), "sex": tk.transitions.KeepOrReplace(0.5)}),
        tk.PRAM({"town": sides, "sex": tk.transitions.KeepOrReplace(0.5)}, sample=30),
        tk.PRAM({"town": tk.transitions.Invariant(0.5), "sex": tk.transitions.KeepOrReplace(0.5)}, kept="known"),
    ):
        release = tk.anonymize(pd.DataFrame(TABLE), SCHEMA, method)
        release.write(tmp_path / "out", overwrite=True)
        again = tk.read_release(tmp_path / "out")
        assert again.mechanism == release.mechanism
        assert again.guarantees == release.guarantees


def test_matrices_that_hardly_change_anything_are_warned_of_where_no_k_is_asked_for() -> None:
    """The release said k = 1 and nothing more, since k was not quite 1."""
    keep = tk.transitions.KeepOrReplace(0.9)
    with pytest.warns(
        tk.errors.NothingPromisedWarning, match=r"guarantee next to nothing \(k = 1\.\d+\)\. Make them noisier"
    ):
        release = tk.anonymize(pd.DataFrame(TABLE), SCHEMA, tk.PRAM({"town": keep, "sex": keep}))
    assert 1 < release.guarantees[0].value < 2


def test_zeros_promise_nothing_and_are_named() -> None:
    holes = [[0.9, 0.1, 0.0], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    with pytest.warns(tk.errors.NothingPromisedWarning, match="guarantee nothing .* 1 zero"):
        release = tk.anonymize(
            pd.DataFrame(TABLE), SCHEMA, tk.PRAM({"town": holes, "sex": tk.transitions.KeepOrReplace(0.5)})
        )
    assert [g.value for g in release.guarantees] == [1.0]  # and no ε at all
    with pytest.raises(
        InfeasiblePromise, match=r"guarantee k = 1\. The matrix of 'town' has 1 zero .*row of 'A', column 3"
    ):
        tk.anonymize(
            pd.DataFrame(TABLE), SCHEMA, tk.PRAM({"town": holes, "sex": tk.transitions.KeepOrReplace(0.5)}, k=2)
        )


def test_columns_nobody_can_be_released_as_are_left_out_of_the_promise() -> None:
    dead = [[0.9, 0.1, 0.0], [0.1, 0.9, 0.0], [0.5, 0.5, 0.0]]
    channel = TransitionMatrix.from_probabilities(dead)
    assert channel.ratio > 0
    assert channel.zeros() == []


def test_banded_reach_has_zeros() -> None:
    with pytest.warns(tk.errors.NothingPromisedWarning):
        release = tk.anonymize(
            pd.DataFrame(TABLE),
            SCHEMA,
            tk.PRAM({"town": tk.transitions.Banded(0.6, reach=1), "sex": tk.transitions.KeepOrReplace(0.5)}),
        )
    assert release.guarantees[0].value == 1
    matrix = release.mechanism.channels["town"].matrix().T
    assert matrix[0, 2] == 0
    assert np.allclose(np.diag(matrix), 0.6)


def test_banded_falls_with_distance() -> None:
    schema = tk.Schema([tk.Attribute("grade", domain=tk.Categories(list(range(6)), ordered=True))])
    release = tk.anonymize(
        pa.table({"grade": [0, 5] * 10}), schema, tk.PRAM({"grade": tk.transitions.Banded(0.5, decay=0.5)})
    )
    row = release.mechanism.channels["grade"].matrix().T[0]
    assert np.allclose(row[2:] / row[1:-1], 0.5, rtol=1e-6)


def test_invariant_keeps_the_marginals_in_expectation_and_discloses_them() -> None:
    counts = np.array([700, 250, 50])
    table = pa.table({"town": np.repeat(["A", "B", "C"], counts)})
    schema = tk.Schema([SCHEMA["town"]])
    release = tk.anonymize(table, schema, tk.PRAM({"town": tk.transitions.Invariant(0.5)}))
    share = counts / counts.sum()
    assert np.allclose(release.mechanism.channels["town"].forward(share), share, atol=1e-8)
    assert [fact.name for fact in release.disclosed] == ["marginals of town"]
    assert [g.notion for g in release.guarantees] == ["Pk-anonymity"]  # no ε where the matrix came from the data


def test_draws_of_a_matrix_follow_it() -> None:
    channel = TransitionMatrix.from_probabilities(TOWN)
    for true in range(3):
        drawn = channel.sample(np.full(50_000, true, np.uint8), Key.seeded(1).stream("x"))
        seen = np.bincount(drawn, minlength=3)
        assert stats.chisquare(seen, np.array(TOWN[true]) * 50_000).pvalue > 1e-5
        wrong = np.array(TOWN[true]) * [0.7, 1, 1]
        assert stats.chisquare(seen, wrong / wrong.sum() * 50_000).pvalue < 1e-9


def test_alias_tables_are_exact() -> None:
    rng = np.random.default_rng(0)
    for size in (1, 2, 3, 17, 100):
        channel = TransitionMatrix.from_probabilities(rng.dirichlet(np.full(size, 0.2), size=3))
        for row in channel.weights:
            stays, others = alias_table(row)
            mass = list(stays)
            for column in range(size):
                mass[others[column]] += TOTAL - stays[column]
            assert mass == [weight * size for weight in row]


def test_what_a_sample_of_a_matrix_promises() -> None:
    method = tk.PRAM({"town": TOWN, "sex": tk.transitions.KeepOrReplace(0.5)}, sample=40)
    release = tk.anonymize(pd.DataFrame(TABLE), SCHEMA, method)
    secret, known, _ = release.guarantees
    assert release.rows == 40
    assert secret.numbers == {"among": 100, "inside": 40}
    assert known.numbers == {"among": 40, "inside": 40}
    assert secret.value > known.value
    with pytest.raises(InfeasiblePromise):
        tk.anonymize(
            pd.DataFrame(TABLE), SCHEMA, tk.PRAM(method.columns, k=secret.value, sample=40, membership="known")
        )
    tk.anonymize(pd.DataFrame(TABLE), SCHEMA, tk.PRAM(method.columns, k=secret.value, sample=40))


def test_plans_know_it() -> None:
    plan = tk.Plan.from_toml(
        """
        [source]
        path = "x.csv"
        [schema.town]
        role = "quasi_identifier"
        domain = { kind = "categories", values = ["A", "B"] }
        [method]
        method = "pram"
        sample = { design = "stratified", column = "town", size = 3 }
        [method.columns]
        town = { kind = "keep_or_replace", keep = 0.5 }
        """
    )
    assert plan.method.transitions() == {"town": tk.transitions.KeepOrReplace(0.5)}
    assert plan.method.sample == tk.samples.Stratified("town", 3)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "names no column"),
        ({"town": [[0.5, 0.6], [0.5, 0.5]]}, "row 1 sums to 1.1"),
        ({"town": [[1.5, -0.5], [0.5, 0.5]]}, "numbers of at least 0; row 1"),
        ({"town": [[0.5, 0.5], [1.0]]}, "rows of one length"),
        ({"town": [[float("nan"), 1.0]]}, "at least 0"),
        ({"town": "half"}, "needs its parameters beside its kind"),
        ({"town": 3}, "give a matrix of numbers"),
        ({"town": {"kind": "keep_or_replace"}}, "'keep' is missing"),
        ({"town": {"kind": "magic"}}, "kind must be one of"),
        ({"town": {"kind": "keep_or_replace", "keep": 1.5}}, "keep must lie between 0 and 1"),
        ({"town": {"kind": "banded", "keep": 0.5, "decay": 0.0}}, "decay must be above 0"),
        ({"town": {"kind": "banded", "keep": 0.5, "reach": 0}}, "reach must be at least 1"),
    ],
)
def test_matrices_that_cannot_be(columns: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.PRAM(columns)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (
            tk.PRAM({"town": [[0.5, 0.5], [0.5, 0.5]], "sex": tk.transitions.KeepOrReplace(0.5)}),
            "must have 3 rows and 3 columns. Got 2 and 2",
        ),
        (tk.PRAM({"town": TOWN}), "no matrix is given for 'sex'"),
        (tk.PRAM({"town": TOWN, "sex": tk.transitions.Banded(0.5)}), "Banded needs ordered categories"),
        (tk.PRAM({"towm": TOWN}), "Did you mean 'town'"),
        (
            tk.PRAM({"town": TOWN, "sex": tk.transitions.KeepOrReplace(0.5)}, sample=tk.samples.Stratified("town", 2)),
            "quasi-identifier, and released strata|cannot be the column of strata",
        ),
    ],
)
def test_methods_that_do_not_fit_the_table(method: tk.PRAM, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.anonymize(pd.DataFrame(TABLE), SCHEMA, method)


def test_numbers_need_recoding_first() -> None:
    schema = tk.Schema([tk.Attribute("age", domain=tk.Numbers(0, 1, step=1))])
    with pytest.raises(InvalidParameter, match="needs a column of categories, and 'age' is not one"):
        tk.anonymize(pa.table({"age": [0, 1]}), schema, tk.PRAM({"age": [[0.5, 0.5], [0.5, 0.5]]}))


def test_many_released_labels_are_all_drawn() -> None:
    schema = tk.Schema([tk.Attribute("b", domain=tk.Categories([0, 1]))])
    wide = tk.transitions.Matrix([[1 / 300] * 300] * 2, labels=list(range(300)))
    release = tk.anonymize(pa.table({"b": [0, 1] * 5000}), schema, tk.PRAM({"b": wide}), seed=1)
    assert len(set(release.frame["b"].to_pylist())) == 300
