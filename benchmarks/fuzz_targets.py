"""What a fuzzer attacks: each target takes bytes, makes an input of them, and hands it to a reader.

A reader may do its work or raise a `TokumeiError`: one sentence, without a cell of the data. Whatever else happens is a finding.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import shutil
import tempfile
import tomllib
import warnings
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import tokumei as tk
from tokumei.errors import TokumeiError

SECRET = "Zaphod"  # stands in cells of inputs, and must never stand in a message
LONGEST = 2_000  # characters of a sentence

NASTY: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 10, 2**31, 2**32, 2**53, 2**63, 2**64, -(2**63), 10**30, 10**400, 0.5, 1e-320, 1e-9,
    1e308, -0.0, float("nan"), float("inf"), float("-inf"), "", "*", "age", "sex", "x", "nan", "\0", "\ud800", "[0, 1]",
    "2020-02-30", "9999-12-31", "x" * 300, [], {}, [[]], [0], [1, 2], ["a"], [None], {"a": 1}, {"kind": "x"}, [[[[]]]],
)  # fmt: skip


class Dice:
    """Choices that follow from bytes; past their end every choice is the first."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self, below: int) -> int:
        """Choose a number."""
        width = 1 if below <= 256 else 4
        found = int.from_bytes(self.data[self.at : self.at + width], "little")
        self.at += width
        return found % max(below, 1)

    def choose(self, among: Sequence[Any]) -> Any:
        """Choose one of some things."""
        return among[self.number(len(among))]

    def rest(self) -> bytes:
        """Return the bytes that no choice has used."""
        return self.data[self.at :]


def mangled(content: Any, dice: Dice) -> Any:
    """Change a few places of nested tables and lists: another value, one less, one more, one doubled."""
    content = json.loads(json.dumps(content, default=str))
    for _ in range(1 + dice.number(4)):
        places = list(_places(content))
        above, key = dice.choose(places)
        how = dice.number(6)
        if how == 0:
            del above[key]
        elif how == 1 and isinstance(above, list):
            above.append(above[key])
        elif how == 1:
            above[dice.choose(("more", "kind", "k", ""))] = above[key]
        elif how == 2:
            other, name = dice.choose(places)
            above[key] = json.loads(json.dumps(other[name])) if _has(other, name) else None
        else:
            above[key] = json.loads(json.dumps(dice.choose(NASTY)))
        if not content:
            break
    return content


def _has(given: Any, key: Any) -> bool:
    return key in given if isinstance(given, dict) else key < len(given)


def _places(content: Any) -> Any:
    pairs = content.items() if isinstance(content, dict) else enumerate(content)
    for key, part in list(pairs):
        yield content, key
        if isinstance(part, dict | list):
            yield from _places(part)


def people(rows: int = 24) -> Any:
    """A few invented people."""
    import pyarrow as pa

    return pa.table(
        {
            "name": [f"{SECRET} {i}" for i in range(rows)],
            "age": [20 + 5 * (i % 6) for i in range(rows)],
            "sex": ["Female" if i % 3 else "Male" for i in range(rows)],
            "job": ["abcd"[i % 4] for i in range(rows)],
        }
    )


def schema() -> tk.Schema:
    """Their schema."""
    return tk.Schema(
        [
            tk.Attribute("name", "identifier"),
            tk.Attribute("age", domain=tk.Numbers(20, 60, step=1), hierarchy=tk.Hierarchy.intervals([20, 40, 60])),
            tk.Attribute("sex", domain=tk.Categories(["Female", "Male"])),
            tk.Attribute("job", "sensitive", tk.Categories(list("abcd"))),
        ]
    )


METHODS: tuple[Any, ...] = (
    tk.PkPerturbation(k=2, tells="all"),
    tk.Generalization(k=3),
    tk.GroupedPkPerturbation(k=2),
    tk.GroupedPkPerturbation(k=2, tells=1),
    tk.Microaggregation(k=3),
    tk.RecordSuppression(k=2),
    tk.LocalSuppression(k=2),
)

