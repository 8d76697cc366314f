"""What the shell offers, asked as bash asks: in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
import typer

import tokumei as tk
from tests.command_line import COMMAND, Program
from tokumei.anonymizers import METHODS
from tokumei.cli import completion as completing
from tokumei.cli.app import app

PLAN = """
[source]
path = "people.csv"
[schema.age]
role = "quasi_identifier"
domain = { kind = "numbers", low = 0, high = 90, step = 1 }
[schema.agency]
role = "insensitive"
[method]
method = "pk_perturbation"
k = 2
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text("age,sex,home town\n30,Female,Nara\n31,Male,Uji\n", encoding="utf-8")
    (tmp_path / "semi.csv").write_text("\ufeffage;agency\n30;x\n", encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    pyarrow.parquet.write_table(pa.table({"height": [1], "weight": [2]}), tmp_path / "people.parquet")
    schema = tk.Schema([tk.Attribute("sex", domain=tk.Categories(["Female", "Male"]))])
    tk.anonymize(pa.table({"sex": ["Female", "Male"] * 5}), schema, tk.PkPerturbation(k=2, tells="all")).write(
        tmp_path / "release"
    )
    return tmp_path


def offered(line: str, folder: Path) -> list[str]:
    """Ask for what may stand at the end of a line."""
    words = line.split(" ")
    asked = {"_TOKUMEI_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = Program(COMMAND, env=asked, cwd=folder).ended()
    assert not done.stderr, done.stderr
    return [offer for offer in done.stdout.split("\n") if offer]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tokumei anonym", ["anonymize"]),
        ("tokumei anonymize plan.toml --engine s", ["stream", "spark"]),
        ("tokumei check people.csv --qi age,", ["age,sex", "age,home town"]),
        ("tokumei compare people.csv --methods pk_perturbation,local", ["pk_perturbation,local_suppression"]),
        ("tokumei reconstruct release --columns s", ["sex"]),
        ("tokumei check people.csv nothing.csv --qi zz", []),
    ],
)
def test_the_shell_is_offered(home: Path, line: str, expected: list[str]) -> None:
    assert offered(line, home) == expected


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("people.csv", ["age", "sex", "home town"]),
        ("people.parquet", ["height", "weight"]),
        ("plan.toml", ["age", "agency"]),
        ("release", ["sex"]),
    ],
)
def test_columns_of_what_was_named(home: Path, file: str, expected: list[str]) -> None:
    assert completing.columns_of(home / file) == expected


def test_columns_of_another_dialect(home: Path) -> None:
    assert completing.columns_of(home / "semi.csv", ";") == ["age", "agency"]


@pytest.mark.parametrize("content", ["", "[schema", "schema = 3", "[other]\n", "schema = " + "[" * 10_000])
def test_a_file_that_cannot_be_read_offers_nothing(home: Path, content: str) -> None:
    (home / "plan.toml").write_text(content, encoding="utf-8")
    context = typer.Context(typer.main.get_command(app))
    context.params["plan"] = home / "plan.toml"
    assert completing.column(context, "") == []
    context.params["plan"] = home / "absent.toml"
    assert completing.column(context, "") == []


def test_every_method_and_its_partitions_are_offered() -> None:
    names = [cls.__dataclass_fields__["method"].default for cls in METHODS]
    assert completing.methods("") == names
    assert "generalization:mondrian" in completing.methods("generalization:")
    assert "sampling,microaggregation:mdav" in completing.methods("sampling,microaggregation:m")
    assert not any(offer.startswith("sampling:") for offer in completing.methods("sampling:"))


def commands() -> list[tuple[str, typer.core.TyperOption]]:
    group = typer.main.get_command(app)
    every = {**group.commands, **{f"risk {name}": each for name, each in group.commands["risk"].commands.items()}}
    return [
        (name, option)
        for name, command in every.items()
        for option in command.params
        if isinstance(option, typer.core.TyperOption)
    ]


@pytest.mark.parametrize("option", ["qi", "sensitive", "target", "columns", "methods", "engine", "measure", "meaning"])
def test_wherever_the_option_is_it_is_completed(option: str) -> None:
    found = [(name, each) for name, each in commands() if each.name == option]
    assert found
    for name, each in found:
        assert each._custom_shell_complete is not None, f"{name} --{option}"
