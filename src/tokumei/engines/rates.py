"""Rates of values on their own, for an analyst who has the rows already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokumei.anonymizers.class_promises import check_class_size
from tokumei.anonymizers.value_rates import ValueRates, measured
from tokumei.engines.local import prepared_table
from tokumei.errors import InvalidParameter
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.release.rates import Rates
from tokumei.table.schema import Schema, require_schema


@stage("Measuring rates")
def measure_rates(
    frame: Any, schema: Schema, k: int, publish: Sequence[ValueRates] = (ValueRates(),), prepare: Sequence[Step] = ()
) -> Rates:
    """Measure how often values occur, to be handed over apart from a release; `Rates.guarantees` says what they promise.

    What an analyst gets this way is no part of any release, and no release accounts for it: keep count of the epsilons
    yourself. True rates of all rows beside a release that leaves some out tell what those were like; publish the rates with
    the release instead, which counts the released rows only.

    Parameters
    ----------
    frame
        A pandas or polars frame or a pyarrow table, one row per person.
    schema
        Its columns, with roles and domains.
    k
        Values of fewer rows are told together only.
    publish
        Which rates; by default true ones of all quasi-identifiers.
    prepare
        The steps that the release took first.

    Examples
    --------
    >>> import tokumei as tk
    >>> noisy = [tk.rates.ValueRates(["sex"], epsilon=1)]
    >>> rates = tk.rates.measure_rates(tk.example_census(rows=2000), tk.example_schema(), k=10, publish=noisy)
    >>> abs(rates["sex"].values["Female"] - 0.51) < 0.1, rates.guarantees[0].value
    (True, 1.0)
    """
    require_schema(schema)
    if not isinstance(publish, Sequence) or not publish or not all(isinstance(each, ValueRates) for each in publish):
        raise InvalidParameter("publish must be a list such as [ValueRates(['age'], epsilon=1)].")
    check_class_size(k)
    return measured(publish, prepared_table(frame, schema, prepare), None, k, Key.fresh())
