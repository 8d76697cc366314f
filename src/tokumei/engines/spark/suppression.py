"""Leave out the rows of small classes of a Spark frame."""

from __future__ import annotations

from typing import Any

from tokumei.anonymizers.anonymizer import Design
from tokumei.anonymizers.class_promises import quasi_identifiers, size_guarantee, tell_suppressed
from tokumei.anonymizers.record_suppression import COUNTED, RecordSuppression
from tokumei.engines.spark.drawing import Drawing, drawn_frame, released_types, shuffled
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.problems import in_one_sentence
from tokumei.engines.spark.release import quoted
from tokumei.errors import InfeasiblePromise, plural
from tokumei.mechanism.record import Mechanism
from tokumei.partition.rows import rows_allowed
from tokumei.progress import stage
from tokumei.randomness import Key

COUNT = "tokumei rows"


def suppressed(
    method: RecordSuppression, look: Look, key: Key
) -> tuple[Design, Any, dict[str, Any], int, tuple[Any, ...]]:
    """Find the classes of fewer than k rows, and leave their rows out; the others are released as they are."""
    from pyspark.sql import functions as F  # noqa: N812

    schema, columns = look.empty.schema, tuple(look.empty.columns)
    known = quasi_identifiers(schema, look.rows, method.k)
    types = released_types(look, schema, columns, ())
    drawing = Drawing(look.reader, look.parts, schema, columns, {}, None, key.for_tasks())
    rows = drawn_frame(look.frame, drawing, types)
    keys = [f"tokumei key {place}" for place in range(len(known))]
    cells = [F.col(quoted(name)).alias(key) for name, key in zip(known, keys, strict=True)]
    large = rows.select(*cells).groupBy(*keys).agg(F.count("*").alias(COUNT)).where(F.col(COUNT) >= method.k)
    with stage("Counting classes"), in_one_sentence("counting classes"):
        counted = large.agg(F.sum(COUNT), F.min(COUNT)).collect()[0]
    kept, smallest = int(counted[0] or 0), int(counted[1] or 0)
    gone = look.rows - kept
    if not kept or gone > rows_allowed(method.suppression_limit, look.rows):
        raise InfeasiblePromise(
            f"{gone:,} of {plural(look.rows, 'row')} would be left out; recode the columns first, or ask for less."
        )
    facts, assumes = tell_suppressed(0, gone)
    others = [name for name in schema.names() if name not in known]
    design = Design(
        Mechanism({}, schema.names(), left_out=gone),
        (size_guarantee(smallest, known, others, method.k, assumes),),
        (*facts, COUNTED),
        notes=(f"Left out: {gone:,} of {plural(look.rows, 'row')}.",),
    )
    alike = [F.col(quoted(name)).eqNullSafe(F.col(key)) for name, key in zip(known, keys, strict=True)]
    stay = rows if not gone else rows.join(large, alike, "left_semi")
    return design, shuffled(stay, len(look.parts.by_number)), types, kept, ()
