"""Writing a release into a folder, and reading it back."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from tokumei.diagnostics import raise_alone
from tokumei.errors import DataError, InvalidParameter, OutputError, ReleaseError
from tokumei.files import kind_of_place, read_text
from tokumei.io.parquet import ParquetCells
from tokumei.io.source import LONGEST_LINE, check_width
from tokumei.io.statistical import read_statistical
from tokumei.io.statistical_writing import WRITTEN, Described, value_labels, write_statistical
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.recoding import RecodedColumn, Recoding, Scheme
from tokumei.messages import message_of, phrase
from tokumei.privacy.constraints import constraints_of
from tokumei.privacy.noisy_counts import decay_of
from tokumei.privacy.recount import recount_rows
from tokumei.progress import Stage, stage
from tokumei.release import manifest
from tokumei.release.artifact import Format, Release
from tokumei.release.formulas import WAYS, CsvCells, Formulas, quoted, unquoted, with_texts
from tokumei.release.rates import Rates, check_rates
from tokumei.release.shape import DataFile
from tokumei.table.axis import axis_of
from tokumei.table.cells import STAR, CellNames
from tokumei.table.classes import smallest_within
from tokumei.table.codebook import Codebook, labelled
from tokumei.table.domain import Categories, Dates, Numbers, family, plain
from tokumei.table.frames import FrameKind, Origin, frame_kind
from tokumei.table.schema import Schema
from tokumei.text import names
from tokumei.working_folder import waiting

MANIFEST = "manifest.json"
ATTEMPTS = 5  # to read a release that is replaced meanwhile
PAUSE = 0.02  # seconds


def write(release: Release, folder: Path, kind: Format, formulas: Formulas = "keep") -> None:
    """Write rows and manifest into a folder that nobody looks at yet."""
    name = f"data.{kind}"
    kinds = release.types.remove_metadata()
    with stage(f"Writing {name}", release.rows, rows=True) as writing:
        pieces = in_groups(counted(release.pieces(), writing), release.group)
        if kind in STATISTICAL:
            _write_statistical(release, pa.concat_tables(pieces), folder / name, kind)
        else:
            WRITERS[kind](pieces, kinds, folder / name, formulas)
    types = {field.name: str(field.type) for field in kinds}
    with (folder / name).open("rb") as written:
        digest = _digest(written)
    said = formulas if kind == "csv" else None
    data = DataFile(file=name, format=kind, rows=release.rows, sha256=digest, types=types, formulas=said)
    (folder / MANIFEST).write_bytes(manifest.text_of(release, data).encode())


@stage("Reading the release")
def read_release(path: str | Path, frame: FrameKind = "pandas", *, table: str | None = None) -> Release:
    """Read a release, check its digests and its guarantees, and return it.

    Parameters
    ----------
    path
        The folder that `Release.write` made, or the database that it was written into.
    frame
        The kind of frame that ``release.frame`` is: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
    table
        The table of the released rows, where ``path`` is a database.
    """
    if table is not None:
        from tokumei.release.tables import read_release_table

        return read_release_table(str(path), table, Path(), frame)
    folder, origin = Path(path), frame_kind(frame)
    for _ in range(ATTEMPTS - 1):
        before = _stamp(folder)
        try:
            return _read_folder(folder, origin)
        except ReleaseError:
            if before is None:  # a run may have moved the old one away, and put the new one there in a moment
                time.sleep(PAUSE)
            if _stamp(folder) == before:  # it was not replaced while it was read
                raise
    return _read_folder(folder, origin)


def _stamp(folder: Path) -> tuple[int, int] | None:
    """Tell one manifest of a folder from another that took its place."""
    try:
        found = (folder / MANIFEST).stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns


def read_made(folder: Path) -> dict[str, Any]:
    """Read how the release in a folder was made, checked as `read_release` checks it, without its rows."""
    return _read_manifest(folder)[0]


def _read_manifest(folder: Path) -> tuple[dict[str, Any], DataFile]:
    if kind_of_place(folder / MANIFEST) != "file":
        above = kind_of_place(folder.parent / MANIFEST) == "file"
        inside: str = phrase(" Give its folder, {folder}.", folder=folder.parent) if above else ""
        old = waiting(folder)
        if old is not None:
            inside = phrase(
                " A run that replaces it has moved the old one to {old}; if it was killed, the next run to this place "
                "puts it back.",
                old=old,
            )
        raise ReleaseError(
            "{folder} is not a release: it has no {manifest}.{inside}", folder=folder, manifest=MANIFEST, inside=inside
        )
    try:
        text = read_text(folder / MANIFEST)
    except DataError as error:
        raise ReleaseError(message_of(error)) from None
    return manifest.read(text)


def _read_folder(folder: Path, origin: Origin) -> Release:
    parts, data = _read_manifest(folder)
    if data.format not in {*WRITERS, *STATISTICAL} or data.file != f"data.{data.format}":
        raise ReleaseError("The rows of the release are in a format that this version of tokumei does not know.")
    file = folder / data.file
    if not file.is_file():
        raise ReleaseError("{folder} has no {file}; the release is damaged.", folder=folder, file=data.file)
    try:
        with pa.OSFile(os.fsencode(file)) as opened:  # once, so that what is read is what was counted
            if _digest(opened) != data.sha256:
                raise ReleaseError("{file} was changed after it was written, or damaged in transit.", file=data.file)
            opened.seek(0)
            if data.format in STATISTICAL:
                rows = _read_statistical(file, data, parts["schema"])
            else:
                rows = _read_rows(opened, data, parts["schema"])
    except DataError as error:
        raise_alone(ReleaseError(message_of(error)))
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, UnicodeError):
        raise_alone(ReleaseError("{file} cannot be read; the release is damaged.", file=data.file))
    return checked(rows, data, parts, origin, data.file)


def checked(rows: pa.Table, data: DataFile, parts: dict[str, Any], origin: Origin, what: str) -> Release:
    """Put rows and what a manifest says together; refuse them if they do not fit."""
    if rows.num_rows != data.rows or set(rows.column_names) != set(parts["schema"].names()):
        raise ReleaseError("{what} does not have the rows and columns that the manifest states.", what=what)
    release = Release(held=rows, origin=origin, **parts)
    try:
        _check_whole(release)
    except manifest.BROKEN:
        raise ReleaseError("The release contradicts itself; it is damaged.") from None
    return release


def _check_whole(release: Release) -> None:
    """Refuse a release whose parts do not fit together; a promise about other columns or classes is no promise."""
    mechanism = release.mechanism
    recoding = Recoding({}, "global") if mechanism.recoding is None else mechanism.recoding
    for name, column in recoding.columns.items():
        domain = release.schema[name].domain
        if (
            not isinstance(domain, Categories)
            or (len(column.stretches), column.missing) != (domain.size, release.schema[name].missing)
            or not CellNames(column.original, axis_of(column.original)).possible(column.stretches, domain.labels())
        ):
            raise ReleaseError("The recoding of {name!r} does not fit its domain; the release is damaged.", name=name)
        _check_labels(name, column, domain.labels(), recoding.scheme)
    if mechanism.grouping is not None:
        _check_groups(release, mechanism.grouping)
    if mechanism.telling is not None:
        codes = {name: release.coded.codes(name) for name in (*mechanism.telling.columns, mechanism.telling.label)}
        if not mechanism.telling.possible(codes):
            raise ReleaseError("The release has rows that tell something else than they say; it is damaged.")
    if not release.guarantees:
        raise ReleaseError("The release states no guarantee.")
    columns = release.schema.names("quasi_identifier")
    if any(each.of_classes for each in release.guarantees) and not recount_rows(
        release.guarantees, constraints_of(release.method), release.coded, columns, mechanism
    ):
        raise ReleaseError("The release states a guarantee that its own rows do not satisfy.")
    _check_published(release)
    if release.method.get("kept") == "known" and mechanism.kept and mechanism.grouping is None:
        sizes = set(np.bincount(release.coded.class_of(mechanism.kept)).tolist())
        secret, *told = (each for each in release.guarantees if each.notion == "Pk-anonymity")
        largest = (
            max(sizes) if "most" in secret.numbers else min(sizes)
        )  # the worst class need not be the smallest then
        if secret.numbers["inside"] not in sizes or any(each.numbers["inside"] > largest for each in told):
            raise ReleaseError("The release relies on larger equivalence classes than its own rows have.")


def _check_groups(release: Release, grouping: Grouping) -> None:
    """Refuse groups that hold other rows than the manifest says, or rows outside their group's box."""
    damaged = ReleaseError("The groups of the release do not fit its rows; it is damaged.")
    if grouping.label is not None:
        domain = release.schema[grouping.label].domain
        if not isinstance(domain, Categories) or domain.size != len(grouping.groups):
            raise damaged
    elif not grouping.apart:
        raise ReleaseError("The groups of the release overlap, and it does not say which group a row is in.")
    if set(grouping.columns) != {*release.schema.names("quasi_identifier"), *grouping.columns}:
        raise ReleaseError("The release has a quasi-identifier that it does not perturb.")
    if next((fact.value for fact in release.disclosed if fact.name == "groups"), None) != len(grouping.groups):
        raise damaged
    labels = release.group_of
    if labels.min() < 0 or np.any(
        np.bincount(labels, minlength=len(grouping.groups)) != [g.rows for g in grouping.groups]
    ):
        raise damaged
    if grouping.telling is not None:
        codes = {name: release.coded.codes(name) for name in (*grouping.columns, grouping.telling.label)}
        part, _ = grouping.told({name: release.schema[name] for name in grouping.columns}, codes, labels)
        if np.any(part < 0):
            raise ReleaseError("The release has rows that tell something else than they say; it is damaged.")
    for name in () if grouping.telling is not None else grouping.columns:
        if np.any(grouping.column(release.schema[name]).local(release.coded.codes(name), labels) < 0):
            raise damaged
    known = release.mechanism.kept if release.method.get("kept") == "known" else ()
    smallest = smallest_within(labels, len(grouping.groups), release.coded.class_of(known))
    if not grouping.sampled and np.any([group.among for group in grouping.groups] > smallest):
        raise ReleaseError("The release relies on larger equivalence classes than its own rows have.")


