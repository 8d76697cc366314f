"""Make a release of a Spark frame: look, design, and let the machines of the cluster draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.anonymizers.generalization import Generalization
from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.anonymizers.pram import Pram
from tokumei.anonymizers.record_suppression import RecordSuppression
from tokumei.anonymizers.sample import Stratified
from tokumei.anonymizers.sampling import Sampling
from tokumei.engines.local import tell_rare, tell_rounded
from tokumei.engines.spark.choice import choose
from tokumei.engines.spark.drawing import Drawing, drawn_frame, released_types, shuffled
from tokumei.engines.spark.look import Look, first_look
from tokumei.engines.spark.mondrian import generalized
from tokumei.engines.spark.release import SparkRelease
from tokumei.engines.spark.rows import Reader
from tokumei.engines.spark.session import session_of
from tokumei.engines.spark.suppression import suppressed
from tokumei.engines.spark.survey import SparkSurvey
from tokumei.errors import DataError, InvalidParameter, plural
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.release.artifact import Record
from tokumei.table.frames import Origin
from tokumei.table.schema import Schema


@dataclass(frozen=True)
class Made:
    """A design carried out: the released rows in Spark, their columns with types, how many they are, what Spark keeps."""

    design: Design
    frame: Any
    types: dict[str, Any]
    rows: int
    held: tuple[Any, ...] = ()


def spark_release(
    frame: Any, schema: Schema, method: Anonymizer, prepare: Sequence[Step], seed: int | None
) -> SparkRelease:
    """Make a release of a Spark frame."""
    check_method(method)
    session_of(frame)
    key = Key.fresh() if seed is None else Key.seeded(seed)
    look = first_look(frame, Reader(schema, tuple(prepare)))
    if isinstance(method, Generalization):
        made = Made(*generalized(method, look, key))
    elif isinstance(method, RecordSuppression):
        made = Made(*suppressed(method, look, key))
    else:
        made = _perturbed(method, look, key)
    design = made.design
    released = design.schema or look.empty.schema
    changed = {*design.mechanism.perturbed, *(design.mechanism.recoding.columns if design.mechanism.recoding else ())}
    rounded = {name: count for name, count in look.rounded.items() if name in changed}
    tell_rounded(rounded, schema)
    tell_rare(look.empty.schema, look.counts)
    return SparkRelease(
        table=pa.schema(made.types.items()).empty_table(),
        origin=Origin("pyarrow"),
        schema=released,
        mechanism=design.mechanism,
        guarantees=design.guarantees if key.secure else tuple(each.seeded() for each in design.guarantees),
        method=method.describe(),
        prepare=tuple(step.describe() for step in prepare),
        disclosed=design.facts,
        seeded=not key.secure,
        record=Record(rounded=rounded, identifiers=schema.names("identifier"), notes=design.notes),
        spark=made.frame,
        count=made.rows,
        held=made.held,
    )


def check_method(method: Anonymizer) -> None:
    """Refuse a method that Spark does not run, and say what can."""
    if not isinstance(method, PkPerturbation | Pram | Sampling | RecordSuppression | Generalization):
        raise InvalidParameter(
            f"The Spark engine does not run {type(method).__name__}; it runs PkPerturbation, Pram, Sampling, "
            "RecordSuppression, and Generalization by Mondrian. Use engine='local' for the others."
        )
    if method.publishing():
        raise InvalidParameter("The Spark engine publishes no rates beside a release; use engine='local' for them.")
    if isinstance(method, RecordSuppression | Generalization) and method.constraints:
        raise InvalidParameter("The Spark engine keeps no constraints beside k; use engine='local' for them.")


def _perturbed(method: Anonymizer, look: Look, key: Key) -> Made:
    with stage("Solving for the promise"):
        sample = method.sampling()
        choice = choose(sample, look, key)
        hidden = (sample.column,) if isinstance(sample, Stratified) and sample.labels == "hidden" else ()
        schema = look.empty.schema.without(*hidden)
        survey = SparkSurvey(look, key.for_tasks(), choice, sample, hidden)
        design = method.design(schema, survey)
    channels, columns = design.mechanism.channels, tuple(name for name in look.empty.columns if name not in hidden)
    left_over = set(columns) - set(design.mechanism.columns)
    if left_over:
        raise DataError(f"The method says nothing about {plural(len(left_over), 'column')}; nothing was released.")
    released = design.schema or schema
    types = released_types(look, released, columns, channels)
    drawing = Drawing(look.reader, look.parts, released, columns, channels, choice, key.for_tasks())
    drawn = drawn_frame(look.frame, drawing, types)
    return Made(design, shuffled(drawn, len(look.parts.by_number)), types, survey.released)
