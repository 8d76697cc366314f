"""Models that learn from a release and are scored on original rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from sklearn.tree import DecisionTreeClassifier

import tokumei as tk

EXAMPLE = tk.example_schema()


def doubled(rows: int) -> pa.Table:
    people = tk.example_census(rows=rows, frame="pyarrow")
    return pa.concat_tables([people, people])


@pytest.mark.parametrize("target", ["income", "hours"])
def test_an_unchanged_release_teaches_what_the_original_does(target: str) -> None:
    people = doubled(600)
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=2), seed=1)
    schema = EXAMPLE
    if target == "hours":  # a target must not be made coarser
        schema = schema.replacing(tk.Attribute("hours", "sensitive", schema["hours"].domain))
        release = tk.anonymize(people, schema, tk.LocalSuppression(k=2), seed=1)
    found = tk.measure_utility(people, release, schema, target=target, reconstruct=False)
    assert found.released is not None
    learned = found.released.prediction
    assert learned is not None
    assert learned.score == pytest.approx(learned.learned_from_original, abs=1e-3)
    assert learned.kept == pytest.approx(1, abs=0.01)
    assert learned.score > learned.baseline


def test_rows_of_which_the_number_to_predict_is_missing_count_for_nothing() -> None:
    """They were refused."""
    people = tk.example_census(rows=600, frame="pyarrow")
    hours = pa.array([None if place % 3 == 0 else each for place, each in enumerate(people["hours"].to_pylist())])
    blank = people.set_column(people.schema.get_field_index("hours"), "hours", hours)
    answering = blank.filter(pc.is_valid(hours))
    scores = []
    for rows in (blank, answering):
        schema = EXAMPLE.replacing(tk.Attribute("hours", "sensitive", EXAMPLE["hours"].domain, missing=True))
        release = tk.anonymize(rows, schema, tk.Swapping(k=3), seed=1)
        found = tk.measure_utility(rows, release, schema, target="hours", reconstruct=False)
        assert found.released is not None and found.released.prediction is not None
        scores.append(found.released.prediction)
    assert scores[0].learned_from_original == pytest.approx(scores[1].learned_from_original)
    assert scores[0].score == pytest.approx(scores[1].score, abs=0.1)


def test_the_baseline_is_the_most_frequent_value() -> None:
    people = doubled(400)
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=2), seed=1)
    found = tk.measure_utility(people, release, EXAMPLE, columns=["sex", "income"], target="income", reconstruct=False)
    assert found.released is not None
    assert found.released.prediction is not None
    incomes = people.column("income").to_pylist()
    assert found.released.prediction.baseline == max(incomes.count(each) for each in set(incomes)) / len(incomes)


def test_another_model_can_be_given() -> None:
    people = doubled(400)
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=2), seed=1)
    tree = DecisionTreeClassifier(random_state=0)
    found = tk.measure_utility(people, release, EXAMPLE, target="income", estimator=tree, reconstruct=False)
    assert found.released is not None
    assert found.released.prediction is not None
    assert found.released.prediction.learned_from_original > 0.9


def test_a_target_that_was_made_coarser_cannot_be_learned() -> None:
    people = tk.example_census(rows=400, frame="pyarrow")
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=5), seed=1)
    found = tk.measure_utility(people, release, EXAMPLE, target="sex", reconstruct=False)
    assert found.released is not None
    assert found.released.prediction is None
    assert any("was generalized" in str(note) for note in found.notes)


def test_many_rows_are_learned_from_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    import tokumei.utility.prediction as module

    people = doubled(500)
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=2), seed=1)
    whole = tk.measure_utility(people, release, EXAMPLE, target="income", reconstruct=False).released
    monkeypatch.setattr(module, "MOST", 200)
    part = tk.measure_utility(people, release, EXAMPLE, target="income", reconstruct=False).released
    assert whole is not None
    assert part is not None
    assert whole.prediction is not None
    assert part.prediction is not None
    assert abs(part.prediction.score - whole.prediction.score) < 0.15
    assert not np.isnan(part.prediction.kept)


def test_models_can_be_scored_on_other_rows() -> None:
    people, others = doubled(400), tk.example_census(rows=300, random_state=9, frame="pyarrow")
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=2), seed=1)
    tree = DecisionTreeClassifier(random_state=0)
    found = tk.measure_utility(
        people, release, EXAMPLE, target="income", estimator=tree, test=others, reconstruct=False
    )
    assert found.released is not None
    learned = found.released.prediction
    assert learned is not None
    incomes = others.column("income").to_pylist()
    assert learned.baseline == max(incomes.count(each) for each in set(incomes)) / 300
    assert learned.learned_from_original < 0.9  # a tree knows by heart only what it has seen