def _check_published(release: Release) -> None:
    """Refuse rates that the method does not publish, or that do not fit the release."""
    asked = release.method.get("publish") or []
    if bool(asked) != (release.rates is not None):
        raise ReleaseError("The release does not publish the rates that its method asks for, or publishes others.")
    columns = {name: release.original(name) for name in release.schema.names("quasi_identifier")}
    rates = Rates({}) if release.rates is None else release.rates
    wanted = {name: each["epsilon"] for each in asked for name in (each["columns"] or columns)}
    if set(wanted) != set(rates.names) or any((wanted[name] is None) != (name in rates.exact) for name in wanted):
        raise ReleaseError("The release does not publish the rates that its method asks for, or publishes others.")
    if any(rates[name].decay != decay_of(epsilon) for name, epsilon in wanted.items() if epsilon is not None):
        raise ReleaseError("The release states another epsilon for its rates than its method asks for.")
    if rates.exact and release.method.get("meaning") == "wildcard":
        raise ReleaseError("The release publishes true rates, which reveal what its suppressed cells were.")
    check_rates(rates, columns, release.guarantees, release.method.get("k", 0), release.rows)


def _check_labels(name: str, column: RecodedColumn, labels: Sequence[str], scheme: Scheme) -> None:
    """Refuse two labels for the same values, and values with two labels in a global recoding; stars stand aside.

    Only different numbers or dates between two points of a grid, each told as it came, may share a place.
    """
    pairs = zip(labels, column.stretches, strict=True)
    stars = [code for code, (label, stretch) in enumerate(pairs) if label == STAR and stretch == column.whole]
    spans = np.delete(column.spans, stars, axis=0)
    wide = spans if isinstance(column.original.domain, Categories) else spans[spans[:, 0] < spans[:, 1]]
    if len(np.unique(wide, axis=0)) < len(wide):
        raise ReleaseError("The release has two labels of {name!r} for the same values.", name=name)
    spans = spans[np.argsort(spans[:, 0])]
    if scheme == "global" and np.any(spans[1:, 0] <= spans[:-1, 1]):
        raise ReleaseError(
            "The release says that {name!r} has the same label in every row, but its labels overlap.", name=name
        )


