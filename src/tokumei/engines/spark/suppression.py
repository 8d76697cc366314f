"""Leave out the rows of small classes of a Spark frame."""

from __future__ import annotations

from tokumei.anonymizers.anonymizer import Design
from tokumei.anonymizers.class_promises import k_guarantee, quasi_identifiers, tell_suppressed
from tokumei.anonymizers.record_suppression import RecordSuppression
from tokumei.engines.spark.drawing import Drawing, drawn_frame, released_types, shuffled
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.problems import in_one_sentence
from tokumei.engines.spark.release import CLASS_ROWS, SparkRows, quoted
from tokumei.progress import stage
from tokumei.randomness import Key


def suppressed(method: RecordSuppression, look: Look, key: Key) -> tuple[Design, SparkRows]:
    """Find the classes of fewer than k rows, and leave their rows out; the others are released unchanged."""
    from pyspark.sql import functions as F  # noqa: N812

    schema, columns = look.empty.schema, tuple(look.empty.columns)
    known = quasi_identifiers(schema, look.rows, method.k)
    types = released_types(look, schema, columns, ())
    drawing = Drawing(look.reader, look.parts, schema, columns, {}, None, key.for_tasks())
    rows = drawn_frame(look.frame, drawing, types)
    keys = [f"tokumei key {place}" for place in range(len(known))]
    cells = [F.col(quoted(name)).alias(key) for name, key in zip(known, keys, strict=True)]
    large = rows.select(*cells).groupBy(*keys).agg(F.count("*").alias(CLASS_ROWS)).where(F.col(CLASS_ROWS) >= method.k)
    with stage("Counting classes"), in_one_sentence("counting classes"):
        counted = large.agg(F.sum(CLASS_ROWS), F.min(CLASS_ROWS)).collect()[0]
    kept, smallest = int(counted[0] or 0), int(counted[1] or 0)
    gone = look.rows - kept
    method.check_limit(gone, look.rows)
    _, assumes = tell_suppressed(0, gone)
    others = [name for name in schema.names() if name not in known]
    guarantee = k_guarantee(smallest, known, others, method.k, assumes)
    design = method.designed(schema, gone, look.rows, (guarantee,))
    alike = [F.col(quoted(name)).eqNullSafe(F.col(key)) for name, key in zip(known, keys, strict=True)]
    stay = rows if not gone else rows.join(large, alike, "left_semi")
    return design, SparkRows(shuffled(stay, len(look.parts.by_number)), types, kept)
