"""Quick measures are those of `measure_utility`, and nothing more."""

from __future__ import annotations

import pytest

import tokumei as tk
from tokumei.engines.local import prepared_table
from tokumei.errors import InvalidParameter
from tokumei.utility.quick import Quick


@pytest.mark.parametrize(
    "method", [tk.PkPerturbation(k=3, tells="all"), tk.Generalization(k=4, partition=tk.partitions.Mondrian())]
)
def test_they_are_those_of_measure_utility(method: object) -> None:
    people, schema = tk.example_census(rows=300, frame="pyarrow"), tk.example_schema()
    release = tk.anonymize(people, schema, method, seed=1)  # type: ignore[arg-type]
    quick = Quick(prepared_table(people, schema, ()))
    measured = tk.measure_utility(people, release, schema, reconstruct=False).released
    assert measured is not None
    off = quick.released(release)
    assert off.marginals == pytest.approx(measured.marginal_distance)
    assert off.pairs == pytest.approx(measured.pair_distance)
    assert off.utility == 1 - measured.pair_distance


def test_one_column_alone_has_no_pairs() -> None:
    people = tk.example_census(rows=300, frame="pyarrow").select(["sex"])
    schema = tk.Schema((tk.example_schema()["sex"],))
    release = tk.anonymize(people, schema, tk.PkPerturbation(k=3, tells="all"), seed=1)
    off = Quick(prepared_table(people, schema, ())).released(release)
    assert off.pairs is None
    assert off.utility == 1 - off.marginals


def test_without_a_column_in_common_nothing_is_measured() -> None:
    people, schema = tk.example_census(rows=100, frame="pyarrow"), tk.example_schema()
    quick = Quick(prepared_table(people, schema, ()), ["sex"])
    release = tk.anonymize(people, schema, tk.PkPerturbation(k=3, tells="all"), [tk.prepare.Drop("sex")], seed=1)
    with pytest.raises(InvalidParameter, match="no column with a domain in common"):
        quick.released(release)