PLAN = """
[source]
path = "people.csv"
[schema.name]
role = "identifier"
[schema.age]
domain = { kind = "numbers", low = 20, high = 60, step = 1 }
hierarchy = { edges = [[20, 40, 60]] }
[schema.sex]
domain = { kind = "categories", values = ["Female", "Male"] }
hierarchy = { groups = [{ all = ["Female", "Male"] }] }
[schema.job]
role = "sensitive"
domain = { kind = "categories", values = ["a", "b", "c", "d"] }
"""
PLANS = tuple(
    PLAN + method
    for method in (
        '[[prepare]]\nstep = "top_bottom_code"\ncolumn = "age"\nhigh = 50\n[method]\nmethod = "pk_perturbation"\nk = 2\ntells = "all"\nsplit = { age = 1, sex = 2 }\n',
        '[method]\nmethod = "generalization"\nk = 2\npartition = { kind = "mondrian", strict = false }\nconstraints = [{ constraint = "l_diversity", column = "job", l = 2 }]\n',
        '[method]\nmethod = "microaggregation"\nk = 3\npartition = { kind = "mdav" }\n',
        '[[prepare]]\nstep = "mask"\ncolumn = "name"\nshow = 1\n[method]\nmethod = "generalization"\nk = 2\npartition = "lattice"\n',
        '[method]\nmethod = "grouped_pk_perturbation"\nk = 2\n[output]\npath = "out"\nformat = "csv"\n',
        '[method]\nmethod = "local_suppression"\nk = 2\n',
    )
)


@cache
def releases(kind: str) -> tuple[dict[str, bytes], ...]:
    """Whole releases, as files, one of every method."""
    made = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, method in enumerate(METHODS):
            at = Path(folder, str(place))
            tk.anonymize(people(), schema(), method, seed=place).write(at, kind, allow_seeded=True)  # type: ignore[arg-type]
            made.append({file.name: file.read_bytes() for file in at.iterdir()})
    return tuple(made)


