"""Surveys: files of households and people, and weighted totals that must not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.plan.calibration import Calibration as Calibration
    from tokumei.plan.calibration import calibrate as calibrate
    from tokumei.release.calibration import calibrated_weights as calibrated_weights
    from tokumei.release.calibration import totals_table as totals_table
    from tokumei.table.households import by_record_type as by_record_type
    from tokumei.table.households import join as join
    from tokumei.table.households import lengthen as lengthen
    from tokumei.table.households import widen as widen
    from tokumei.table.households import widened_schema as widened_schema
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
