"""What `tokumei reconstruct` does where each row tells some columns only: tables and complete rows from one model of all columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tokumei.cli.command import say
from tokumei.cli.words import (
    INTERVAL_LEVEL,
    MANY_CELLS,
    parse_bins,
    parse_columns,
    show_cells,
    show_reasons,
    write_frame,
)
from tokumei.errors import InvalidParameter
from tokumei.learning.reconstruct import reconstruct
from tokumei.messages import phrase
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release

NOT_FOR_MODELS = (
    "smoothing",
    "tol",
    "max_iter",
    "assume",
    "model",
    "support",
    "solver",
    "bandwidth",
    "sigma2",
    "n_centers",
)


def model_of(release: Release, settings: Mapping[str, Any]) -> ReleaseModel:
    """Fit the model, refusing settings that it does not have."""
    for name in NOT_FOR_MODELS:
        if name in settings:
            raise InvalidParameter(
                "--{option} is for releases whose rows tell every column; each row of this one tells some, so leave it out.",
                option=name.replace("_", "-"),
            )
    found: ReleaseModel = reconstruct(release, weights=settings.get("weights"))
    return found


def table(
    release: Release,
    columns: Sequence[str],
    bins: Sequence[str],
    settings: Mapping[str, Any],
    intervals: bool,
    output: Path | None,
    written: Mapping[str, Any],
) -> Any:
    """Estimate a joint table, and write it where that is asked for."""
    wanted = parse_columns(columns, release.schema.names())
    model = model_of(release, settings)
    found = model.table(wanted, parse_bins(bins))
    asked = intervals and found.pmf_.size <= MANY_CELLS
    made = found.frame(INTERVAL_LEVEL if asked else None)
    reasons = found.intervals(INTERVAL_LEVEL).reasons if asked else ()
    if output is not None:
        write_frame(made, output, **written)

    def told() -> None:
        if output is None:
            show_cells(made, wanted)
        else:
            say(phrase("Wrote {path} ({cells:,} cells).", path=output, cells=made.num_rows))
        _say_model(model)
        if asked:
            show_reasons(reasons)

    facts = {"columns": wanted, "cells": made.to_pylist(), "reasons": [each.describe() for each in reasons]}
    return {**facts, **_facts(model)}, told


def complete_rows(release: Release, settings: Mapping[str, Any], place: Path, written: Mapping[str, Any]) -> Any:
    """Draw a complete row for each released one, and write them."""
    model = model_of(release, settings)
    made = model.impute()
    write_frame(made, place, **written)

    def told() -> None:
        say(phrase("Wrote {path} ({rows:complete row|complete rows}).", path=place, rows=made.num_rows))
        say(
            phrase(
                "Each is drawn from what its released row leaves open, so it is nobody's. For tables --columns is better, for "
                "predictions --target."
            )
        )
        _say_model(model)

    return {"path": str(place), "rows": made.num_rows, **_facts(model)}, told


def _facts(model: ReleaseModel) -> dict[str, Any]:
    return {
        "n_components": model.n_components_,
        "log_likelihood": model.log_likelihood_,
        "spread": model.spread_,
    }


def _say_model(model: ReleaseModel) -> None:
    if not model.n_components_ or (model.even_ and not model.hides_):
        say(phrase("No column has noise, so the released rows are counted as they are."))
        return
    if model.even_ and not model.suppressed_:
        say(
            phrase(
                "Labels say too little about what they hide, so people are spread evenly over the values of a label."
            )
        )
        return
    if model.even_:
        say(phrase("Suppressed cells say nothing, so they are spread evenly over the values that they may stand for."))
        return
    say(
        phrase(
            "Estimated by one model of all columns with {classes:class|classes}; its tables of two columns differ by {spread:.1%} "
            "between starts.",
            classes=model.n_components_,
            spread=model.spread_,
        )
    )
