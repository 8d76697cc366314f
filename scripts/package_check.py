"""Builds the package as it would be published, and uses it as somebody would who has just installed it.

    python scripts/package_check.py                         every Python from 3.11 to 3.14 that is here, every extra
    python scripts/package_check.py --pythons 3.12          one of them
    python scripts/package_check.py --extras plots,sql      some extras; --extras '' for none

The wheel goes into a fresh virtual environment of each Python, where a small program makes, writes and reads a release. Then
each extra is installed alone, on top of the first of these, and what it is for is done with it; what another extra is for must
say which one is missing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
NO_PART = (".csv", ".db", ".duckdb", ".nbc", ".nbi", ".parquet", ".pyc")  # tables, and what a run leaves behind
LARGEST = 7 << 18  # bytes of the wheel: every message stands in it in two languages
INSTALL = ("install", "--quiet", "--disable-pip-version-check")

SMOKE = """
import sys, tokumei as tk
people, schema = tk.example_census(rows=500, frame="pyarrow"), tk.example_schema()
release = tk.anonymize(people, schema, tk.PkPerturbation(k=5))
release.write("out")
again = tk.read_release("out", frame="pyarrow")
assert again.rows == 500 and again.guarantees == release.guarantees
table = tk.IterativeBayes(["sex"]).fit(again).pmf_
assert abs(table.sum() - 1) < 1e-9
assert all(getattr(tk, name) is not None for name in tk.__all__)
from tokumei.privacy.proofs import PLACES, PROOFS, proof_text
assert PLACES[0].is_dir() and all(proof_text(name) for name in PROOFS)
print("ok", tk.__version__, ".".join(map(str, sys.version_info[:3])))
"""

_PEOPLE = "import tokumei as tk\npeople, schema = tk.example_census(rows=200, frame='pyarrow'), tk.example_schema()\n"
_RELEASE = f"{_PEOPLE}release = tk.anonymize(people, schema, tk.PkPerturbation(k=3))\n"
# The smallest sheet: a line of names and one row.
_SHEET = """
import zipfile
main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
links = "http://schemas.openxmlformats.org/package/2006/relationships"
office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
types = "http://schemas.openxmlformats.org/package/2006/content-types"
kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
cells = '<row><c t="inlineStr"><is><t>sex</t></is></c></row><row><c t="inlineStr"><is><t>female</t></is></c></row>'
with zipfile.ZipFile("people.xlsx", "w") as parts:
    parts.writestr(
        "[Content_Types].xml",
        f'<Types xmlns="{types}"><Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>',
    )
    parts.writestr(
        "_rels/.rels",
        f'<Relationships xmlns="{links}"><Relationship Id="r" Type="{office}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
    )
    parts.writestr(
        "xl/workbook.xml",
        f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
    )
    parts.writestr(
        "xl/_rels/workbook.xml.rels",
        f'<Relationships xmlns="{links}"><Relationship Id="r1" Type="{office}/worksheet" Target="sheet1.xml"/>'
        "</Relationships>",
    )
    parts.writestr("xl/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>')
"""
# What each extra is for. Without it the program must end in MissingDependency with the name of the extra.
USES = {
    "pandas": "import tokumei as tk\nassert len(tk.example_census(rows=3, frame='pandas')) == 3\n",
    "polars": "import tokumei as tk\nassert tk.example_census(rows=3, frame='polars').height == 3\n",
    "plots": "import tokumei as tk\ntk.plots.save(tk.plots.class_sizes([1, 2, 5]), 'chart.svg')\n",
    "sql": f"{_RELEASE}release.write_table('sqlite:///x.db', 't')\n"
    "assert tk.read_release('sqlite:///x.db', 'pyarrow', table='t').rows == 200\n",
    "excel": f"{_SHEET}import tokumei as tk\n"
    "from pathlib import Path\n"
    "from tokumei.io.source import read_to_draft\n"
    "read, _ = read_to_draft(Path('people.xlsx'), ',', None, 'utf-8')\n"
    "assert read.to_pylist() == [{'sex': 'female'}]\n",
    "stat": f"{_RELEASE}release.write('written', 'sav')\nassert tk.read_release('written', 'pyarrow').rows == 200\n",
    "spark": f"{_PEOPLE}from pyarrow import csv\n"
    "from tokumei.plan import Plan, Source\n"
    "csv.write_csv(people, 'people.csv')\n"
    "plan = Plan(source=Source('people.csv'), schema=schema, method=tk.PkPerturbation(k=3), folder='.')\n"
    "assert tk.run(plan, engine='spark').rows == 200\n",
    "studio": "import os, urllib.request\n"
    "from threading import Thread\n"
    "from tokumei.studio.server import serve\n"
    "def visit(link):\n"
    "    try:\n"
    "        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())\n"
    "        os._exit(0 if b'tokumei' in browser.open(link, timeout=60).read() else 1)\n"
    "    finally:\n"
    "        os._exit(1)\n"
    "def say(line):\n"
    "    if 'http' in line:\n"
    "        Thread(target=visit, args=(line.split()[-1],)).start()\n"
    "serve(browser=False, say=say)\n",
    "gpu": f"{_RELEASE}tk.DensityRatio(columns=['sex'], backend='torch:cpu').fit(release)\n",
}


def extras() -> list[str]:
    """Return the extras that users install; those of developers are left out."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [name for name in content["project"]["optional-dependencies"] if name not in {"dev", "docs", "bench"}]


def build(python: Path, folder: Path) -> tuple[Path, Path]:
    """Build sdist and wheel with a Python that has hatchling."""
    program = "import sys, hatchling.build as b; print(b.build_sdist(sys.argv[1])); print(b.build_wheel(sys.argv[1]))"
    told = call([python, "-c", program, folder], cwd=ROOT).split()
    return folder / told[-2], folder / told[-1]


def wrong_in_wheel(names: Iterable[str]) -> list[str]:
    """Say what is wrong with the files of a wheel."""
    inside = set(names)
    parts = [name for name in inside if ".dist-info/" not in name]
    strange = [name for name in parts if not name.startswith("tokumei/") or name.endswith(NO_PART)]
    problems = [f"{name} does not belong there" for name in sorted(strange)]
    for file in (ROOT / "src" / "tokumei").rglob("*.py"):
        if file.relative_to(ROOT / "src").as_posix() not in inside:
            problems.append(f"{file.name} is missing")
    wanted = ("tokumei/py.typed", "METADATA", "entry_points.txt", "LICENSE")
    return problems + [f"{name} is missing" for name in wanted if not any(each.endswith(name) for each in inside)]


def pythons(wanted: Sequence[str]) -> dict[str, Path]:
    """Find the Pythons of the wanted versions, on the path and under pyenv."""
    found: dict[str, Path] = {}
    store = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in wanted:
        under = sorted(store.glob(f"{version}*/bin/python{version}"))
        named = shutil.which(f"python{version}")
        for place in [*under, *([Path(named)] if named else [])]:
            asked = subprocess.run(
                [place, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                capture_output=True,
                text=True,
                check=False,
            )
            if asked.returncode == 0 and asked.stdout.strip() == version:
                found[version] = place
                break
    return found


def call(words: Sequence[object], cwd: Path | None = None) -> str:
    """Run a program, and stop with what it said if it fails."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))[:200]} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def environment(python: Path, folder: Path, below: Path | None = None) -> Path:
    """Make a fresh virtual environment, with what another one has if ``below`` is given; return its Python."""
    call([python, "-m", "venv", folder])
    if below is not None:
        (packages,) = folder.glob("lib/python*/site-packages")
        (inherited,) = below.parent.parent.glob("lib/python*/site-packages")
        (packages / "below.pth").write_text(f"{inherited}\n", encoding="utf-8")
    return folder / "bin" / "python"


def smoke(python: Path, folder: Path) -> str:
    """Make a release with an installed package, and ask its command line for help."""
    folder.mkdir()
    told = call([python, "-I", "-c", SMOKE], cwd=folder).strip()
    shown = call([python.parent / "tokumei", "--help"], cwd=folder)
    if "anonymize" not in shown:
        sys.exit("tokumei --help does not list its commands.")
    call([python.parent / "tokumei", "demo", "--rows", "2000"], cwd=folder)
    return told


def uses(python: Path, extra: str, folder: Path, *, there: bool) -> None:
    """Do what an extra is for; where it is not there, an error must name it."""
    folder.mkdir(parents=True)
    done = subprocess.run([python, "-I", "-c", USES[extra]], cwd=folder, capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1:] or [""]
    if there and done.returncode:
        sys.exit(f"With tokumei[{extra}] installed it cannot be used: {last[0]}")
    if not there and not (done.returncode and "MissingDependency" in last[0] and f"tokumei[{extra}]" in last[0]):
        sys.exit(f"Without tokumei[{extra}] the error must name it, and is: {last[0] or 'none'}")


def main() -> None:
    """Check it all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pythons", default=",".join(VERSIONS))
    parser.add_argument("--extras", default=",".join(extras()))
    given = parser.parse_args()
    chosen = [name for name in given.extras.split(",") if name]
    if unknown := set(chosen) - set(extras()):
        parser.error(f"there is no extra named {', '.join(sorted(unknown))}")
    found = pythons(given.pythons.split(","))
    if not found:
        sys.exit(f"There is no Python {given.pythons} here.")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        builder = environment(next(iter(found.values())), folder / "builder")
        call([builder, "-m", "pip", *INSTALL, "hatchling>=1.25"])
        sdist, wheel = build(builder, folder)
        if problems := wrong_in_wheel(zipfile.ZipFile(wheel).namelist()):
            sys.exit("The wheel is wrong: " + "; ".join(problems[:5]))
        if wheel.stat().st_size > LARGEST:
            sys.exit(f"The wheel has over {LARGEST:,} bytes.")
        for file in (sdist, wheel):
            print(f"{file.name}: {file.stat().st_size / 1024:,.0f} KiB", flush=True)
        installed: dict[str, Path] = {}
        for version, python in found.items():
            installed[version] = environment(python, folder / version)
            call([installed[version], "-m", "pip", *INSTALL, wheel])
            print(f"Python {version}: {smoke(installed[version], folder / f'work-{version}')}", flush=True)
        core = next(iter(installed.values()))
        for extra in USES:
            uses(core, extra, folder / f"without-{extra}", there=False)
        print(f"Without extras: errors name {', '.join(USES)}", flush=True)
        for extra in chosen:
            python = environment(next(iter(found.values())), folder / f"with-{extra}", below=core)
            call([python, "-m", "pip", *INSTALL, f"{wheel}[{extra}]"])
            if extra in USES:
                uses(python, extra, folder / "used" / extra, there=True)
            print(f"tokumei[{extra}]: installs" + (", and does what it is for" if extra in USES else ""), flush=True)


if __name__ == "__main__":
    main()
