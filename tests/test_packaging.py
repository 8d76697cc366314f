"""What is published: the files and the facts of the wheel. `make package` installs and uses it."""

from __future__ import annotations

import email
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import tokumei
from scripts import package_check

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return package_check.build(Path(sys.executable), tmp_path_factory.mktemp("dist"))


def test_the_wheel_holds_the_package_and_nothing_else(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        assert package_check.wrong_in_wheel(wheel.namelist()) == []
    assert built[1].stat().st_size <= package_check.LARGEST


def test_what_is_wrong_in_a_wheel_is_found(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        names = wheel.namelist()
    assert package_check.wrong_in_wheel([*names, "tests/test_a.py"]) == ["tests/test_a.py does not belong there"]
    assert package_check.wrong_in_wheel([*names, "tokumei/people.csv"]) == ["tokumei/people.csv does not belong there"]
    assert package_check.wrong_in_wheel([n for n in names if n != "tokumei/py.typed"]) == [
        "tokumei/py.typed is missing"
    ]
    assert package_check.wrong_in_wheel([n for n in names if n != "tokumei/runner.py"]) == ["runner.py is missing"]


def test_the_metadata_is_that_of_the_project(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        place = next(name for name in wheel.namelist() if name.endswith("/METADATA"))
        facts = email.message_from_bytes(wheel.read(place))
        scripts = wheel.read(place.replace("METADATA", "entry_points.txt")).decode()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert facts["Version"] == tokumei.__version__
    assert facts["License-Expression"] == "Apache-2.0"
    assert facts["Requires-Python"] == ">=3.11"
    assert set(facts.get_all("Provides-Extra")) == set(project["optional-dependencies"])
    assert "tokumei = tokumei.cli:main" in scripts
    plain = [each for each in facts.get_all("Requires-Dist") if "extra ==" not in each]
    assert len(plain) == len(project["dependencies"])


def test_the_sdist_can_be_tested_and_holds_no_data(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]
    assert {"pyproject.toml", "Makefile", "tests/conftest.py", "scripts/package_check.py", "LICENSE"} <= set(names)
    left = [name for name in names if name.endswith(package_check.NO_PART)]
    shown = ("docs/", "tests/adversarial/stored/")  # results of benchmarks, and small releases of invented people
    assert [name for name in left if not name.startswith(shown)] == []


def test_every_use_of_an_extra_is_of_one_that_there_is() -> None:
    assert set(package_check.USES) <= set(package_check.extras())
