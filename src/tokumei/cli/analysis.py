"""Commands for the analyst: from a release to answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.command import ANALYST, AsJson, ReleasePath, command, print_json, say
from tokumei.cli.completion import choices, column
from tokumei.cli.completion import columns as complete_columns
from tokumei.messages import phrase


@command("tokumei reconstruct people-release --columns age,income --bins age=10 -o table.csv", panel=ANALYST)
def reconstruct(
    release: ReleasePath,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            "-c",
            help="A joint table of these columns, separated by commas or given one by one.",
            autocompletion=complete_columns,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="A model that predicts this column; says which was picked and how much signal is left.",
            autocompletion=column,
        ),
    ] = None,
    rows: Annotated[Path | None, typer.Option(help="True rows whose target to predict, a CSV or Parquet file.")] = None,
    bins: Annotated[
        list[str] | None,
        typer.Option(
            help="For numbers: the number of intervals (age=10) or their edges (age=17:30:60:90). May be repeated."
        ),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            help="How weights may depend on rows: free, kernel or linear.",
            autocompletion=choices("tokumei.reconstruction.density_ratio", "Model"),
        ),
    ] = "free",
    support: Annotated[
        str,
        typer.Option(
            help="Which rows are weighted: released or product.",
            autocompletion=choices("tokumei.reconstruction.density_ratio", "Support"),
        ),
    ] = "released",
    solver: Annotated[
        str | None,
        typer.Option(
            "--solver",
            "--algorithm",
            help="For weights: multiplicative (accelerated EM), or gradient, as published.",
            autocompletion=choices("tokumei.reconstruction.density_ratio", "Solver"),
        ),
    ] = None,
    bandwidth: Annotated[
        float | None,
        typer.Option(
            "--bandwidth",
            "--width",
            help="For --model kernel: the width in units of the usual distance of two rows; by default chosen.",
        ),
    ] = None,
    sigma2: Annotated[
        float | None,
        typer.Option(help="For --model kernel: the width σ² as published, for dummies and raw numbers."),
    ] = None,
    n_centers: Annotated[
        int | None,
        typer.Option(
            "--n-centers", "--centers", help="For --model kernel: the number of centers; by default every row."
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this CSV or Parquet file.")] = None,
    smoothing: Annotated[
        float | None, typer.Option(help="Add this many pseudo-rows; by default chosen for weights, none for tables.")
    ] = None,
    tol: Annotated[float | None, typer.Option(help="Stop within this distance of the best log-likelihood.")] = None,
    max_iter: Annotated[int | None, typer.Option(help="Stop after this many iterations.")] = None,
    assume: Annotated[
        str | None,
        typer.Option(help="'coarsened at random': go on even if rows were generalized in groups that overlap."),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            help="A column of survey weights that is released unchanged: each row counts for this many people."
        ),
    ] = None,
    intervals: Annotated[bool, typer.Option(help="Also report a confidence interval for each share.")] = True,
    formulas: Annotated[
        str,
        typer.Option(
            help="Cells of a CSV file that a spreadsheet would run: keep them, or quote them.",
            autocompletion=choices("tokumei.release.formulas", "WAYS"),
        ),
    ] = "keep",
    overwrite: Annotated[bool, typer.Option(help="Replace an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take the noise out: estimate a joint table (--columns), a model (--target), or with --output weights for the rows, or complete rows where each row tells some columns. Without options, say what can be asked and how good it will be."""
    import warnings

    from tokumei.cli import reconstruction as reconstructing
    from tokumei.errors import InvalidParameter, TokumeiWarning
    from tokumei.files import sibling
    from tokumei.release.files import read_release

    if columns and target is not None:
        raise InvalidParameter("give --columns for a table or --target for a model, not both.")
    if rows is not None and target is None:
        raise InvalidParameter("--rows are predicted by a model; name its column with --target.")
    found = read_release(release, frame="pyarrow")
    given = {"smoothing": smoothing, "tol": tol, "max_iter": max_iter, "weights": weights}
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    weighing = {"solver": solver, "bandwidth": bandwidth, "sigma2": sigma2, "n_centers": n_centers}
    of_weights = {name: value for name, value in weighing.items() if value is not None}
    for name in of_weights if columns or target is not None else ():
        raise InvalidParameter(
            "--{option} is for weights of rows; leave it out, or leave out --columns and --target.",
            option=name.replace("_", "-"),
        )
    settings |= of_weights
    written: Any = {"overwrite": overwrite, "formulas": formulas}
    usual = model == "free" and support == "released" and assume is None and not overwrite
    nothing_asked = usual and not (columns or target or settings or bins or output)
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        if nothing_asked:
            from tokumei.cli.overview import overview

            facts, lines = overview(found, release)
        elif columns:
            settings |= {} if assume is None else {"assume": assume}
            facts, lines = reconstructing.table(found, columns, bins or [], settings, intervals, output, written)
        elif target is not None:
            facts, lines = reconstructing.predictor(found, target, rows, output, written, weights)
        elif found.mechanism.partly_told:
            from tokumei.cli import modelled

            place = output or sibling(release.resolve(), f"{release.resolve().name}-complete.csv")
            unlike = {"model": model} if model != "free" else {"support": support} if support != "released" else {}
            facts, lines = modelled.complete_rows(found, {**settings, **unlike}, place, written)
        else:
            place = output or sibling(release.resolve(), f"{release.resolve().name}-weights.csv")
            facts, lines = reconstructing.weights(found, model, support, settings, place, written)
    for notice in noticed:
        if issubclass(notice.category, TokumeiWarning):
            say(phrase("note: {note}", note=notice.message), err=True)
    if as_json:
        print_json(facts)
    else:
        lines()
