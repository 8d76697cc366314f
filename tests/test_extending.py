"""One file is enough: a method, a partition, a constraint and a loss of another package go through everything."""

from __future__ import annotations

import html
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.anonymizers import METHODS
from tokumei.cli.app import app
from tokumei.partition import PARTITIONS
from tokumei.privacy.constraints import CONSTRAINTS
from tokumei.privacy.notions import NOTIONS
from tokumei.studio.session.frontier import line_words, lines
from tokumei.table.loss import LOSSES
from tokumei.testing import check_method, isolated
from tokumei.testing.trial import example_table
from tokumei.words import Words

TOYS = ("toy_method", "toy_partition", "toy_constraint", "toy_loss")
LANGUAGES: tuple[Any, ...] = ("en", "ja")
pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")


@pytest.fixture(scope="module")
def toys() -> Iterator[dict[str, Any]]:
    """The modules, registered while these tests run and forgotten then."""
    with isolated():
        yield {name: importlib.import_module(f"tests.extending.{name}") for name in TOYS}
        for name in TOYS:
            del sys.modules[f"tests.extending.{name}"]
    assert "toy_replacement" not in METHODS.names
    assert "toy_slices" not in PARTITIONS.names
    assert "toy_majority" not in CONSTRAINTS.names
    assert "toy majority" not in NOTIONS
    assert "toy_changed" not in LOSSES
    assert not Words("ja").knows("method_toy_replacement")


@pytest.fixture(params=["method", "partition", "constraint"])
def toy(request: pytest.FixtureRequest, toys: dict[str, Any]) -> Any:
    """A method that is a toy, or has one in it."""
    made = {
        "method": lambda: toys["toy_method"].ToyReplacement(k=4),
        "partition": lambda: tk.Generalization(k=4, partition=toys["toy_partition"].ToySlices(wide=2)),
        "constraint": lambda: tk.Generalization(k=4, constraints=[toys["toy_constraint"].ToyMajority("income", 0.9)]),
    }
    return made[request.param]()


def test_it_passes_the_checks_of_every_method(toy: Any) -> None:
    check_method(toy)


