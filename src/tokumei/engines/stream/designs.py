"""Designs of methods that look at every row, made in passes over rows on disk."""

from __future__ import annotations

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.anonymizers.generalization import Generalization
from tokumei.anonymizers.record_suppression import RecordSuppression
from tokumei.engines.stream.grouping import generalize
from tokumei.engines.stream.spool import Spool
from tokumei.engines.stream.suppression import suppress_records
from tokumei.engines.stream.survey import StreamSurvey
from tokumei.engines.stream.treating import Treated
from tokumei.partition.mondrian import Mondrian
from tokumei.table.schema import Schema


def design_of(method: Anonymizer, schema: Schema, survey: StreamSurvey) -> tuple[Design, Treated | None, Spool]:
    """Design a method for rows on disk: what it promises is what it promises in memory.

    Also returns what recodes the rows as they pass, if anything does, and the rows, which may lie in another order now.
    """
    if isinstance(method, RecordSuppression):
        return suppress_records(method, schema, survey), None, survey.spool
    if isinstance(method, Generalization) and isinstance(method.partition, Mondrian):
        return generalize(method, schema, survey)
    return method.design(schema, survey), None, survey.spool
