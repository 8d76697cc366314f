"""Generalization by the scheme of an earlier release: its labels, and k counted on the new rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.anonymizers.anonymizer import Design, Survey
from tokumei.anonymizers.class_promises import (
    bind_all,
    class_guarantees,
    holding,
    quasi_identifiers,
    suppress,
    tell_suppressed,
)
from tokumei.anonymizers.notes import LabelledAsEarlier
from tokumei.anonymizers.promises import facts_of_people
from tokumei.anonymizers.recoded import by_names
from tokumei.anonymizers.value_rates import ValueRates
from tokumei.diagnostics import warn
from tokumei.errors import InvalidParameter, SamePeopleWarning
from tokumei.mechanism.record import Mechanism
from tokumei.partition.published_scheme import PublishedScheme, classes_of
from tokumei.partition.rows import problem_of, rows_allowed
from tokumei.privacy.assumptions import LabelsOfEarlier, ThisReleaseAlone
from tokumei.privacy.constraints import Sensitive
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import LabelsFrom
from tokumei.table.loss import mean_loss
from tokumei.table.own_cells import fine
from tokumei.table.schema import Schema
from tokumei.text import plural

TAKEN = Fact("published", None, LabelsFrom(how="earlier"))


def published_design(
    schema: Schema,
    survey: Survey,
    scheme: PublishedScheme,
    k: int,
    suppression_limit: float,
    constraints: Sequence[Sensitive],
    publish: Sequence[ValueRates],
) -> Design:
    """Give rows the labels of a published scheme, suppress what is rare among them, and state what is kept."""
    columns = quasi_identifiers(schema, survey.rows, k)
    table = scheme.told(survey.table, columns)
    if publish and any(table.schema[name].domain != schema[name].domain for name in columns):
        raise InvalidParameter("Rates can be published only if the domains are those of the published release.")
    bound = bind_all(constraints, table, columns, k)
    problem = problem_of(table, columns, k, bound)
    low, high, inside = scheme.stretches(problem)
    labels = holding(bound, classes_of(low, high, inside, k))
    outside = int(np.count_nonzero(~inside))
    why = f" ({plural(outside, 'row')} of them in no published box)" if outside else ""
    starred, left_out = suppress(labels, bound, k, rows_allowed(suppression_limit, table.rows), why)
    gone = starred | left_out
    named = {name: scheme.named(name) for name in columns}
    moved = {n for n in columns if table.rounded.get(n) or fine(table.schema[n])}  # labels tell other people's cells
    recoded = by_names(table, problem, low, high, starred, scheme.kind, named, moved)
    facts, assumes = tell_suppressed(int(np.count_nonzero(starred)), int(np.count_nonzero(left_out)))
    warn(
        "This release has the labels of an earlier one. Anyone who has both sees two equivalence classes of a "
        f"person who is in both releases, and fewer than {k} people may be in both classes. Each guarantee holds "
        "for one release alone.",
        SamePeopleWarning,
    )
    losses = [axis.loss(low[~gone, at], high[~gone, at]) for at, axis in enumerate(problem.axes)]
    lost = mean_loss(np.stack(losses, axis=1), np.ones(int(np.count_nonzero(~gone))), int(np.count_nonzero(gone)))
    note = LabelledAsEarlier(loss=lost, suppressed=int(np.count_nonzero(gone)), rows=table.rows, outside=outside)
    return Design(
        Mechanism(
            {}, tuple(n for n in schema.names() if n not in columns), None, recoded.recoding, int(left_out.sum())
        ),
        class_guarantees(
            recoded.applied(table, ~left_out),
            columns,
            k,
            constraints,
            (ThisReleaseAlone(), *assumes),
            LabelsOfEarlier(),
        ),
        (TAKEN, *facts, *facts_of_people(survey.people)),
        recoded.schema,
        recoded.codes,
        left_out,
        (note,),
    )
