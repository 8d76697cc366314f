"""What notebooks show of a table's risk: counts and shares; nothing about single rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.markup.card import card, grid, said
from tokumei.messages import Spoken, said_in, spoken_language
from tokumei.text import names, plural

if TYPE_CHECKING:
    from tokumei.risk.assessment import Assessment

SHOWN = 10  # columns and combinations


def assessment_card(found: Assessment) -> str:
    """Show an assessment."""
    attackers = [
        each for each in (found.prosecutor, found.journalist, found.marketer, found.survey) if each is not None
    ]
    return card(
        f"Risk of {plural(found.rows, 'row')}: k = {found.k:,}, {found.unique_share:.2%} unique",
        said(f"Seen by an attacker who knows {names(found.columns)}."),
        grid(
            ("attacker", "highest", "average", f"rows over {found.prosecutor.threshold:g}", "how"),
            [
                (
                    each.attacker,
                    f"{each.highest:.4g}",
                    f"{each.average:.4g}",
                    f"{each.above:,} ({each.above_share:.2%})",
                    each.how,
                )
                for each in attackers
            ],
        ),
        _population(found),
        _sensitive(found),
        grid(
            ("column", "share of the score", "separation", "distinction", "rows no longer unique without it"),
            [
                (
                    each.name,
                    f"{each.share:.1%}",
                    f"{each.separation:.4f}",
                    f"{each.distinction:.4f}",
                    f"{each.spared:,}",
                )
                for each in found.singling_out.attributes[:SHOWN]
            ],
        ),
        _combinations(found),
    )


def lines_card(found: Spoken) -> str:
    """Show what a check or an attack says: the first line as the title, indented ones as a list."""
    language = spoken_language()
    first, *rest = [said_in(line, language) for line in found.lines()]
    parts: list[str] = []
    for line in rest:
        parts.append(said(line.strip() if not line.startswith(" ") else f"\u2003{line.strip()}"))
    return card(first, *parts)


def _population(found: Assessment) -> str:
    unique = found.uniqueness
    if unique is None:
        return ""
    told = f"{unique.people:,.0f} of {unique.population:,} people in the population ({unique.share:.2%}) are unique"
    return said(f"{told} ({unique.chosen.replace('_', ' ')}).")


def _sensitive(found: Assessment) -> str:
    if not found.sensitive:
        return ""
    return grid(
        (
            "sensitive column",
            "fewest different values in an equivalence class (l)",
            "distance from the table (t)",
            "rows disclosed",
        ),
        [
            (name, f"{each.distinct:,}", f"{each.t:.3f}", f"{each.disclosed:,}")
            for name, each in found.sensitive.items()
        ],
    )


def _combinations(found: Assessment) -> str:
    if not found.singling_out.minimal:
        return ""
    return grid(
        ("smallest sets that single out rows", "rows"),
        [(", ".join(each.columns), f"{each.rows:,}") for each in found.singling_out.minimal[:SHOWN]],
    )
