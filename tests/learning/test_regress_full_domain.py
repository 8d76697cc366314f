"""Regressions from tables whose columns were made coarser as a whole: an answer near the truth, or the column that lost everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tokumei as tk
from benchmarks import regressions
from tokumei.errors import InvalidParameter

LEVELS = {
    "age": tk.Hierarchy.intervals([0, 3, 6, 9, 11], [0, 6, 11]),
    "hours": tk.Hierarchy.intervals([0, 4, 8, 15]),
}
PEOPLE = regressions.people(3_000, np.random.default_rng(4))


def schema() -> tk.Schema:
    """Return the schema with levels, without the house and the weight."""
    made = [each for each in regressions.schema("sensitive") if each.name != "house"]
    return tk.Schema([tk.Attribute(a.name, a.role, a.domain, LEVELS.get(a.name)) for a in made])


def released(partition: Any, k: int) -> tk.Release:
    names = list(schema().names())
    return tk.anonymize(
        PEOPLE[names], schema(), tk.Generalization(k=k, partition=partition, suppression_limit=0.2), seed=1
    )


@pytest.mark.parametrize("family", ["linear", "logistic", "poisson"])
@pytest.mark.parametrize("k", [3, 30])
@pytest.mark.parametrize("partition", ["optimal", "levels"])
def test_whole_columns_on_a_level_give_an_answer(partition: str, k: int, family: Any) -> None:
    made = {
        "optimal": tk.partitions.Optimal(),
        "levels": tk.partitions.FixedLevels({"age": 1, "hours": 1, "sex": 0, "area": 0}),
    }[partition]
    target = {each: name for name, each in regressions.FAMILIES.items()}[family]
    release = released(made, k)
    recoding = release.mechanism.recoding
    assert recoding is not None and not recoding.columns["age"].starred.all()
    found = tk.regress(release, f"{target} ~ age + sex + area", family=family)
    assert found.names == ("(constant)", *regressions.SLOPES)
    truth = regressions.truth(target)
    assert 0 < found.estimate[1] < 2 * truth[1]  # levels blur age, and never turn it round
    assert found.estimate[2] == pytest.approx(truth[2], rel=0.3)
    spans = recoding.columns["age"].spans
    if np.all(spans[:, 0] < spans[:, 1]):  # no row shows its age
        assert found.reasons and found.standard_error is None
    else:
        low, high = found.interval(0.999)
        assert np.all((low < truth) & (truth < high))


def test_a_column_that_the_levels_took_away_is_named() -> None:
    release = released(tk.partitions.FixedLevels({"age": 3, "hours": 1, "sex": 0, "area": 0}), 3)
    with pytest.raises(InvalidParameter, match="'age' was suppressed in every row; leave it out"):
        tk.regress(release, "pay ~ age + sex")
    assert tk.regress(release, "pay ~ sex").estimate.shape == (2,)
