"""Rates of values: how often each value occurs within a generalized cell, measured, published and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.anonymizers.value_rates import ValueRates as ValueRates
    from tokumei.engines.rates import measure_rates as measure_rates
    from tokumei.release.rates import Rates as Rates
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
