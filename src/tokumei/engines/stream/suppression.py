"""Leaving out rare rows, their classes counted on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tokumei.anonymizers.anonymizer import Design
from tokumei.anonymizers.class_promises import k_guarantee, quasi_identifiers, tell_suppressed
from tokumei.anonymizers.record_suppression import RecordSuppression
from tokumei.arrays import Unsigned64
from tokumei.engines.release_builder import refuse_constraints
from tokumei.engines.stream.counting import tallies
from tokumei.engines.stream.identity import Identity
from tokumei.engines.stream.survey import StreamSurvey
from tokumei.progress import stage
from tokumei.table.schema import Schema


def suppress_records(method: RecordSuppression, schema: Schema, survey: StreamSurvey) -> Design:
    """Find the rows to leave out, and state what the others keep."""
    refuse_constraints(method, "stream")
    columns = quasi_identifiers(schema, survey.rows, method.k)
    left_out = np.zeros(survey.rows, dtype=np.bool_)
    smallest = survey.rows
    identity = Identity(columns, survey.by_cells, survey.spool.layout, survey.memory // 4)

    def rows() -> Iterator[tuple[Unsigned64, None]]:
        with stage("Counting classes", survey.rows) as counting:
            for chunk in survey.spool.chunks():
                yield identity.keys(chunk), None
                counting.advance(chunk.rows)

    for tally in tallies(rows, identity.words, 1, survey.memory // 2):
        sizes = tally.result()[1][:, 0]
        smallest = min(smallest, int(sizes[sizes >= method.k].min(initial=survey.rows)))
        if np.any(sizes < method.k):
            for chunk in survey.spool.chunks():
                found = tally.first_counts(identity.keys(chunk))
                left_out[chunk.start : chunk.start + chunk.rows] |= (found > 0) & (found < method.k)
    gone = int(np.count_nonzero(left_out))
    method.check_limit(gone, survey.rows)
    _, assumes = tell_suppressed(0, gone)
    others = [name for name in schema.names() if name not in columns]
    design = method.designed(schema, gone, survey.rows, (k_guarantee(smallest, columns, others, method.k, assumes),))
    return replace(design, left_out=left_out)
