"""What notebooks show of a plan: where the rows are, their columns, the steps, the method, and where the release goes."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tokumei.markup.card import card, in_words, pairs
from tokumei.table.notebook import columns_grid

if TYPE_CHECKING:
    from tokumei.plan import Plan


def plan_card(plan: Plan) -> str:
    """Show a plan."""
    source, output = plan.source, plan.output
    method: Any = plan.method
    settings = {part.name: getattr(method, part.name) for part in fields(method) if part.repr}
    facts = {
        "source": source.path or f"{source.database}, {'table ' + source.table if source.table else 'a query'}",
        "steps first": ", ".join(f"{step.step} {step.column}" for step in plan.prepare),
        "method": method.method,
        **{name: in_words(given) for name, given in settings.items() if given is not None},
        "output": output.path if output.database is None else f"{output.database}, table {output.table}",
    }
    told = {name: fact for name, fact in facts.items() if fact}
    return card("Plan", pairs(told), columns_grid(plan.schema.attributes))
