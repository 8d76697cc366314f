"""The tables of all pairs at once, against those that are added up pair by pair, cell by cell."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tokumei.reconstruction import _all_pairs, _expected
from tokumei.reconstruction.release_model import ReleaseModel

WAYS = ("_added_before", "_laid_out")


@pytest.mark.parametrize("k", [2, 20])
@pytest.mark.parametrize("tells", [2, 3, "all"])
def test_both_ways_give_what_pair_by_pair_gives(k: int, tells: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    release = tk.anonymize(
        tk.example_census(rows=4000), tk.example_schema(), tk.PkPerturbation(k=k, tells=tells), seed=3
    )
    model = ReleaseModel(n_components=3, n_init=1).fit(release)
    asked = [list(pair) for pair in itertools.combinations(model.columns_, 2)] + [[name] for name in model.columns_]

    used: list[str] = []
    for name in WAYS:
        way = getattr(_all_pairs, name)
        monkeypatch.setattr(_all_pairs, name, lambda *given, way=way, name=name: (used.append(name), way(*given))[1])

    def found(**settings: float) -> list[Any]:
        used.clear()
        for name, value in settings.items():
            monkeypatch.setattr(_expected if name == "MANY" else _all_pairs, name, value)
        return [each.pmf_ for each in model.estimated_tables(asked)]

    one_by_one = found(MANY=10**9)
    assert not used
    row_by_row = found(MANY=0, SHOWN=-1.0)
    assert set(used) == {"_laid_out"}
    before = found(SHOWN=1.0, ALIKE=1)
    assert set(used) == {"_added_before"}
    for slow, rows, sums in zip(one_by_one, row_by_row, before, strict=True):
        assert np.allclose(rows, slow, rtol=1e-4, atol=1e-7)  # classes of a row that are hardly likely are left out
        assert np.allclose(sums, rows, rtol=1e-6, atol=1e-8)  # which are added up in 32 bits
        assert sums.min() >= 0


def test_rows_that_show_few_columns_are_added_up_before(monkeypatch: pytest.MonkeyPatch) -> None:
    release = tk.anonymize(tk.example_census(rows=4000), tk.example_schema(), tk.PkPerturbation(k=2, tells=2), seed=3)
    model = ReleaseModel(n_components=3, n_init=1).fit(release)
    monkeypatch.setattr(_expected, "MANY", 0)
    monkeypatch.setattr(_all_pairs, "_laid_out", None)  # the slower way is not taken
    pairs = [list(pair) for pair in itertools.combinations(model.columns_, 2)]
    assert all(table.pmf_.sum() == pytest.approx(1) for table in model.estimated_tables(pairs))