def test_it_goes_through_plan_command_line_manifest_report_and_comparison(toy: Any, tmp_path: Path) -> None:
    frame, schema = example_table()
    pq.write_table(frame, tmp_path / "people.parquet")
    plan = tk.Plan({"path": "people.parquet"}, schema, toy, folder=tmp_path)
    (tmp_path / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    assert "toy_" in plan.to_toml()
    assert tk.Plan.read(tmp_path / "plan.toml").method == toy

    done = CliRunner().invoke(app, ["anonymize", str(tmp_path / "plan.toml")])
    assert done.exit_code == 0, done.output
    read = tk.read_release(tmp_path / "release")
    assert all(each.checked for each in read.guarantees)
    assert "toy_" in str(read.method)
    for language in LANGUAGES:
        for page in (tk.report(read, language=language), tk.report(tmp_path / "plan.toml", language=language)):
            text = html.unescape(page.html)
            assert (Words(language)("about_toy_replacement") if toy.method == "toy_replacement" else "toy_") in text
            assert Words(language)("unknown.unknown", unknown="") not in text
            assert page.public or toy.method == "toy_replacement" or Words(language)("utility_toy_changed") in text

    done = CliRunner().invoke(app, ["compare", str(tmp_path / "plan.toml"), "--methods", toy.method, "--k", "4", "--json", "-o", str(tmp_path / "c")])  # fmt: skip
    assert done.exit_code == 0, done.output


def test_a_constraint_is_a_promise_of_its_own(toys: dict[str, Any]) -> None:
    frame, schema = example_table()
    ask = toys["toy_constraint"].ToyMajority("income", 0.9)
    release = tk.anonymize(frame, schema, tk.Generalization(k=4, constraints=[ask]))
    promise = release.guarantees[1]
    assert promise.notion == "toy majority"
    assert 0 < promise.value <= 0.9
    assert "finds a value of 'income' with a share above" in promise.headline
    with pytest.raises(tk.errors.InfeasiblePromise):
        tk.anonymize(frame, schema, tk.Generalization(k=4, constraints=[toys["toy_constraint"].ToyMajority("income", 0.1)]))  # fmt: skip


def test_a_loss_is_measured_compared_and_drawn(toys: dict[str, Any], tmp_path: Path) -> None:
    frame, schema = example_table()
    release = tk.anonymize(frame, schema, tk.Generalization(k=4))
    found = tk.measure_utility(frame, release, schema, reconstruct=False)
    assert 0 < found.losses["toy_changed"] <= 1
    assert "Share of cells that were changed at all" in str(found)
    assert "Share of cells that were changed at all" in found._repr_html_()
    assert "toy_changed" in found.frame().column("measure").to_pylist()
    compared = tk.compare(frame, schema, ["generalization"], [4, 8], reconstruct=False)
    assert all(0 < each <= 1 for each in compared.column("toy_changed").to_pylist())
    drawn = tk.plots.frontier(compared, "toy_changed").to_json()
    assert "Share of cells that were changed at all" in drawn
    pq.write_table(frame, tmp_path / "people.parquet")
    (tmp_path / "plan.toml").write_text(tk.Plan({"path": "people.parquet"}, schema, tk.Generalization(k=4)).to_toml())
    words = [
        "compare",
        str(tmp_path / "plan.toml"),
        "--methods",
        "generalization",
        "--k",
        "4",
        "--measure",
        "toy_changed",
    ]
    done = CliRunner().invoke(app, [*words, "-o", str(tmp_path / "c")])
    assert done.exit_code == 0, done.output
    assert "toy_changed" in (tmp_path / "c.csv").read_text()


def test_a_misspelt_name_is_told_with_the_nearest(toys: dict[str, Any]) -> None:
    with pytest.raises(tk.errors.InvalidParameter, match="Did you mean 'toy_slices'"):
        tk.Generalization(k=3, partition="toy_slice")


def test_the_studio_draws_a_line_for_the_method(toys: dict[str, Any]) -> None:
    made = lines()["toy_replacement"](7)
    assert made == toys["toy_method"].ToyReplacement(k=7)
    assert line_words("toy_replacement", Words("en")) == "Toy replacement"


def test_spark_runs_it(toys: dict[str, Any], spark: Any) -> None:
    check_method(toys["toy_method"].ToyReplacement(k=4), spark=spark)


def test_an_installed_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    (tmp_path / "toy-1.0.dist-info").mkdir()
    (tmp_path / "toy-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    entry = "[tokumei_extensions]\nmethod = toy_method\nconstraint = toy_constraint\n"
    (tmp_path / "toy-1.0.dist-info" / "entry_points.txt").write_text(entry)
    for name in ("toy_method", "toy_constraint"):
        (tmp_path / f"{name}.py").write_text((Path(__file__).parent / "extending" / f"{name}.py").read_text("utf-8"), "utf-8")  # fmt: skip
    frame, schema = example_table()
    pq.write_table(frame, tmp_path / "people.parquet")
    text = tk.Plan({"path": "people.parquet"}, schema, tk.PkPerturbation(k=4)).to_toml()
    (tmp_path / "plan.toml").write_text(text.replace("pk_perturbation", "toy_replacement"), "utf-8")
    path = f"{tmp_path}:{Path(tk.__file__).parent.parent}"
    for words in (["anonymize", "plan.toml"], ["inspect", "release"]):
        command = [sys.executable, "-m", "tokumei", *words]
        done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": path, "PATH": "", "HOME": str(tmp_path)}, capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert "The released quasi-identifiers say nothing" in done.stdout
    (tmp_path / "toy_constraint.py").write_text("import nothing_of_this_name")
    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": path, "PATH": "", "HOME": str(tmp_path)}, capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 1
    assert "The extension 'constraint' cannot be imported (ModuleNotFoundError" in done.stderr
    assert "Traceback" not in done.stderr
