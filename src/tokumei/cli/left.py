"""What a release still says, in one line, and what would help where that is next to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from tokumei.engines.local import prepared_table
from tokumei.reconstruction.quality import NEXT_TO_NOTHING, expected_quality, hardly_left
from tokumei.runner import rows_of
from tokumei.table.schema import DROPPED
from tokumei.utility.quick import Off, Quick
from tokumei.words import Words

if TYPE_CHECKING:
    from tokumei.plan import Plan
    from tokumei.release.artifact import Release

MANY = 6  # columns
SMALL_K = 3.0
MOST_ROWS = 1_000_000  # that are counted again to say what was lost


def left_lines(release: Release, plan: Plan, words: Words) -> list[str]:
    """Say what tables will be off by: expected from public numbers where there is noise, else measured on the rows; warn of next to nothing."""
    mechanism = release.mechanism
    if mechanism.channels or mechanism.telling is not None:
        found = expected_quality(release)
        one, two, key = found.one, found.two, "expected"
    else:
        off = _measured(release, plan)
        if off is None:
            return []
        one, two, key = off.marginals, off.pairs, "measured"
    if one is None:
        return []
    said = [words(f"left_{key}.one", one=one) if two is None else words(f"left_{key}.two", one=one, two=two)]
    gone = hardly_left(release) if isinstance(release.held, pa.Table) else ()
    if gone:
        said.append(words("left.gone", columns=gone))
    worst = one if two is None else two
    if worst < NEXT_TO_NOTHING and not set(release.schema.names("quasi_identifier")) <= set(gone):
        return said
    ways = words("list_semicolon").join(words(f"left_way.{each}") for each in ways_out(release))
    return [*said, words("left.next_to_nothing", ways=ways)]


def _measured(release: Release, plan: Plan) -> Off | None:
    """Measure a release as it is, where the rows are in memory anyway."""
    if not isinstance(release.held, pa.Table) or release.rows > MOST_ROWS:
        return None
    table = prepared_table(rows_of(plan), plan.schema, plan.prepare)
    shared = [a.name for a in table.schema if a.domain is not None and a.name in release.schema.names()]
    return Quick(table, shared).released(release) if shared else None


def ways_out(release: Release) -> list[str]:
    """Name what would help, by its key: whatever the method at hand does not do yet."""
    method: Any = release.method
    perturbed = bool(release.mechanism.perturbed)
    columns = sum(each.role not in DROPPED for each in release.schema)
    k = method.get("k")
    asked = {
        "tells": perturbed and method.get("tells") == "all",
        "columns": columns > MANY,
        "coarser": True,
        "generalize": perturbed,
        "k": isinstance(k, int | float) and k > SMALL_K,
        "rows": True,
    }
    return [name for name, fits in asked.items() if fits]
