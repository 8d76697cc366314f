"""Designs of methods that look at every row, made in passes over rows on disk."""

from __future__ import annotations

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.anonymizers.record_suppression import RecordSuppression
from tokumei.engines.stream.suppression import suppress_records
from tokumei.engines.stream.survey import StreamSurvey
from tokumei.engines.stream.treating import Treated
from tokumei.table.schema import Schema


def design_of(method: Anonymizer, schema: Schema, survey: StreamSurvey) -> tuple[Design, Treated | None]:
    """Design a method for rows on disk: what it promises is what it promises in memory."""
    if isinstance(method, RecordSuppression):
        return suppress_records(method, schema, survey), None
    return method.design(schema, survey), None
