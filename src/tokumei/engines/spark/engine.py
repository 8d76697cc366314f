"""Make a release of a Spark frame: look, design, and let the machines of the cluster draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.anonymizers.generalization import Generalization
from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.anonymizers.pram import PRAM
from tokumei.anonymizers.record_suppression import RecordSuppression
from tokumei.anonymizers.sample import hidden_columns
from tokumei.anonymizers.sampling import Sampling
from tokumei.engines.release_builder import (
    ReleaseBuilder,
    opened_steps,
    refuse_constraints,
    refuse_people,
    refuse_rates,
    says_everything,
    tell_rare,
)
from tokumei.engines.spark.choice import choose
from tokumei.engines.spark.drawing import Drawing, drawn_frame, released_types, shuffled
from tokumei.engines.spark.look import Look, first_look
from tokumei.engines.spark.mondrian import generalized, mondrian_of
from tokumei.engines.spark.release import SparkRelease, SparkRows
from tokumei.engines.spark.rows import Reader
from tokumei.engines.spark.session import session_of
from tokumei.engines.spark.suppression import suppressed
from tokumei.engines.spark.survey import SparkSurvey
from tokumei.errors import InvalidParameter
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.table.frames import Origin
from tokumei.table.schema import Schema


def spark_release(frame: Any, schema: Schema, method: Anonymizer, prepare: Sequence[Step], key: Key) -> SparkRelease:
    """Make a release of a Spark frame."""
    check_method(method)
    refuse_people(schema, "spark")
    session_of(frame)
    prepare = opened_steps(schema, method, prepare)
    look = first_look(frame, Reader(schema, prepare))
    tell_rare(look.empty.schema.without(*hidden_columns(method.sampling())), look.counts.__getitem__)
    if isinstance(method, Generalization):
        design, held = generalized(method, look, key)
    elif isinstance(method, RecordSuppression):
        design, held = suppressed(method, look, key)
    else:
        design, held = _drawn(method, look, key)
    builder = ReleaseBuilder(schema, method, prepare, key)
    return SparkRelease(**builder.parts(held, Origin("pyarrow"), design, look.empty.schema, look.rounded))


def check_method(method: Anonymizer) -> None:
    """Refuse a method that Spark does not run, and say what can."""
    if not isinstance(method, PkPerturbation | PRAM | Sampling | RecordSuppression | Generalization):
        raise InvalidParameter(
            f"The Spark engine does not run {type(method).__name__}; it runs PkPerturbation, PRAM, Sampling, "
            "RecordSuppression, and Generalization by Mondrian. Use engine='local' for the others."
        )
    refuse_rates(method, "spark")
    if isinstance(method, RecordSuppression | Generalization):
        refuse_constraints(method, "spark")
    if isinstance(method, Generalization):
        mondrian_of(method)


def _drawn(method: Anonymizer, look: Look, key: Key) -> tuple[Design, SparkRows]:
    with stage("Solving for the guarantee"):
        sample = method.sampling()
        chosen = choose(sample, look, key)
        hidden = hidden_columns(sample)
        schema = look.empty.schema.without(*hidden)
        survey = SparkSurvey(look, key.for_tasks(), chosen, sample, hidden)
        design = method.design(schema, survey)
    channels, columns = design.mechanism.channels, tuple(name for name in look.empty.columns if name not in hidden)
    says_everything(design, columns)
    released = design.schema or schema
    types = released_types(look, released, columns, channels)
    drawing = Drawing(look.reader, look.parts, released, columns, channels, chosen, key.for_tasks())
    drawn = drawn_frame(look.frame, drawing, types)
    return design, SparkRows(shuffled(drawn, len(look.parts.by_number)), types, survey.released)
