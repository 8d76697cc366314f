"""What notebooks show of a release's utility: means over columns, and each column's distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.markup.card import card, grid, said
from tokumei.text import plural
from tokumei.words import Words

if TYPE_CHECKING:
    from tokumei.utility.results import Side, Utility


def utility_card(found: Utility) -> str:
    """Show what a release still says of its original."""
    words = Words("en")
    told = [f"{words(f'utility_{name}')}: {lost:.1%}." for name, lost in found.losses.items() if lost is not None]
    lost = " ".join(told)
    sides = found.sides()
    titled = [words(f"side_{name}") for name in sides]
    measures = {name: _measures(found, side) for name, side in sides.items()}
    titles = dict.fromkeys(title for each in measures.values() for title in each)
    apart = [
        (column, *(f"{side.marginals[column].total_variation:.1%}" for side in sides.values()))
        for column in found.columns
    ]
    return card(
        f"Utility: {plural(found.rows, 'row')} in the original, {found.released_rows:,} released",
        said(lost) if lost else "",
        grid(
            ("on average", *titled), [(title, *(each.get(title, "") for each in measures.values())) for title in titles]
        )
        if sides
        else "",
        grid(("distance of a column", *titled), apart) if sides else "",
        *(said(f"Note: {note}") for note in found.notes),
    )


def _measures(found: Utility, side: Side) -> dict[str, str]:
    told = {"mean distance of one column": f"{side.marginal_distance:.1%}"}
    pairs, associations = side.pair_distance, found.association_distance(side)
    if pairs is not None and associations is not None:
        told["mean distance of two columns together"] = f"{pairs:.1%}"
        told["mean error of an association"] = f"{associations:.3f}"
    if side.propensity is not None:
        told["told apart from original rows (pMSE, 0 is best)"] = f"{side.propensity.pmse:.4f}"
    if side.prediction is not None:
        told["score of a model trained on it"] = f"{side.prediction.score:.3f}"
        told["... trained on the original"] = f"{side.prediction.learned_from_original:.3f}"
    return told
