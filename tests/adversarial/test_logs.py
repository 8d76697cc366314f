"""No cell, key or password in anything that is said: messages, logs at every level, tracebacks, files left behind, arguments.

Local variables are out of reach: a tool that prints them beside a traceback shows what they hold, here as anywhere.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import tokumei as tk
from tokumei.engines.local import make_release
from tokumei.engines.release_builder import ReleaseBuilder
from tokumei.engines.spark.problems import TaskProblem, in_one_sentence, in_task
from tokumei.errors import TokumeiError
from tokumei.randomness import Key
from tokumei.table.frames import Origin

ROOT = Path(__file__).parent.parent.parent
Q = "quasi_identifier"
CELLS = ("Zyxwvut Qponmlk", "note-77319", "7654.25", "outside-4402", "1999-07-23")
KEY = "c0ffee" * 8
PASSWORD = "hunter2-geheim"
SECRETS = (*CELLS, KEY, PASSWORD, "own-place.key")
ROWS = 60
SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", Q, tk.Numbers(20, 60, step=1)),
        tk.Attribute("town", Q, tk.Categories(["north", "south"])),
        tk.Attribute("note", "insensitive", missing=True),
        tk.Attribute("wage", "sensitive", tk.Numbers(0, 10_000, step=0.25)),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


def people() -> dict[str, list[Any]]:
    rng = np.random.default_rng(0)
    return {
        "name": [f"{CELLS[0]} {row}" for row in range(ROWS)],
        "age": rng.integers(20, 61, ROWS).tolist(),
        "town": rng.choice(["north", "south"], ROWS).tolist(),
        "note": [CELLS[1]] * ROWS,
        "wage": [float(CELLS[2])] * 3 + [1000.0] * (ROWS - 3),
        "ill": rng.choice(["no", "yes"], ROWS).tolist(),
    }


def told(text: str | bytes) -> list[str]:
    """List the secrets that a text holds."""
    given = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return [secret for secret in SECRETS if secret.encode() in given]


def chain(error: BaseException | None, seen: set[int] | None = None) -> Iterator[BaseException]:
    """Walk everything that hangs on an error, shown or suppressed."""
    seen = set() if seen is None else seen
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    yield from chain(error.__cause__, seen)
    yield from chain(error.__context__, seen)


# Errors, with all that hangs on them.


def bad(**columns: Any) -> Any:
    return pd.DataFrame({**people(), **columns})


def one_bad(name: str, cell: Any) -> Any:
    return bad(**{name: pd.Series([cell, *people()[name][1:]], dtype=object)})


def csv_with(folder: Path, line: str, first: str = "name,age,town,note,wage,ill") -> Path:
    file = folder / "people.csv"
    file.write_text(f"{first}\nanna,30,north,x,1,no\n{line}\n", encoding="utf-8")
    return file


def plan_of(folder: Path, **source: Any) -> tk.Plan:
    return tk.Plan(source, SCHEMA, tk.PkPerturbation(k=2, tells="all"), folder=folder)


def anonymized(frame: Any, **options: Any) -> Any:
    return tk.anonymize(
        frame, options.pop("schema", SCHEMA), options.pop("method", tk.PkPerturbation(k=2, tells="all")), **options
    )


def keyed(folder: Path, text: str, mode: int = 0o600) -> Any:
    place = folder / "own-place.key"
    place.write_text(text)
    place.chmod(mode)
    return anonymized(bad(), prepare=[tk.prepare.Pseudonymize("name", key=f"file:{place}")])


def sqlite(folder: Path, cell: Any) -> Any:
    import sqlite3

    with sqlite3.connect(folder / "people.db") as opened:
        opened.execute("CREATE TABLE people (name, age, town, note, wage, ill)")
        opened.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", [("a", 30, "north", "x", 1.0, "no")] * 5)
        opened.execute("INSERT INTO people VALUES (?, ?, 'north', 'x', 1.0, 'no')", (CELLS[0], cell))
    return tk.run(plan_of(folder, database="sqlite:///people.db", table="people"))


def duck(folder: Path, engine: str) -> Any:
    import duckdb

    with duckdb.connect(str(folder / "people.duckdb")) as opened:
        opened.execute("CREATE TABLE people (name VARCHAR, age VARCHAR)")
        opened.execute("INSERT INTO people VALUES (?, ?)", [NAME, OUT])
    query = (
        "SELECT name, CAST(age AS INTEGER) AS age, 'north' AS town, 'x' AS note, 1.0 AS wage, 'no' AS ill FROM people"
    )
    return tk.run(plan_of(folder, database="duckdb:///people.duckdb", query=query), engine)


def in_spark(around: Any) -> Any:
    """Fail as a task does, or as a job does on the driver: nothing of Spark is needed for either."""
    with around:
        raise type("Py4JJavaError", (RuntimeError,), {"__module__": "py4j.protocol"})(OUT)


def damaged(folder: Path) -> Any:
    anonymized(bad()).write(folder / "out", format="csv")
    file = folder / "out" / "data.csv"
    file.write_text(file.read_text().replace("\n", f"\n{CELLS[3]},", 1))
    text = (folder / "out" / "manifest.json").read_text()
    import hashlib

    content = json.loads(text)
    content["data"]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    del content["sha256"]
    content["sha256"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    (folder / "out" / "manifest.json").write_text(json.dumps(content))
    return tk.read_release(folder / "out")


def excel(folder: Path) -> Any:
    frame = one_bad("age", CELLS[3])
    frame.to_excel(folder / "people.xlsx", index=False)
    return tk.run(plan_of(folder, path="people.xlsx"))


OUT, NAME = CELLS[3], CELLS[0]
GOOD = "berta,31,south,y,2,yes"
FAILURES: dict[str, Callable[[Path], Any]] = {
    "a label outside": lambda _: anonymized(one_bad("town", OUT)),
    "text for a number": lambda _: anonymized(one_bad("age", OUT)),
    "a number outside": lambda _: anonymized(one_bad("age", float(CELLS[2]))),
    "a date for a number": lambda _: anonymized(one_bad("age", pd.Timestamp(CELLS[4]))),
    "an odd object": lambda _: anonymized(one_bad("note", {OUT: NAME})),
    "broken text": lambda _: anonymized(one_bad("note", OUT + "\udc80")),
    "a number in the note": lambda _: anonymized(one_bad("note", 7)),
    "a column named by a cell": lambda _: anonymized(bad().rename(columns={"age": "ages"})),
    "a known column with rare cells": lambda _: anonymized(
        bad(), method=tk.PkPerturbation(k=50, kept="known", tells="all")
    ),
    "a constraint that cannot be": lambda _: anonymized(
        bad(), method=tk.Generalization(2, constraints=(tk.constraints.LDiversity("wage", 50),))
    ),
    "a matrix for numbers": lambda _: anonymized(bad(), method=tk.PRAM({"age": [[1.0]]})),
    "a hierarchy that does not cover": lambda _: tk.Attribute(
        "town", Q, tk.Categories(["a", "b"]), tk.Hierarchy.groups({"all": ["a"]})
    ),
    "an unknown column": lambda _: tk.check(bad(), ["aage"]),
    "sizes of a strange column": lambda _: tk.assess(bad(note=[[NAME]] * ROWS), ["note"]),
    "a file that is not there": lambda folder: tk.run(plan_of(folder, path="none.csv")),
    "csv: too many fields": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, f"{NAME},31,south,{OUT},2,yes,{OUT}").name)
    ),
    "csv: text for a number": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, f"{NAME},{OUT},south,y,2,yes").name)
    ),
    "csv, streamed: too many fields": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, f"{NAME},31,south,{OUT},2,yes,{OUT}").name), "stream"
    ),
    "csv, streamed: text for a number": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, f"{NAME},{OUT},south,y,2,yes").name), "stream"
    ),
    "csv, streamed: a label outside": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, f"{NAME},31,{OUT},y,2,yes").name), "stream"
    ),
    "csv: no line of names, cells twice": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, GOOD, first=f"{NAME},{OUT},{OUT},x,1,no").name)
    ),
    "csv, streamed: no line of names, cells twice": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, GOOD, first=f"{NAME},{OUT},{OUT},x,1,no").name), "stream"
    ),
    "csv: no line of names": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, GOOD, first=f"{NAME},{OUT},north,x,1,no").name)
    ),
    "csv: classes of a bad file": lambda folder: tk.disclosure.class_sizes(
        csv_with(folder, f"{NAME},31,south,{OUT},2,yes,{OUT}"), ["age", "town"]
    ),
    "csv: an unclosed quote": lambda folder: tk.run(
        plan_of(folder, path=csv_with(folder, f'"{NAME},31,south,{OUT},2,yes').name)
    ),
    "excel: text for a number": excel,
    "sqlite: text for a number": lambda folder: sqlite(folder, OUT),
    "sqlite: a number outside": lambda folder: sqlite(folder, float(CELLS[2])),
    "duckdb: text for a number": lambda folder: duck(folder, "local"),
    "duckdb, streamed: text for a number": lambda folder: duck(folder, "stream"),
    "spark: a job": lambda folder: in_spark(in_one_sentence("counting")),
    "sqlite: no such table": lambda folder: tk.run(
        plan_of(folder, database=f"sqlite:///{csv_with(folder, GOOD).name}", table="people")
    ),
    "a password in an address": lambda folder: plan_of(
        folder, database=f"postgresql://clerk:{PASSWORD}@localhost/x", table="people"
    ),
    "a password in a query": lambda folder: anonymized(bad()).write_table(
        f"postgresql:///x?password={PASSWORD}", "out"
    ),
    "a password in a plan": lambda folder: tk.Plan.from_toml(
        f'[source]\ndatabase = "postgresql://a:{PASSWORD}@b/c"\ntable = "t"\n[method]\nmethod = "sampling"\n'
    ),
    "a password in a broken plan": lambda folder: tk.Plan.from_toml(f'[source]\ndatabase = "x:{PASSWORD}\n'),
    "a server that is not there": lambda folder: tk.run(
        plan_of(folder, database="postgresql://clerk@localhost:1/x", table="people")
    ),
    "a key that is none": lambda folder: keyed(folder, f"{KEY}zz"),
    "a key that is short": lambda folder: keyed(folder, KEY[:10]),
    "a key that others can read": lambda folder: keyed(folder, KEY, 0o644),
    "a key in place of its reference": lambda folder: tk.prepare.Pseudonymize("name", key=KEY),
    "a key in a plan": lambda folder: tk.Plan.from_toml(
        f'[[prepare]]\nstep = "pseudonymize"\ncolumn = "name"\nkey = "{KEY}"\n[method]\nmethod = "sampling"\n'
    ),
    "a release with other rows": damaged,
}


@pytest.mark.parametrize("name", FAILURES)
def test_nothing_hangs_on_an_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: Any
) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "2")
    caplog.set_level(logging.DEBUG)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with pytest.raises(TokumeiError) as caught:
            FAILURES[name](tmp_path)
    logging.getLogger("adversarial").debug("failed", exc_info=caught.value)
    for error in chain(caught.value):
        notes = [
            *getattr(error, "__notes__", []),
            *getattr(error, "errors", list)(),
        ]  # pydantic keeps what it was given
        assert not told(f"{error} {error!r} {error.args!r} {notes!r} {vars(error)!r}"), type(error).__name__
    assert not told("".join(traceback.format_exception(caught.value)))
    said = "".join(capfd.readouterr()) + caplog.text + "".join(str(each.message) for each in warned)
    assert "failed" in caplog.text
    assert not told(said)


def test_nothing_hangs_on_what_a_task_lets_out() -> None:
    with pytest.raises(TaskProblem) as caught:
        in_spark(in_task())
    assert not any(told(f"{error!r}") for error in chain(caught.value))


def test_a_cell_that_hangs_on_an_error_is_found() -> None:
    """The walk over causes and contexts does find what `from None` only hides."""
    with pytest.raises(TokumeiError) as caught:
        try:
            int(CELLS[3])
        except ValueError:
            raise tk.errors.DataError("A cell is no number.") from None
    assert any(told(str(error)) for error in chain(caught.value))


# Everything that goes well, as loud as can be.

PLAN = """
[source]
path = "people.csv"

