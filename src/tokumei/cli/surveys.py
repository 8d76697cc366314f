"""Commands of the group `tokumei survey`: files of households and people, and weights that keep totals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.command import Delimiter, Encoding, command, say, survey
from tokumei.messages import phrase

On = Annotated[str, typer.Option(help="The column of both files that numbers households.")]
Out = Annotated[Path, typer.Option("-o", "--output", help="Where to write: a .csv or .parquet file.")]
Overwrite = Annotated[bool, typer.Option(help="Replace existing files.")]
Homes = Annotated[Path, typer.Argument(metavar="HOUSEHOLDS", help="The file of households.")]
Members = Annotated[Path, typer.Argument(metavar="PEOPLE", help="The file of people.")]


@command("tokumei survey join households.csv people.csv --on hhid -o members.csv", group=survey)
def join(
    households: Homes,
    people: Members,
    on: On,
    output: Out,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    overwrite: Overwrite = False,
) -> None:
    """Join households and people: one row per person, to be protected with --person and the number of the household."""
    from tokumei.table.households import join as joined

    made = joined(*_read(households, people, delimiter, encoding), on)
    _write({output: made}, overwrite, private=True)  # the rows are true ones
    say(phrase("Wrote {path} ({rows:row|rows}).", path=output, rows=made.num_rows))
    say(phrase("Next: tokumei init {path} --person {on}", path=output, on=on))


@command("tokumei survey widen households.csv people.csv --on hhid --most 5 -o wide.csv", group=survey)
def widen(
    households: Homes,
    people: Members,
    on: On,
    most: Annotated[int, typer.Option(help="The most members that a household may have.")],
    output: Out,
    order: Annotated[
        str | None, typer.Option(help="A column of the people by which members are ordered; it is dropped.")
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    overwrite: Overwrite = False,
) -> None:
    """Put each household into one row, with columns for its members, so that guarantees are about whole households."""
    from tokumei.table.households import widen as widened

    made = widened(*_read(households, people, delimiter, encoding), on, most=most, order=order)
    _write({output: made}, overwrite, private=True)  # the rows are true ones
    say(phrase("Wrote {path} ({rows:row|rows}).", path=output, rows=made.num_rows))
    say(phrase("Next: tokumei init {path}", path=output))


@command("tokumei survey lengthen release --households homes.csv --people members.csv", group=survey)
def lengthen(
    release: Annotated[Path, typer.Argument(metavar="RELEASE", help="The folder of a release of households.")],
    households: Annotated[Path, typer.Option(help="Where to write households: a .csv or .parquet file.")],
    people: Annotated[Path, typer.Option(help="Where to write people: a .csv or .parquet file.")],
    overwrite: Overwrite = False,
) -> None:
    """Write a release of households in one row each as two files again, linked by numbers that mean nothing else."""
    from tokumei.release.files import read_release
    from tokumei.table.households import lengthen as lengthened

    made = lengthened(read_release(release, frame="pyarrow").table)
    _write({households: made.households, people: made.people}, overwrite)
    for path, table in ((households, made.households), (people, made.people)):
        say(phrase("Wrote {path} ({rows:row|rows}).", path=path, rows=table.num_rows))


@command("tokumei survey weights release -o weighted.csv", group=survey)
def weights(
    release: Annotated[Path, typer.Argument(metavar="RELEASE", help="The folder of a release.")],
    output: Out,
    overwrite: Overwrite = False,
) -> None:
    """Rake the weights of a release to the totals that it discloses, and write its rows with them in a column of their own."""
    import pyarrow as pa

    from tokumei.release.calibration import Totals
    from tokumei.release.files import read_release
    from tokumei.text import free_name

    found = read_release(release, frame="pyarrow")
    told = Totals.read(found)
    name = free_name("calibrated", found.table.column_names)
    _write({output: found.table.append_column(name, pa.array(told.raked(found)))}, overwrite)
    margins = "; ".join(" × ".join(each.columns) for each in told.margins)
    say(phrase("Wrote {path} ({rows:row|rows}).", path=output, rows=found.rows))
    say(phrase("Column {name!r} has the weighted totals of the original: {margins}.", name=name, margins=margins))


def _read(households: Path, people: Path, delimiter: str | None, encoding: str) -> tuple[Any, Any]:
    from tokumei.io.source import read_to_draft

    return tuple(read_to_draft(each, delimiter, None, encoding)[0] for each in (households, people))


def _write(tables: dict[Path, Any], overwrite: bool, *, private: bool = False) -> None:
    """Write tables, all of them or none; private ones for their owner only."""
    from tokumei.errors import InvalidParameter
    from tokumei.files import atomic_files, check_free
    from tokumei.release.files import WRITERS

    for path in tables:
        if path.suffix.lower().lstrip(".") not in WRITERS:
            raise InvalidParameter("{path} must end in .csv or .parquet.", path=path)
        check_free(path, overwrite=overwrite)
    with atomic_files(list(tables), overwrite=overwrite, private=private) as places:
        for place, (path, table) in zip(places, tables.items(), strict=True):
            WRITERS[path.suffix.lower().lstrip(".")](iter([table]), table.schema, place, "keep")