def counted(pieces: Iterator[pa.Table], writing: Stage) -> Iterator[pa.Table]:
    """Tell how far writing is, piece by piece."""
    for piece in pieces:
        yield piece.replace_schema_metadata(None)
        writing.advance(piece.num_rows)


def in_groups(pieces: Iterator[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Cut rows anew into groups of this many: where the pieces of an engine end tells of the original, and must not show in a file.

    >>> [piece.num_rows for piece in in_groups(iter([pa.table({"a": range(n)}) for n in (2, 5, 0, 1)]), 3)]
    [3, 3, 2]
    """
    held: list[pa.Table] = []
    for piece in pieces:
        held += [piece] if piece.num_rows else []
        while sum(each.num_rows for each in held) >= rows:
            whole = pa.concat_tables(held)
            yield whole.slice(0, rows).combine_chunks()
            held = [whole.slice(rows)]
    if any(each.num_rows for each in held):  # what is left of a whole group may be nothing
        yield pa.concat_tables(held).combine_chunks()


def check_form(format: str, formulas: str) -> None:
    """Refuse a form of files that there is not, and a way to write formulas where none can be."""
    if format not in {*WRITERS, *STATISTICAL}:
        raise InvalidParameter(
            "format must be one of {formats}. Got {format!r}.", formats=names((*WRITERS, *STATISTICAL)), format=format
        )
    if formulas not in WAYS:
        raise InvalidParameter("formulas must be 'keep' or 'quote'. Got {formulas!r}.", formulas=formulas)
    if formulas == "quote" and format != "csv":
        raise InvalidParameter("formulas='quote' is for format='csv': spreadsheets find no formulas in Parquet files.")


def _write_parquet(pieces: Iterator[pa.Table], types: Any, file: Path, _formulas: Formulas = "keep") -> None:
    with pyarrow.parquet.ParquetWriter(file, types, compression="zstd") as writer:
        for piece in pieces:
            writer.write_table(piece)


def _write_csv(pieces: Iterator[pa.Table], types: Any, file: Path, formulas: Formulas = "keep") -> None:
    cells = CsvCells(formulas)
    with pyarrow.csv.CSVWriter(file, cells.types(types)) as writer:
        for piece in cells.passing(pieces):
            writer.write_table(piece)
    cells.tell(file.name)


Writer = Callable[[Iterator[pa.Table], Any, Path, Formulas], None]
STATISTICAL = WRITTEN
WRITERS: dict[str, Writer] = {"parquet": _write_parquet, "csv": _write_csv}


def _write_statistical(release: Release, rows: pa.Table, file: Path, kind: str) -> None:
    """Write rows as a file of SPSS, Stata or SAS; refuse what it would not give back exactly."""
    described = {each.name: Described(each.label, each.domain, each.codes) for each in release.schema}
    with stage(f"Writing {file.name}"):
        write_statistical(rows, described, file, kind)
    types = {field.name: str(field.type) for field in rows.schema}
    again = _typed(read_statistical(file), types, release.schema)
    changed = [name for name in rows.column_names if again is None or not _same(again.column(name), rows.column(name))]
    if changed:
        raise OutputError(
            "Cells of {changed} cannot be kept exactly in a .{kind} file: text that is empty, ends in a space or is very long, whole numbers "
            "over 2^53, or times in fractions of a second; write Parquet or CSV.",
            changed=names(changed),
            kind=kind,
        )


def coded_numbers(release: Release, kind: str) -> tuple[str, ...]:
    """Name the columns whose numbers or dates became labels, which a file of this kind holds as codes with value labels."""
    if kind not in STATISTICAL:
        return ()
    found = []
    for each in release.schema:
        step = release.originals.columns.get(each.name)
        before = release.original(each.name).domain if step is None else step.before.domain
        if (
            isinstance(before, Numbers | Dates)
            and value_labels(Described(each.label, each.domain, each.codes), kind) is not None
        ):
            found.append(each.name)
    return tuple(found)


def _same(one: Any, other: Any) -> bool:
    return bool(plain(one, decode=True).equals(plain(other, decode=True)))


def _read_statistical(file: Path, data: DataFile, schema: Schema) -> pa.Table:
    """Read the rows of a release from a file of SPSS, Stata or SAS that was counted, and is not another meanwhile."""
    table = _typed(read_statistical(file), data.types, schema)
    with pa.OSFile(os.fsencode(file)) as again:
        if _digest(again) != data.sha256:
            raise ReleaseError("{file} was changed after it was written, or damaged in transit.", file=data.file)
    if table is None or table.num_rows != data.rows or set(table.column_names) != set(schema.names()):
        raise ReleaseError("{file} does not have the rows and columns that the manifest states.", file=data.file)
    return table


def _typed(read: tuple[pa.Table, Codebook], types: Mapping[str, str], schema: Schema) -> pa.Table | None:
    """Give columns the labels and types that they have in a release; nothing where they cannot have them."""
    table, book = read
    if set(table.column_names) != set(types):
        return None
    wanted = {name: plain_type(kind) for name, kind in types.items()}
    texts = {name for name, kind in wanted.items() if family(kind) == "text"}
    table = labelled(table, Codebook(tuple(book[name] for name in texts if book[name].values)), texts)
    columns: dict[str, Any] = {}
    for name in table.column_names:
        cells, domain = plain(table.column(name)), schema[name].domain
        try:
            made = cells.cast(pa.int8()) if pa.types.is_boolean(wanted[name]) else cells
            made = made.cast(wanted[name])
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            return None
        if types[name].startswith("dictionary") and isinstance(domain, Categories):
            made = pa.DictionaryArray.from_arrays(pc.index_in(made, value_set=domain.arrow), domain.arrow)
        columns[name] = made
    return pa.table(columns)


def _read_rows(file: Any, data: DataFile, schema: Schema) -> pa.Table:
    if data.format == "parquet":
        cells = ParquetCells(data.file, file)
        if cells.rows != data.rows or sorted(cells.schema.names) != sorted(schema.names()):
            raise ReleaseError("{file} does not have the rows and columns that the manifest states.", file=data.file)
        return cells.read()
    check_width(data.file, file.read(LONGEST_LINE).partition(b"\n")[0])
    file.seek(0)
    quote = data.formulas == "quote"
    types = {quoted(name) if quote else name: plain_type(kind) for name, kind in data.types.items()}
    long = [name for name, kind in types.items() if pa.types.is_decimal256(kind)]  # which Arrow reads as text only
    options = pyarrow.csv.ConvertOptions(
        column_types={**types, **dict.fromkeys(long, pa.string())},
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
        null_values=[""],
    )
    # An empty line is a row with one absent cell, and a label may hold a line break.
    parsing = pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
    table = pyarrow.csv.read_csv(file, parse_options=parsing, convert_options=options)
    for name in long:
        table = table.set_column(table.column_names.index(name), name, table.column(name).cast(types[name]))
    if quote:
        table = with_texts(table, unquoted).rename_columns([unquoted(name) for name in table.column_names])
    if set(table.column_names) != set(schema.names()) or not set(table.column_names) <= set(data.types):
        raise ReleaseError("{file} does not have the rows and columns that the manifest states.", file=data.file)
    for place, name in enumerate(table.column_names):
        domain = schema[name].domain
        if data.types[name].startswith("dictionary") and isinstance(domain, Categories):
            codes = pc.index_in(table.column(name).combine_chunks(), value_set=domain.arrow)
            table = table.set_column(place, name, pa.DictionaryArray.from_arrays(codes, domain.arrow))
    return table


DECIMAL = re.compile(r"decimal(?:32|64|128|256)\((\d+), (-?\d+)\)")
LONGEST_DECIMAL = 38  # digits, in 128 bits
IN_ZONE = re.compile(r"timestamp\[(s|ms|us|ns), tz=([^\]]+)\]")


def plain_type(kind: str) -> Any:
    """Return the type a column of a CSV file is read as."""
    if kind.startswith("dictionary"):
        return pa.string()
    if found := DECIMAL.fullmatch(kind):  # as a double it might be another number
        made = pa.decimal128 if int(found[1]) <= LONGEST_DECIMAL else pa.decimal256
        return made(int(found[1]), int(found[2]))
    if found := IN_ZONE.fullmatch(kind):
        return pa.timestamp(found[1], found[2])
    aliases = {"double": "float64", "float": "float32"}
    try:
        return pa.type_for_alias(aliases.get(kind, kind))
    except ValueError:
        raise ReleaseError(
            "The release names a column type {kind!r} that this version does not know.", kind=kind
        ) from None


def _digest(opened: Any) -> str:
    return hashlib.file_digest(opened, "sha256").hexdigest()
