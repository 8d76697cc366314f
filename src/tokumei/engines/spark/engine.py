"""Make a release of a Spark frame: look, design, and let the machines of the cluster draw."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.anonymizers.sample import hidden_columns
from tokumei.engines.designing import design_rows, treated_columns
from tokumei.engines.held import HeldRows, bytes_held
from tokumei.engines.local import prepared_table
from tokumei.engines.needs import needs_rows, refuse_size
from tokumei.engines.release_builder import (
    ReleaseBuilder,
    opened_steps,
    repeat_key,
    says_everything,
    tell_rare,
)
from tokumei.engines.spark.choice import choose
from tokumei.engines.spark.drawing import Drawing, drawn_frame, released_types, shuffled
from tokumei.engines.spark.held import bytes_of_codes, fetch_rows, hand_back
from tokumei.engines.spark.look import Look, first_look
from tokumei.engines.spark.mondrian import CutStretches
from tokumei.engines.spark.packing import UNPACKED, packing_of
from tokumei.engines.spark.people import count_people
from tokumei.engines.spark.release import SparkRelease, SparkRows
from tokumei.engines.spark.rows import Reader
from tokumei.engines.spark.session import session_of
from tokumei.engines.spark.survey import SparkSurvey
from tokumei.engines.stream.memory import bytes_of
from tokumei.errors import InvalidParameter
from tokumei.mechanism.repeating import Draws
from tokumei.prepare.person_tags import check_one_row
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.table.coded import CodedTable
from tokumei.table.frames import Origin
from tokumei.table.schema import Schema


def spark_release(
    frame: Any, schema: Schema, method: Anonymizer, prepare: Sequence[Step], key: Key, memory: int | None = None
) -> SparkRelease:
    """Make a release of a Spark frame; the driver may take ``memory``, by default as much as Spark lets it collect."""
    session = session_of(frame)
    prepare = opened_steps(schema, method, prepare)
    look = first_look(frame, Reader(schema, prepare))
    if repeat_key(prepare) is not None:
        check_one_row(look.rows, count_people(look), prepare[-1].column)
    if needs_rows(method, schema):
        return _of_held_rows(look, session, method, schema, prepare, key, memory or _collected(session))
    tell_rare(look.empty.schema.without(*hidden_columns(method.sampling())), look.counts.__getitem__)
    design, held = _drawn(method, look, key)
    builder = ReleaseBuilder(schema, method, prepare, key)
    return SparkRelease(**builder.parts(held, Origin("pyarrow"), design, look.empty.schema, look.rounded))


def _of_held_rows(
    look: Look, session: Any, method: Anonymizer, schema: Schema, prepare: tuple[Step, ...], key: Key, memory: int
) -> SparkRelease:
    """Make a release by a method that looks at all rows: the driver holds their codes."""
    refuse_size(method, schema, "spark", look.rows, bytes_held(look.rows, bytes_of_codes(look)), memory)
    released = look.empty.schema
    table = fetch_rows(look, schema, method.keeps(released))

    def prepared_alike(other: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
        return prepared_table(other, schema, prepare, columns)

    made = design_rows(table, method, prepare, key, prepared_alike)
    types = {name: column.cells.type for name, column in look.empty.columns.items() if column.cells is not None}
    held = hand_back(session, HeldRows.of(treated_columns(made), made.order, types, memory))
    builder = ReleaseBuilder(schema, method, prepare, key)
    return SparkRelease(**builder.parts(held, Origin("pyarrow"), made.design, made.table.schema, look.rounded))


def _collected(session: Any) -> int:
    """Return how much Spark lets the driver collect; 0 stands for any amount."""
    most = str(session.sparkContext.getConf().get("spark.driver.maxResultSize", "1g"))
    return sys.maxsize if most.strip("bB") == "0" else bytes_of(most)


def _drawn(method: Anonymizer, look: Look, key: Key) -> tuple[Design, SparkRows]:
    with stage("Solving for the guarantee"):
        sample = method.sampling()
        chosen = choose(sample, look, key)
        hidden = hidden_columns(sample)
        schema = look.empty.schema.without(*hidden)
        survey = SparkSurvey(look, key.for_tasks(), chosen, sample, hidden)
        design = method.design(schema, survey)
    mechanism, columns = design.mechanism, tuple(name for name in look.empty.columns if name not in hidden)
    channels, telling = mechanism.channels, mechanism.telling
    says_everything(design, columns)
    released = design.schema or schema
    if (design.cut is not None or design.left_out is not None) and (mechanism.perturbed or chosen is not None):
        raise InvalidParameter(
            "{kind} groups or leaves out rows and draws too, which the engine 'spark' does not do; use the engine "
            "'local'.",
            kind=type(method).__name__,
        )
    if design.cut is not None:
        assert isinstance(design.cut, CutStretches)
        return design, design.cut.labelled(released, design.recoded)
    shown = columns if telling is None else (*columns, telling.label)
    types = released_types(look, released, shown, mechanism.perturbed)
    anew = {*mechanism.perturbed, *(name for name, each in look.empty.columns.items() if not each.told_by_cells)}
    packing = UNPACKED if design.left_out is not None else packing_of(released, types, anew)  # which looks at cells
    draws = Draws.of(key, repeat_key(look.reader.prepare), mechanism, released)
    drawing = Drawing(
        look.reader,
        look.parts,
        released,
        columns,
        channels,
        telling,
        chosen,
        key.for_tasks(),
        draws.repeat,
        draws.names,
        packing,
    )
    drawn = drawn_frame(look.frame, drawing, types)
    if design.left_out is not None:
        drawn = design.left_out.rows_of(drawn)
    rows = survey.released - mechanism.left_out
    made = packing.opened(shuffled(drawn, len(look.parts.by_number)), released, types)
    return design, SparkRows(made, types, rows)