[schema.name]
role = "identifier"
[schema.age]
role = "quasi_identifier"
domain = {kind = "numbers", low = 20, high = 60, step = 1}
[schema.town]
role = "quasi_identifier"
domain = {kind = "categories", values = ["north", "south"]}
[schema.note]
role = "insensitive"
missing = true
[schema.wage]
role = "sensitive"
domain = {kind = "numbers", low = 0, high = 10000, step = 0.25}
[schema.ill]
role = "sensitive"
domain = {kind = "categories", values = ["no", "yes"]}

[[prepare]]
step = "pseudonymize"
column = "name"
key = "env:ADVERSARIAL_KEY"

[method]
METHOD

[output]
path = "out"
"""
COMMANDS: list[list[str]] = [
    ["anonymize", "pk.toml", "-o", "one"],
    ["anonymize", "pk.toml", "-o", "two", "--engine", "stream", "--memory", "100MB"],
    ["anonymize", "sample.toml", "-o", "three", "--json"],
    ["anonymize", "groups.toml", "-o", "four"],
    ["anonymize", "broken.toml", "-o", "five"],
    ["anonymize", "short.toml", "-o", "six", "--engine", "stream"],
    ["anonymize", "server.toml", "-o", "seven"],
    ["inspect", "one"],
    ["inspect", "four", "--json"],
    ["check", "people.csv", "--qi", "age,town", "--sensitive", "wage"],
    ["sizes", "people.csv", "--qi", "age,town"],
    ["risk", "table", "people.csv", "--qi", "age,town,note", "--sensitive", "wage"],
    ["risk", "compare", "pk.toml", "groups.toml"],
    ["attack", "pk.toml"],
    ["collation", "groups.toml"],
    ["compare", "pk.toml", "--methods", "generalization", "--k", "3", "-o", "compared"],
    ["reconstruct", "one", "--columns", "age,town", "--bins", "age=4"],
    ["reconstruct", "one", "--target", "ill"],
    ["report", "groups.toml", "-o", "report.html", "--public"],
    ["init", "people.csv", "-o", "drafted.toml", "--k", "3"],
    ["key", "keys/own-place.key"],
]


def loud(home: Path, commands: list[list[str]], **environment: str) -> dict[str, bytes]:
    """Run commands in a process of their own and return all that it said or left behind, by where."""
    (home / "tmp").mkdir()
    (home / "home").mkdir()
    given = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(home / "tmp"),
        "HOME": str(home / "home"),
        "ADVERSARIAL_KEY": KEY,
        "PGPASSWORD": PASSWORD,
        "PGCONNECT_TIMEOUT": "2",
        "PYTHONWARNINGS": "default",
        "PYTHONFAULTHANDLER": "1",
        "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", ""),
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.adversarial.loud", str(home / "record")],
        input="".join(json.dumps(command) + "\n" for command in commands).encode(),
        cwd=home,
        env=given,
        capture_output=True,
        check=False,
    )
    found = {"stdout": done.stdout, "stderr": done.stderr, "record": (home / "record").read_bytes()}
    for folder in ("tmp", "home"):
        for file in (home / folder).rglob("*"):
            name = str(file.relative_to(home))
            found[name] = name.encode() + (file.read_bytes() if file.is_file() else b"")
    assert done.returncode == 0, done.stderr[-2000:].decode()
    return found


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    home = tmp_path_factory.mktemp("home")
    pa.csv.write_csv(pa.table(people()), home / "people.csv")
    text = (home / "people.csv").read_text()
    (home / "broken.csv").write_text(text.replace("north", OUT, 1))
    (home / "short.csv").write_text(f"{text}{NAME},{OUT}\n")
    methods = {
        "pk": 'method = "pk_perturbation"\nk = 3',
        "sample": 'method = "sampling"\nsample = 0.5\nknown = 3',
        "groups": 'method = "generalization"\nk = 3',
    }
    for name, method in methods.items():
        (home / f"{name}.toml").write_text(PLAN.replace("METHOD", method))
    pk = (home / "pk.toml").read_text()
    for name in ("broken", "short"):
        (home / f"{name}.toml").write_text(pk.replace("people.csv", f"{name}.csv"))
    server = 'database = "postgresql://clerk@localhost:1/census"\ntable = "people"'
    (home / "server.toml").write_text(pk.replace('path = "people.csv"', server))
    return loud(home, COMMANDS)


def test_every_command_did_what_it_was_asked_to(spoken: dict[str, bytes]) -> None:
    """Otherwise there was nothing to be silent about."""
    parts = spoken["stdout"].decode().split("$ ")[1:]
    failed = [part.splitlines()[0] for part in parts if "ended with" in part]
    assert len(parts) == len(COMMANDS)
    assert [each.split()[1] for each in failed] == ["broken.toml", "short.toml", "server.toml"], spoken["stderr"][
        -3000:
    ]
    assert b"DEBUG:loud" in spoken["stderr"]


def test_nothing_is_told_at_any_level(spoken: dict[str, bytes]) -> None:
    allowed = {"stdout": ["own-place.key"], "record": ["own-place.key"]}  # the command that makes a key names its file
    for where, content in spoken.items():
        assert [secret for secret in told(content) if secret not in allowed.get(where, [])] == [], where


def test_no_program_was_started_and_nothing_is_left(spoken: dict[str, bytes]) -> None:
    lines = spoken["record"].decode().splitlines()
    started = [line for line in lines if not line.startswith("open")]
    assert started == []
    left = [where for where in spoken if where.startswith(("tmp/", "home/"))]
    assert left == []


def test_a_planted_log_line_is_found(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        f"import logging\nlogging.getLogger('pyarrow').setLevel(logging.DEBUG)\nprint({NAME!r})\n"
    )
    found = loud(tmp_path, [["--version"]], PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert told(found["stdout"]) == [NAME]


# What a notebook, a debugger or a log call shows of our objects.


def test_no_object_shows_a_cell_or_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVERSARIAL_KEY", KEY)
    step = tk.prepare.Pseudonymize("name", key="env:ADVERSARIAL_KEY")
    frame, key = pd.DataFrame(people()), Key.fresh()
    method = tk.Generalization(3, tk.partitions.Mondrian())
    made = make_release(pa.table(people()), Origin("pyarrow"), SCHEMA, method, (step,), key)
    release = made.release
    shown: list[Any] = [made, made.table, made.table.columns["note"], release, release.record, step, step.opened(), key]
    shown += [
        key.stream("x"),
        ReleaseBuilder(SCHEMA, method, (step.opened(),), key),
        plan_of(Path(), path="people.csv"),
    ]
    shown += [tk.check(frame, ["age", "town", "note"], "wage"), tk.assess(frame, ["age", "town", "note"], "wage")]
    shown += [tk.attack(frame, tk.PkPerturbation(k=3, tells="all"), SCHEMA), tk.assess_release(frame, method, SCHEMA)]
    shown += [tk.disclosure.collation_check(frame, method, SCHEMA), tk.IterativeBayes(["age"]), *release.guarantees]
    assert len(shown) > 15
    for each in shown:
        card = each._repr_html_() if hasattr(each, "_repr_html_") else ""
        assert not told(f"{each!r} {each} {card}"), type(each).__name__
