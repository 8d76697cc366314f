"""What a release still says: nothing lost, everything lost, and in between."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tests.conftest import MAKERS, columns_of
from tokumei.release.manifest import declared_and_disclosed

EXAMPLE = tk.example_schema()


def unchanged(frame: Any, schema: tk.Schema) -> tk.Release:
    return tk.anonymize(frame, schema, tk.LocalSuppression(k=2), seed=1)


def test_a_release_that_changes_nothing_loses_nothing(small_schema: tk.Schema, doubled: Any, make: Any) -> None:
    frame = make(doubled)
    found = tk.measure_utility(frame, unchanged(frame, small_schema), small_schema)
    assert (found.loss, found.ncp, found.rows, found.released_rows) == (0, 0, 12, 12)
    assert found.released is not None
    for each in [*found.released.marginals.values(), *found.released.pairs.values()]:
        assert each.total_variation == each.hellinger == 0
    assert found.released.marginals["number"].wasserstein == 0
    assert found.released.marginals["letter"].wasserstein is None
    np.testing.assert_allclose(found.released.associations, found.associations, atol=1e-12)
    assert found.released.propensity is not None
    assert found.released.propensity.pmse == pytest.approx(0, abs=1e-9)


def test_full_suppression_loses_everything(small_schema: tk.Schema, alone: Any) -> None:
    frame = pa.table(alone)
    release = tk.anonymize(frame, small_schema, tk.Generalization(k=4, partition=tk.partitions.Optimal()), seed=1)
    assert {*columns_of(release.frame)["letter"]} == {"*"}
    found = tk.measure_utility(frame, release, small_schema, columns=["letter"])
    assert found.released is not None
    # Letters were even before: spread over all of them, nothing can be told from the marginal.
    assert found.released.marginal_distance == 0
    both = tk.measure_utility(frame, release, small_schema, columns=["letter", "ill"])
    assert both.released is not None
    # Only a is not ill. Released: every letter 1/16 not ill and 3/16 ill, each of the eight cells off by 1/16 or 3/16.
    assert both.released.pairs["letter", "ill"].total_variation == pytest.approx((3 + 3 + 3 * 1 + 3 * 1) / 16 / 2)


def test_everything_suppressed_is_a_loss_of_one(small_schema: tk.Schema) -> None:
    frame = pa.table({"letter": ["a", "b", "c", "d"], "number": [0, 1, 3, 4], "ill": ["no", "yes", "yes", "yes"]})
    release = tk.anonymize(frame, small_schema, tk.Generalization(k=4, partition=tk.partitions.Optimal()), seed=1)
    found = tk.measure_utility(frame, release, small_schema)
    assert (found.loss, found.ncp) == (1, 1)
    assert found.released is not None
    assert found.reconstructed is not None  # by a model that knows nothing, so every value is as likely
    assert found.reconstructed.marginals["number"].total_variation == pytest.approx(0.2)
    # Of 0, 1, 3, 4 a quarter each, against a fifth of every number from 0 to 4: the fifth at 2 has to come from both sides.
    number = found.released.marginals["number"]
    assert number.total_variation == pytest.approx(0.2)
    assert number.wasserstein == pytest.approx((0.05 + 0.1 + 0.1 + 0.05) / 4)


def test_left_out_rows_are_lost_altogether(small_schema: tk.Schema, doubled: Any) -> None:
    frame = pa.table(
        {name: [*cells, *one] for (name, cells), one in zip(doubled.items(), (["d"], [0], ["no"]), strict=True)}
    )
    release = tk.anonymize(frame, small_schema, tk.RecordSuppression(k=2), seed=1)
    found = tk.measure_utility(frame, release, small_schema)
    assert found.released_rows == 12
    assert found.loss == pytest.approx(1 / 13)


def test_any_kind_of_frame_gives_the_same_numbers() -> None:
    made = {}
    people = columns_of(tk.example_census(rows=400))
    for kind, maker in MAKERS.items():
        frame = maker(people)
        release = tk.anonymize(frame, EXAMPLE, tk.LocalSuppression(k=3), seed=1)
        table = tk.measure_utility(frame, release, EXAMPLE, target="income").frame()
        assert type(table) is type(frame)
        made[kind] = columns_of(table)
    assert made["pandas"] == made["polars"] == made["pyarrow"]


def test_reconstruction_comes_nearer_than_the_noisy_rows() -> None:
    people = tk.example_census(rows=20_000, frame="pyarrow")
    release = tk.anonymize(people, EXAMPLE, tk.PkPerturbation(k=3, tells="all"), seed=1)
    columns = ["sex", "region", "education", "marital", "income"]
    found = tk.measure_utility(people, release, EXAMPLE, columns=columns, target="income")
    assert found.released is not None
    assert found.reconstructed is not None
    assert found.loss is None
    assert found.reconstructed.marginal_distance < 0.3 * found.released.marginal_distance
    assert found.reconstructed.pair_distance < 0.6 * found.released.pair_distance
    scores = [side.prediction for side in (found.released, found.reconstructed)]
    assert all(each is not None for each in scores)
    assert scores[1].score > scores[0].baseline  # type: ignore[union-attr]


def test_averages_cannot_be_undone_and_are_taken_as_they_are() -> None:
    people = tk.example_census(rows=500, frame="pyarrow")
    release = tk.anonymize(people, EXAMPLE, tk.Microaggregation(k=3, partition=tk.partitions.MDAV()), seed=1)
    found = tk.measure_utility(people, release, EXAMPLE, columns=["age", "sex"])
    assert found.released is not None
    assert found.reconstructed is not None
    assert found.reconstructed.pair_distance == pytest.approx(
        found.released.pair_distance, abs=0.02
    )  # long columns in bins


def test_measuring_leaves_the_release_as_it_is(tmp_path: Any) -> None:
    people = tk.example_census(rows=500, frame="pyarrow")
    release = tk.anonymize(people, EXAMPLE, tk.PkPerturbation(k=3, tells="all"), seed=1)
    before = json.dumps(declared_and_disclosed(release), default=str)
    release.write(tmp_path / "before", allow_seeded=True)
    tk.measure_utility(people, release, EXAMPLE, columns=["age", "sex"])
    assert json.dumps(declared_and_disclosed(release), default=str) == before
    release.write(tmp_path / "after", allow_seeded=True)
    assert (tmp_path / "before" / "data.parquet").read_bytes() == (tmp_path / "after" / "data.parquet").read_bytes()


def test_a_release_that_was_read_can_be_measured(tmp_path: Any) -> None:
    people = tk.example_census(rows=500)
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=3), [tk.prepare.Recode("age", level=1)], seed=1)
    release.write(tmp_path / "out", allow_seeded=True)
    steps = [tk.prepare.Recode("age", level=1)]
    first = tk.measure_utility(people, release, EXAMPLE, steps)
    second = tk.measure_utility(people, tk.read_release(tmp_path / "out"), EXAMPLE, steps)
    assert columns_of(first.frame()) == columns_of(second.frame())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"columns": ["agee"]}, "Did you mean 'age'"),
        ({"columns": ["age", "age"]}, "each once"),
        ({"columns": []}, "at least one"),
        ({"n_bins": 1}, "n_bins must be"),
        ({"target": "nothing"}, "not a column that can be compared"),
    ],
)
def test_bad_parameters_get_one_sentence(given: dict[str, Any], message: str) -> None:
    people = tk.example_census(rows=100, frame="pyarrow")
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=2), seed=1)
    with pytest.raises(tk.errors.InvalidParameter, match=message):
        tk.measure_utility(people, release, EXAMPLE, **given)


def test_contingency_counts_people(small_schema: tk.Schema, doubled: Any, make: Any, kind: str) -> None:
    frame = make(doubled)
    release = unchanged(frame, small_schema)
    table = columns_of(tk.comparisons.contingency(frame, release, small_schema, ["letter", "ill"]))
    assert sum(table["original"]) == 12
    assert table["original"] == pytest.approx(table["released"])
    cells = dict(zip(zip(table["letter"], table["ill"], strict=True), table["original"], strict=True))
    assert cells["c", "no"] == 4
    one = columns_of(tk.comparisons.contingency(frame, release, small_schema, ["letter"]))
    assert one["original"] == [4, 2, 4, 2]
    with pytest.raises(tk.errors.InvalidParameter, match="one or two columns"):
        tk.comparisons.contingency(frame, release, small_schema, ["letter", "ill", "number"])


def test_contingency_says_what_it_cannot_do() -> None:
    people = tk.example_census(rows=300, frame="pyarrow").select(["sex"])
    schema = tk.Schema((EXAMPLE["sex"],))
    matrix = tk.transitions.Matrix(((0.8, 0.2), (0.2, 0.8)), labels=("p", "q"))
    release = tk.anonymize(people, schema, tk.PRAM({"sex": matrix}), seed=1)
    with pytest.warns(tk.errors.NotMeasuredWarning, match="are not those of the original"):
        table = tk.comparisons.contingency(people, release, schema, ["sex"])
    assert table.column("released").null_count == table.num_rows
    assert table.column("reconstructed").null_count == 0
