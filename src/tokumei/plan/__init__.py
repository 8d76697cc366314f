"""Plans: a whole run as one readable file that Python, the command line and the studio share.

    [source]            where the rows are
    [schema."age"]      each column: role, domain, hierarchy, whether cells may be missing
    [[prepare]]         steps to take first
    [method]            what to do
    [output]            where the release goes
    [calibration]       weighted totals that must not change
    [chosen]            only where the method was chosen by looking at the rows: what was tried, and for what
    [run]               how it is run: engine, memory, shuffle

Paths are relative to the plan file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Literal, cast

import pydantic
import tomlkit

from tokumei.anonymizers import METHODS, AnyMethod
from tokumei.bounds import LARGEST_PLAN
from tokumei.diagnostics import raise_alone
from tokumei.errors import DataError, InvalidParameter, PlanError
from tokumei.files import kind_of_place, read_text
from tokumei.io.source import CSV_ENDINGS, PARQUET_ENDINGS, WHOLE_ENDINGS, Dialect, read_written
from tokumei.io.urls import check_url, name_parts, select_all
from tokumei.messages import message_of
from tokumei.plan.calibration import Calibration
from tokumei.plan.chosen import Chosen
from tokumei.plan.notebook import plan_card
from tokumei.plan.parsing import parsed_toml
from tokumei.prepare import AnyStep
from tokumei.release.artifact import Format, Release
from tokumei.release.formulas import Formulas
from tokumei.table.domain import AnyDomain
from tokumei.table.hierarchy import Hierarchy
from tokumei.table.schema import Schema
from tokumei.text import names, nearest
from tokumei.values import sentence, value


@value
class Source:
    """Where the rows are: in files, or in a database.

    Parameters
    ----------
    path
        A CSV or Parquet file, a folder of such files, or a pattern such as ``parts/*.parquet``.
    delimiter, encoding, decimal, dates
        How a CSV file is written: what separates its fields, how its text is encoded, its decimal mark (a point or a
        comma), and how dates are written, in addition to 2001-12-31, such as ``"%d.%m.%Y"``. The last two are also used where cells of
        other files are text.
    missing
        How a missing cell is written; in files that hold numbers, a mark such as ``"999"`` stands for the number.
    database
        Instead of a path: ``postgresql://…``, ``sqlite:///file`` or ``duckdb:///file``, without any password.
    table, query
        The table to read, or a query that gives the rows.
    codebook
        A codebook (CSV, DDI, or a file of SPSS, Stata or SAS): columns whose domain has text labels get these in place of codes, and
        codes that mean a missing value become missing cells.
    """

    path: str | None = None
    delimiter: str = ","
    missing: tuple[str, ...] = ("",)
    encoding: str = "utf-8"
    database: str | None = None
    table: str | None = None
    query: str | None = None
    decimal: str = "."
    dates: str | None = None
    codebook: str | None = None

    def __post_init__(self) -> None:
        self.dialect  # noqa: B018  (refuses what cannot be)
        if self.codebook is not None and self.path is None:
            raise InvalidParameter("a codebook is for files, and these rows are in a database.")
        if (self.path is None) == (self.database is None):
            raise InvalidParameter("a source needs a path or a database, not both.")
        if self.database is None and (self.table is not None or self.query is not None):
            raise InvalidParameter("a table or a query needs a database.")
        if self.database is not None:
            check_url(self.database)
            if (self.table is None) == (self.query is None):
                raise InvalidParameter("a database needs a table or a query, not both.")
            if self.table is not None:
                name_parts(self.table)

    @property
    def dialect(self) -> Dialect:
        """How CSV files are written."""
        return Dialect(self.delimiter, self.missing, self.encoding, self.decimal, self.dates, self.codebook)

    @property
    def statement(self) -> str:
        """The query that gives the rows."""
        return self.query if self.query is not None else select_all(self.table or "")


@value
class Output:
    """Where the release goes: into a folder, or into two new tables of a database, for the rows and the manifest.

    ``formulas`` says what becomes of cells of a CSV file that a spreadsheet would run, as in `Release.write`.
    """

    path: str = "release"
    format: Format = "parquet"
    overwrite: bool = False
    database: str | None = None
    table: str | None = None
    formulas: Formulas = "keep"

    def __post_init__(self) -> None:
        if self.formulas == "quote" and self.format != "csv":
            raise InvalidParameter("formulas = 'quote' is for format = 'csv'.")
        if (self.database is None) != (self.table is None):
            raise InvalidParameter("an output into a database needs database and table.")
        if self.table is not None:
            name_parts(self.table)
        if self.database is not None:
            check_url(self.database)


Shuffle = Literal["rows", "blocks"]


@value
class Run:
    """How the plan is run; the same guarantee holds for rows shuffled as a whole, whatever it says.

    Parameters
    ----------
    engine
        ``"auto"`` (by the size of the table and the free memory), ``"local"``, ``"stream"`` or ``"spark"``.
    memory
        About how much memory it may take, such as ``"2GB"``.
    shuffle
        ``"rows"``, or for the engine ``"stream"`` also ``"blocks"``.
    """

    engine: Literal["auto", "local", "stream", "spark"] = "auto"
    memory: str | None = None
    shuffle: Shuffle = "rows"


@value
class Plan:
    """A whole run: read with `Plan.read`, run with `tokumei.run`."""

    source: Source
    schema: Schema
    method: AnyMethod
    prepare: tuple[AnyStep, ...] = ()
    output: Output = Output()
    folder: Path = Path()
    run: Run = Run()
    chosen: Chosen | None = None
    calibration: Calibration | None = None

    def _repr_html_(self) -> str:
        return plan_card(self)

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """Read a plan file."""
        file = Path(path)
        if file.suffix.lower() in CSV_ENDINGS | PARQUET_ENDINGS | WHOLE_ENDINGS and kind_of_place(file) == "file":
            raise PlanError("{file} is a table, not a plan; tokumei init drafts a plan for it.", file=file)
        try:
            text = read_text(file, LARGEST_PLAN)
        except DataError as error:
            raise PlanError(message_of(error)) from None
        try:
            return cls.from_toml(text, file.parent)
        except PlanError as error:
            raise_alone(PlanError("{file}: {error}", file=file, error=error))

    @classmethod
    def from_toml(cls, text: str, folder: str | Path = ".") -> Plan:
        """Make a plan from the text of a plan file; paths in it are relative to ``folder``."""
        content = parsed_toml(text)
        known = ("source", "schema", "prepare", "method", "output", "run", "chosen", "calibration")
        for section in content:
            if section not in known:
                raise PlanError(
                    "there is no section [{section}] in a plan.{hint}", section=section, hint=nearest(section, known)
                )
        lacking = [section for section in ("source", "schema", "method") if section not in content]
        if lacking:
            raise PlanError("the section {lacking} is missing.", lacking=names(lacking))
        try:
            content["schema"] = {"attributes": _attributes(content["schema"], Path(folder))}
            steps = content.get("prepare", [])
            if not isinstance(steps, list):
                raise PlanError("the steps before the method are a list; write [[prepare]] above each.")
            content["prepare"] = [_with_hierarchy(_with_key(step, Path(folder)), Path(folder)) for step in steps]
            _check_parts_of_method(content["method"])
            _check_needs_of_method(content["method"], content["schema"]["attributes"])
            _find_codebook(content, Path(folder))
            _load_pilot(content, Path(folder))
            _find_published(content, Path(folder))
            _find_populations(content, Path(folder))
            _find_repeated(content, Path(folder))
            return pydantic.TypeAdapter(cls).validate_python({**content, "folder": Path(folder)})
        except pydantic.ValidationError as error:
            raise_alone(PlanError(_readable(error, content)))
        except (InvalidParameter, DataError) as error:
            raise_alone(PlanError(message_of(error)))

    def to_toml(self) -> str:
        """Return the text of a plan file that stands for this plan; its paths are those of the plan."""
        from tokumei.plan.writing import plan_text

        return plan_text(self)

    @property
    def source_path(self) -> Path:
        """The file of rows."""
        if self.source.path is None:
            raise InvalidParameter("The rows of this plan are in a database, not in a file.")
        return self.folder / self.source.path

    @property
    def output_path(self) -> Path:
        """The folder of the release."""
        return self.folder / self.output.path

    def write(
        self,
        release: Release,
        instead: Path | None = None,
        *,
        overwrite: bool = False,
        allow_seeded: bool = False,
        formulas: Formulas | None = None,
    ) -> Path | str:
        """Write a release where the plan says, or into a folder ``instead``; return the folder, or the table.

        ``formulas`` takes the place of what the plan says of them.
        """
        given: Any = {"overwrite": overwrite or self.output.overwrite, "allow_seeded": allow_seeded}
        if instead is None and self.output.database is not None:
            assert self.output.table is not None
            return release.write_table(self.output.database, self.output.table, folder=self.folder, **given)
        kept = self.output.formulas if formulas is None else formulas
        return release.write(instead or self.output_path, self.output.format, formulas=kept, **given)


def _attributes(columns: Any, folder: Path) -> list[Any]:
    if not isinstance(columns, dict) or not all(isinstance(column, dict) for column in columns.values()):
        raise PlanError('the schema must have one section per column, such as [schema."age"].')
    return [{"name": name, **_with_hierarchy(column, folder)} for name, column in columns.items()]


def _with_key(step: Any, folder: Path) -> Any:
    """Put the file of a key where it is seen from the plan."""
    key = step.get("key") if isinstance(step, dict) else None
    if not isinstance(key, str) or not key.startswith("file:") or key == "file:":
        return step
    return {**step, "key": f"file:{folder / key.removeprefix('file:')}"}


def _with_hierarchy(given: Any, folder: Path) -> Any:
    """Put a hierarchy file, groups or edges in place of the short form that a plan uses."""
    if not isinstance(given, dict) or "hierarchy" not in given:
        return given
    short = given["hierarchy"]
    if isinstance(short, str):
        return {**given, "hierarchy": Hierarchy.read_csv(folder / short)}
    if isinstance(short, dict) and "kind" in short:  # written out in full
        return given
    if isinstance(short, dict) and set(short) == {"groups"}:
        levels = short["groups"] if isinstance(short["groups"], list) else [short["groups"]]
        return {**given, "hierarchy": Hierarchy.groups(*levels)}
    if isinstance(short, dict) and set(short) == {"edges"}:
        edges = short["edges"]
        return {**given, "hierarchy": Hierarchy.intervals(*(edges if isinstance(edges, list) else [edges]))}
    if isinstance(short, dict) and len(short) == 1 and set(short) <= set(RULES) and "domain" in given:
        ((rule, levels),) = short.items()
        if not isinstance(levels, list) or not all(isinstance(level, int | str) for level in levels):
            raise PlanError("the levels of {{ {rule} = … }} are a list.", rule=rule)
        return {**given, "hierarchy": _by_rule(rule, given["domain"], levels)}
    raise PlanError(
        "a hierarchy is the name of a file, { groups = … } or { edges = … }, or in the schema also { masks = … }, "
        "{ dates = … } or { order = … }."
    )


# Hierarchies that follow from a column's domain by a rule.
RULES: dict[str, Callable[[Any, Any], Hierarchy]] = {
    "masks": Hierarchy.masks,
    "dates": Hierarchy.dates,
    "order": Hierarchy.order,
}


def _by_rule(rule: str, domain: Any, levels: list[Any]) -> Hierarchy | None:
    """Make a hierarchy by a rule; a domain that cannot be is left to be complained about where it stands."""
    if rule != "dates" and not all(isinstance(level, int) for level in levels):
        raise PlanError("the levels of {{ {rule} = … }} are whole numbers.", rule=rule)
    try:
        declared = pydantic.TypeAdapter(AnyDomain).validate_python(domain)
    except (pydantic.ValidationError, InvalidParameter):
        return None
    return RULES[rule](declared, levels)


def _check_parts_of_method(method: Any) -> None:
    """Name everything at once that was said of another method, and what stays, where somebody changed ``method`` and nothing else."""
    name = method.get("method") if isinstance(method, dict) else None
    kinds = {each.method: each for each in METHODS}
    if not isinstance(name, str) or name not in kinds:
        return
    known = {each.name for each in fields(cast("Any", kinds[name]))}
    elsewhere = {each.name for kind in kinds.values() for each in fields(cast("Any", kind))}
    others = [part for part in method if part not in known and part in elsewhere]
    if others:
        kept = [part for part in method if part in known and part != "method"]
        raise PlanError(
            "the method {name!r} does not have {parts}; delete what is named here from [method], and keep {kept}.",
            name=name,
            parts=names(others),
            kept=names(["method", *kept]),
        )


def _check_needs_of_method(method: Any, columns: list[Any]) -> None:
    """Where a method lacks something that only the data holder can say, name it, with lines that could be written."""
    name = method.get("method") if isinstance(method, dict) else None
    found = next((each for each in METHODS if each.method == name), None)
    if found is None:
        return
    parts = fields(cast("Any", found))
    needed = [each.name for each in parts if each.default is MISSING and each.default_factory is MISSING]
    lacking = [part for part in needed if part not in method]
    if lacking and not set(method) - {each.name for each in parts}:
        lines = [line for part in lacking for line in _examples(part, columns)]
        raise PlanError(
            "the method {name!r} needs {parts}; write under [method], for example: {lines}.",
            name=name,
            parts=names(lacking),
            lines=", ".join(f"`{line}`" for line in lines),
        )


def _examples(part: str, columns: list[Any]) -> list[str]:
    """Return lines of a plan that say something of a method: of columns, one for each quasi-identifier with categories."""
    if part != "columns":
        return [EXAMPLES[part]]
    known = [(each["name"], each.get("domain")) for each in columns if each.get("role") == "quasi_identifier"]
    coded = [name for name, domain in known if isinstance(domain, dict) and domain.get("kind") == "categories"]
    matrix = '{ kind = "keep_or_replace", keep = 0.5 }'
    return [f"columns.{tomlkit.key(name).as_string()} = {matrix}" for name in coded or ["sex"]]


EXAMPLES = {"k": "k = 10", "sample": "sample = 500", "known": "known = 100"}


def _find_codebook(content: dict[str, Any], folder: Path) -> None:
    """Put the codebook where it is seen from the plan."""
    source = content["source"]
    if isinstance(source, dict) and isinstance(source.get("codebook"), str):
        content["source"] = {**source, "codebook": str(folder / source["codebook"])}


def _load_pilot(content: dict[str, Any], folder: Path) -> None:
    """Read the pilot that an optimised split names, with the columns of the schema."""
    method = content["method"]
    split = method.get("split") if isinstance(method, dict) else None
    if isinstance(split, dict) and isinstance(split.get("pilot"), str):
        schema = pydantic.TypeAdapter(Schema).validate_python(content["schema"])
        source = pydantic.TypeAdapter(Source).validate_python(content["source"])
        pilot = read_written(folder / split["pilot"], schema, source.dialect)
        content["method"] = {**method, "split": {**split, "pilot": pilot}}


def _find_published(content: dict[str, Any], folder: Path) -> None:
    """Put the release whose scheme is to be used where it is seen from the plan."""
    method = content["method"]
    partition = method.get("partition") if isinstance(method, dict) else None
    if isinstance(partition, dict) and isinstance(partition.get("release"), str):
        content["method"] = {**method, "partition": {**partition, "release": str(folder / partition["release"])}}


def _find_populations(content: dict[str, Any], folder: Path) -> None:
    """Put the populations that constraints name where they are seen from the plan; files that are written otherwise than usual are read now."""
    method = content["method"]
    given = method.get("constraints") if isinstance(method, dict) else None
    if not isinstance(given, list):
        return
    found = []
    for each in given:
        if isinstance(each, dict) and isinstance(each.get("population"), str):
            source = pydantic.TypeAdapter(Source).validate_python(content["source"])
            path = folder / each["population"]
            if source.dialect != Dialect():
                schema = pydantic.TypeAdapter(Schema).validate_python(content["schema"])
                found.append({**each, "population": read_written(path, schema, source.dialect)})
            else:
                found.append({**each, "population": str(path)})
        else:
            found.append(each)
    content["method"] = {**method, "constraints": found}


def _find_repeated(content: dict[str, Any], folder: Path) -> None:
    """Put the key of draws that repeat, and the earlier release, where they are seen from the plan."""
    method = content["method"]
    repeat = method.get("repeat") if isinstance(method, dict) else None
    if isinstance(repeat, dict):
        found = _with_key(repeat, folder)
        if isinstance(found.get("like"), str):
            found = {**found, "like": str(folder / found["like"])}
        content["method"] = {**method, "repeat": found}


def _readable(error: pydantic.ValidationError, content: dict[str, Any]) -> str:
    """Name columns instead of their numbers in the path of a problem."""
    columns = content["schema"]["attributes"]
    named = {
        f"schema.attributes.{at}": f"schema.{column.get('name')}"
        for at, column in enumerate(columns)
        if isinstance(column, dict)
    }
    return sentence(error, Plan, named)
