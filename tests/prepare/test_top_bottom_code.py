from __future__ import annotations

import datetime as dt

import pytest

import tokumei as tk
from tests.conftest import columns_of
from tokumei.errors import InvalidParameter

SCHEMA = tk.Schema(
    [
        tk.Attribute("pay", "insensitive", tk.Numbers(0, 1000, step=10), missing=True),
        tk.Attribute("born", "insensitive", tk.Dates(dt.date(1900, 1, 1), dt.date(2020, 12, 31))),
        tk.Attribute("sex", domain=tk.Categories(["f", "m"])),
    ]
)
TABLE = {"pay": [0, 50, 500, 1000, None], "born": [dt.date(1905, 5, 5)] * 5, "sex": ["f", "m", "f", "m", "f"]}


def test_outliers_are_brought_in(make) -> None:
    steps = [
        tk.prepare.TopBottomCode("pay", low=20, high=600),
        tk.prepare.TopBottomCode("born", low=dt.date(1930, 1, 1)),
    ]
    release = tk.anonymize(make(TABLE), SCHEMA, tk.PkPerturbation(k=2, tells="all"), steps)
    found = columns_of(release.frame)
    assert sorted(cell for cell in found["pay"] if cell is not None) == [20, 50, 500, 600]
    assert found["pay"].count(None) == 1
    assert {str(cell)[:10] for cell in found["born"]} == {"1930-01-01"}
    assert release.schema["pay"].domain == tk.Numbers(20, 600, step=10)
    assert release.prepare[1] == {"step": "top_bottom_code", "column": "born", "low": "1930-01-01", "high": None}


def test_one_end_may_stay() -> None:
    import pandas as pd

    release = tk.anonymize(
        pd.DataFrame(TABLE), SCHEMA, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.TopBottomCode("pay", high=0)]
    )
    assert release.schema["pay"].domain == tk.Numbers(0, 0, step=10)


@pytest.mark.parametrize(
    ("make_it", "message"),
    [
        (lambda: tk.prepare.TopBottomCode("pay"), "needs low, high or both"),
        (lambda: tk.prepare.TopBottomCode("pay", low=15), "15 is not a grid point"),
        (lambda: tk.prepare.TopBottomCode("pay", high=2000), "2000 is not a grid point"),
        (lambda: tk.prepare.TopBottomCode("pay", high=float("inf")), "must be finite"),
        (lambda: tk.prepare.TopBottomCode("pay", low=500, high=100), "low must not be above high"),
        (lambda: tk.prepare.TopBottomCode("sex", low=1), "needs numbers or dates"),
        (lambda: tk.prepare.TopBottomCode("born", low=1), "edges of dates must be dates"),
        (lambda: tk.prepare.TopBottomCode("payy", low=1), "Did you mean 'pay'"),
    ],
)
def test_bounds_that_cannot_be(make, make_it, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.anonymize(make(TABLE), SCHEMA, tk.PkPerturbation(k=2, tells="all"), [make_it()])