def signed(content: Any) -> bytes:
    """Write a manifest with the digest that it needs to be believed."""
    if isinstance(content, dict):
        content = {name: part for name, part in content.items() if name != "sha256"}
        content["sha256"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return json.dumps(content).encode()


def put(folder: Path, files: dict[str, bytes]) -> None:
    """Write some files."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def open_release(folder: Path) -> None:
    """Do what an analyst does first."""
    release = tk.read_release(folder)
    assert release.guarantees, "a release without a promise was read"
    repr(release)
    release._repr_html_()
    len(release.frame)


def manifest(data: bytes, folder: Path) -> None:
    """Any text as a manifest, signed again where it is JSON."""
    dice = Dice(data)
    files, text = dice.choose(releases("parquet")), dice.rest()
    with contextlib.suppress(ValueError, RecursionError):
        text = signed(json.loads(text))
    put(folder / "r", {**files, "manifest.json": text})
    open_release(folder / "r")


def forged(data: bytes, folder: Path) -> None:
    """A manifest that was changed in a few places and signed again."""
    dice = Dice(data)
    files = dice.choose(releases(dice.choose(("parquet", "csv"))))
    put(folder / "r", {**files, "manifest.json": signed(mangled(json.loads(files["manifest.json"]), dice))})
    open_release(folder / "r")


def _rows(data: bytes, folder: Path, kind: str) -> None:
    dice = Dice(data)
    files = dice.choose(releases(kind))
    content, rows = json.loads(files["manifest.json"]), dice.rest()
    content["data"]["sha256"] = hashlib.sha256(rows).hexdigest()
    put(folder / "r", {f"data.{kind}": rows, "manifest.json": signed(content)})
    open_release(folder / "r")


def release_csv(data: bytes, folder: Path) -> None:
    """Any bytes as the rows of a release in CSV, with their right digest."""
    _rows(data, folder, "csv")


def release_parquet(data: bytes, folder: Path) -> None:
    """Any bytes as the rows of a release in Parquet, with their right digest."""
    _rows(data, folder, "parquet")


def plan(data: bytes, folder: Path) -> None:
    """Any text as a plan."""
    (folder / "plan.toml").write_bytes(data)
    tk.Plan.read(folder / "plan.toml").to_toml()


def carried_out(data: bytes, folder: Path) -> None:
    """A plan that was changed in a few places, carried out."""
    import tomlkit

    dice = Dice(data)
    content = mangled(tomllib.loads(dice.choose(PLANS)), dice)
    try:
        text = tomlkit.dumps(_without_none(content)).encode()
    except (ValueError, TypeError, RecursionError):  # it cannot be written as TOML
        return
    (folder / "plan.toml").write_bytes(text)
    _write_people(folder)
    made = tk.Plan.read(folder / "plan.toml")
    tk.run(made, seed=1).write(folder / "out", allow_seeded=True)


def _without_none(content: Any) -> Any:
    if isinstance(content, dict):
        return {name: _without_none(part) for name, part in content.items() if part is not None}
    return [_without_none(part) for part in content if part is not None] if isinstance(content, list) else content


def _write_people(folder: Path) -> None:
    import pyarrow.csv

    pyarrow.csv.write_csv(people(), folder / "people.csv")


def hierarchy(data: bytes, folder: Path) -> None:
    """Any text as a hierarchy."""
    (folder / "h.csv").write_bytes(data)
    tree = tk.Hierarchy.read_csv(folder / "h.csv")
    domain = tk.Categories([row[0] for row in tree.rows])
    for level in range(min(tree.depth, 5) + 1):
        tree.coarsen(domain, level)
        tree.above(domain, level)


def _drafted(file: Path) -> None:
    from tokumei.io.source import read_to_draft
    from tokumei.plan import Source
    from tokumei.plan.draft import draft_plan

    table, absent = read_to_draft(file)
    text = draft_plan(table, Source(file.name, missing=absent or ("",)), "out", 2)
    made = tk.Plan.from_toml(text, file.parent)
    tk.run(made, seed=1)
    if file.suffix != ".xlsx":
        tk.run(made, "stream", seed=1)


def csv(data: bytes, folder: Path) -> None:
    """Any bytes as a table in CSV, drafted a plan for and anonymized by it."""
    (folder / "t.csv").write_bytes(data)
    _drafted(folder / "t.csv")


def parquet(data: bytes, folder: Path) -> None:
    """Any bytes as a table in Parquet."""
    (folder / "t.parquet").write_bytes(data)
    _drafted(folder / "t.parquet")


def excel(data: bytes, folder: Path) -> None:
    """Any text as the first sheet of an Excel file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, part in _workbook().items():
            archive.writestr(name, data if name.endswith("sheet1.xml") else part)
    (folder / "t.xlsx").write_bytes(made.getvalue())
    _drafted(folder / "t.xlsx")


@cache
def _workbook() -> dict[str, bytes]:
    import openpyxl

    book, file = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    sheet.append(["age", "sex", "day"])
    for i in range(8):
        sheet.append([20 + i % 3, "fm"[i % 2], f"2020-01-0{i + 1}"])
    book.save(file)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def address(data: bytes, folder: Path) -> None:
    """Any text as the address of a database and the name of a table."""
    from tokumei.io.urls import check_url, kind_of_url

    text, _, table = data.decode("utf-8", "replace").partition("|")
    check_url(text)
    if kind_of_url(text) != "postgresql":
        from tokumei.release.tables import read_release_table

        read_release_table(text, table, folder)


@cache
def _words() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Every command with its options."""
    import typer

    from tokumei.cli.app import app

    found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    def walk(command: Any, path: tuple[str, ...]) -> None:
        for name, inner in getattr(command, "commands", {}).items():
            walk(inner, (*path, name))
        if not getattr(command, "commands", {}) and path != ("studio",):  # which waits for a browser
            found.append((path, tuple(option for each in command.params for option in each.opts)))

    walk(typer.main.get_command(app), ())
    return tuple(found)


VALUES = (
    "people.csv", "plan.toml", "release", "h.csv", "none", "", "-", "--", "0", "1", "2", "3", "-1", "nan", "inf", "1e308", "9" * 50,
    "age", "sex", "age,sex", "job", "name", "x" * 300, "\0", "../people.csv", ".", "local", "stream", "csv", "parquet", "utf-16",
    "1GB", "1e99GB", "0B", "[", "{}", "age=1", "=", "own_value", "wildcard", ";", "en", "ja", "--help", "out", "out.html", "out.json",
)  # fmt: skip


def commands(data: bytes, folder: Path) -> None:
    """A command with words after it that mean something, or nothing."""
    from contextlib import chdir

    from typer.testing import CliRunner

    from tokumei.cli.app import app

    dice = Dice(data)
    path, options = dice.choose(_words())
    words = [*path]
    for _ in range(dice.number(8)):
        words.append(dice.choose(options) if options and dice.number(2) else dice.choose(VALUES))
    put(folder / "release", releases("parquet")[dice.number(len(METHODS))])
    (folder / "plan.toml").write_text(dice.choose(PLANS), encoding="utf-8")
    (folder / "h.csv").write_text("a;x\nb;x\n", encoding="utf-8")
    _write_people(folder)
    with chdir(folder):
        result = CliRunner().invoke(app, words)
    problem = result.exception
    if problem is not None and not isinstance(problem, SystemExit):
        raise problem
    assert result.exit_code in {0, 1, 2}, result.exit_code
    assert "Traceback" not in result.output
    if result.exit_code == 1:
        said = result.stderr.strip().splitlines()
        assert said, "a problem without a word"
        assert said[-1].startswith("tokumei: ") or not said[0].startswith("tokumei: "), "a problem of several lines"


@dataclass(frozen=True)
class Target:
    """Something that can be attacked, and what honest inputs look like."""

    attack: Callable[[bytes, Path], None]
    seeds: Callable[[], Sequence[bytes]] = field(default=lambda: [bytes(range(64))])
    longest: int = 4096
    patience: int = 5  # seconds that an input may take


def _csv_bytes() -> bytes:
    import pyarrow.csv

    made = io.BytesIO()
    pyarrow.csv.write_csv(people(), made)
    return made.getvalue()


def _parquet_bytes() -> bytes:
    import pyarrow.parquet

    made = io.BytesIO()
    pyarrow.parquet.write_table(people(), made)
    return made.getvalue()


TARGETS = {
    "manifest": Target(
        manifest, lambda: [bytes([i]) + each["manifest.json"] for i, each in enumerate(releases("parquet"))], 2**15
    ),
    "forged": Target(forged),
    "release_csv": Target(
        release_csv, lambda: [bytes([i]) + each["data.csv"] for i, each in enumerate(releases("csv"))]
    ),
    "release_parquet": Target(
        release_parquet, lambda: [bytes([i]) + each["data.parquet"] for i, each in enumerate(releases("parquet"))], 2**14
    ),
    "plan": Target(plan, lambda: [text.encode() for text in PLANS]),
    "carried_out": Target(carried_out, patience=60),  # kernels are compiled at their first use
    "hierarchy": Target(hierarchy, lambda: [b"a;x;*\nb;x;*\nc;y;*\n", b'"a",x\n"b, c",x\n']),
    "csv": Target(csv, lambda: [_csv_bytes(), b"a,b\n1,2020-01-01\n1,\n2,NA\n", b'id;x\n007;"a\nb"\n']),
    "parquet": Target(parquet, lambda: [_parquet_bytes()], 2**14),
    "excel": Target(excel, lambda: [_workbook()["xl/worksheets/sheet1.xml"]], 2**14),
    "address": Target(
        address, lambda: [b"sqlite:///x.db|people", b"duckdb:///x.db|a.b", b"postgresql://u@h:1/d?sslmode=x|t"], 256
    ),
    "commands": Target(commands, patience=30),  # some commands work long
}  # fmt: skip


def attacked(target: Target, data: bytes) -> str | None:
    """Attack once; return the sentence that came, or nothing where the work was done. Anything else is raised."""
    folder = Path(tempfile.mkdtemp(prefix="tokumei-fuzz-"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            target.attack(data, folder)
        sentence = None
    except TokumeiError as error:
        sentence = str(error)
        assert sentence, "an error without a word"
        assert len(sentence) <= LONGEST, "an error that is a page"
        assert SECRET not in sentence.replace(str(folder), ""), "an error that shows a cell"
    finally:
        left = [each.name for each in folder.iterdir() if each.name.startswith(".")]
        unfinished = (folder / "out").is_dir() and not (folder / "out" / "manifest.json").is_file()
        shutil.rmtree(folder, ignore_errors=True)
    assert not left, "something was left behind"
    assert not unfinished, "half a release was left behind"
    return sentence
