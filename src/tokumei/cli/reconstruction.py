"""What `tokumei reconstruct` does: a table, a model, or weights."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.bounds import finite
from tokumei.cli.command import say
from tokumei.cli.words import INTERVAL_LEVEL, MANY_CELLS, parse_bins, parse_columns, show_table, write_frame
from tokumei.errors import DataError
from tokumei.files import sibling
from tokumei.io.source import read_table
from tokumei.learning.reconstruct import reconstruct
from tokumei.messages import phrase
from tokumei.reconstruction.density_ratio import DensityRatio
from tokumei.reconstruction.iterative_bayes import IterativeBayes
from tokumei.release.artifact import Release
from tokumei.table.schema import Schema

IN_PYTHON = "tk.reconstruct(release, target={!r}).predict(rows)"
Told = tuple[dict[str, Any], Callable[[], None]]  # facts for a script, and what is said to a person


def _by_model(release: Release, settings: Mapping[str, Any]) -> bool:
    """Whether a table comes from the model of the whole release: where rows have no channels of their own, and nothing else is asked."""
    mechanism = release.mechanism
    if mechanism.partly_told:
        return True
    boxes = mechanism.recoding is not None and mechanism.recoding.scheme == "overlapping"
    private = mechanism.averaging is not None or mechanism.swapping is not None
    return (boxes or private or mechanism.grouping is not None) and not set(settings) - {"weights"}


def table(
    release: Release,
    columns: Sequence[str],
    bins: Sequence[str],
    settings: dict[str, Any],
    intervals: bool,
    output: Path | None,
    written: Mapping[str, Any],
) -> Told:
    """Estimate a joint table, and write it where that is asked for."""
    if _by_model(release, settings):
        from tokumei.cli import modelled

        made_by_model: Told = modelled.table(release, columns, bins, settings, intervals, output, written)
        return made_by_model
    wanted = parse_columns(columns, release.schema.names())
    model = IterativeBayes(wanted, parse_bins(bins), **settings).fit(release)
    if intervals and model.pmf_.size <= MANY_CELLS:
        model.intervals(INTERVAL_LEVEL)
    made = model.frame()
    if output is not None:
        write_frame(made, output, **written)
    facts = {
        "columns": wanted,
        "cells": made.to_pylist(),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "gap": model.gap_,
        "log_likelihood": model.log_likelihood_,
        "reasons": [each.describe() for each in getattr(model, "reasons_", ())],
    }
    if output is None:
        return facts, lambda: show_table(made, wanted, model)
    return facts, lambda: say(phrase("Wrote {path} ({cells:,} cells).", path=output, cells=made.num_rows))


def predictor(
    release: Release,
    target: str,
    rows: Path | None,
    output: Path | None,
    written: Mapping[str, Any],
    survey: str | None = None,
) -> Told:
    """Fit a model, say what was picked, and predict rows where that is asked for."""
    known = _as_true_rows_have_them(release).without(target)
    true = None if rows is None else read_table(rows, release.originals.reading(known))
    model = reconstruct(release, target, weights=survey)
    picked = model.picked_
    facts: dict[str, Any] = {"target": target, "model": picked.model, "reason": picked.reason, "signal": picked.signal}
    if rows is None or true is None:

        def picked_only() -> None:
            say(picked)
            program = IN_PYTHON.format(target)
            say(phrase("Predict your own rows with --rows FILE, or in Python: {program}", program=program))

        return facts, picked_only
    true, found = predicted(model, rows, true, known)
    title = f"predicted {target}"
    while title in true.column_names:
        title = f"{title} again"
    made = true.append_column(title, found)
    place = output or sibling(rows, f"{rows.stem}-predicted.csv")
    write_frame(made, place, private=True, **written)  # the rows are true ones
    facts["path"] = str(place)

    def told() -> None:
        say(picked)
        say(phrase("Wrote {path} ({rows:row|rows}).", path=place, rows=made.num_rows))

    return facts, told


def _as_true_rows_have_them(release: Release) -> Schema:
    """Return the columns by which a file of true rows is read: as they were, where released rows tell some only."""
    if not release.mechanism.partly_told:
        return release.schema
    there = release.schema.without(*release.mechanism.made_up)
    return Schema(tuple(release.original(name) for name in there.names()))


def predicted(model: Any, path: Path, true: pa.Table, schema: Schema) -> tuple[pa.Table, Any]:
    """Predict rows of true values, or of the labels that the release has, which a file may write in the same way."""
    try:
        return true, pa.array(model.predict(true).tolist())
    except DataError as error:
        problem = error
    as_released = read_table(path, schema)
    if not as_released.schema.equals(true.schema):
        with contextlib.suppress(DataError):  # what is wrong with true values is what is said
            return as_released, pa.array(model.predict(as_released).tolist())
    raise problem


def weights(
    release: Release, model: str, support: str, settings: dict[str, Any], place: Path, written: Mapping[str, Any]
) -> Told:
    """Weigh the rows, and write them with their weights."""
    kinds: Any = (model, support)
    found = DensityRatio(*kinds, **settings).fit(release)
    made = found.support_
    title = "weight" if "weight" not in made.column_names else "reconstruction weight"
    write_frame(made.append_column(title, pa.array(found.weights_)), place, **written)
    facts = {
        "path": str(place),
        "rows": made.num_rows,
        "effective_rows": found.effective_rows_,
        "rows_worth": found.rows_worth_,
        "operator": found.operator_,
        "smoothing": found.smoothing_,
        "bandwidth": found.bandwidth_,
        "n_centers": found.n_centers_,
        "n_iter": found.n_iter_,
        "converged": found.converged_,
        "gap": found.gap_ if finite(found.gap_) else None,
        "log_likelihood": found.log_likelihood_,
    }

    def told() -> None:
        say(
            phrase(
                "Wrote {path} ({rows:row|rows} with the column {title!r}; after the noise, they tell "
                "about one column no more than {worth}).",
                path=place,
                rows=made.num_rows,
                title=title,
                worth=_worth(found.rows_worth_),
            )
        )
        say(phrase("Pass it to a model as sample_weight. For tables --columns is better, for predictions --target."))

    return facts, told


def _worth(rows: dict[str, float]) -> str:
    """Say how many true rows perturbed ones are worth, from the column that lost most to the one that lost least."""
    (least, few), *_, (most, many) = sorted([*rows.items(), *rows.items()], key=lambda each: each[1])
    if least == most:
        return phrase("{few:,.0f} true rows would", few=few)
    return phrase(
        "{few:,.0f} ({least}) to {many:,.0f} ({most}) true rows would", few=few, least=least, many=many, most=most
    )
