"""What a person waits for on Adult: every long command on every kind of release, in seconds of CPU, and how long nothing was shown.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.waiting [COMMAND …] [--release KIND …]     only these; the others stay as they are stored

All 48,842 rows and 15 columns with the roles that `tokumei init` drafts, k = 10. Each command is run once in a process of its own, with a cache of
compiled loops that is empty at first: compiling is measured apart, and a command pays it only for loops that none before it needed. CPU is user
and system time of all threads, imports included. Silence is the longest stretch of CPU time, compiling not counted, in which no stage was open
that shows its progress; a bar appears a second after its stage was opened. It says `no` where a release does not support a command, which it says in a sentence.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.data import adult
from benchmarks.stored import RESULTS, Table, read, store

NAME = "waiting"
LIMIT = 20.0  # seconds of CPU
REFUSED = "no"
RELEASES = {
    "noise, some columns a row": 'method = "pk_perturbation"\ntells = "auto"',
    "noise on every column": 'method = "pk_perturbation"\ntells = "all"',
    "noise in groups": 'method = "grouped_pk_perturbation"',
    "generalized": 'method = "generalization"',
    "averaged": 'method = "microaggregation"',
    "suppressed": 'method = "local_suppression"',
    "swapped": 'method = "swapping"',
}
ON_TABLE = {
    "init": ["init", "{data}", "-o", "{folder}/drafted.toml", "--overwrite"],
    "check": ["check", "{data}", "--qi", "age,workclass,education,marital-status,occupation,race,sex,native-country"],
    "recommend": ["recommend", "{data}", "--overwrite"],
    "recommend, inference": ["recommend", "{data}", "--overwrite", "--duty", "linking 1/10, inference 19/20"],
    "recommend, model": ["recommend", "{data}", "--overwrite", "--purpose", "model:income"],
    "recommend, records": ["recommend", "{data}", "--overwrite", "--purpose", "records"],
    "risk table": [
        "risk",
        "table",
        "{data}",
        "--qi",
        "age,workclass,education,marital-status,occupation,race,sex,native-country",
    ],
    "demo": ["demo"],
    "help": ["--help"],
    "check, 100 rows": ["check", "{folder}/few.csv", "--qi", "age,sex"],
    "compare": ["compare", "{data}", "-o", "{folder}/compared", "--overwrite"],
}
ON_RELEASE = {
    "anonymize": ["anonymize", "{plan}", "--overwrite"],
    "inspect": ["inspect", "{release}"],
    "promises": ["promises", "{release}"],
    "attack": ["attack", "{plan}"],
    "report, private": ["report", "{plan}", "-o", "{folder}/private.html", "--overwrite"],
    "report, public": ["report", "{release}", "-o", "{folder}/public.html", "--overwrite"],
    "reconstruct a 2 × 2 table": ["reconstruct", "{release}", "-c", "sex,income"],
    "reconstruct a model": ["reconstruct", "{release}", "--target", "income"],
    "synthesize": ["synthesize", "{release}", "-o", "{folder}/rows.parquet", "--overwrite"],
    "regress": ["regress", "{release}", "income ~ age + sex", "--outcome", ">50K"],
}
SILENCE = "longest silence"
HEADS = ["command", *RELEASES, SILENCE]
TABLE_HEADS = ["command", "CPU, s", "compiling, s", "silence, s"]


class Watch(threading.Thread):
    """Looks twenty times a second whether a stage is open, and keeps the longest stretch of CPU time in which none was."""

    def __init__(self, compiled: Any) -> None:
        super().__init__(daemon=True)
        self.longest, self._since, self._silent, self._compiled = 0.0, 0.0, True, compiled
        self.ended = threading.Event()

    def run(self) -> None:
        """Look until the command has ended."""
        from tokumei.progress import _running

        while not self.ended.wait(0.05):
            self.look(silent=not _running)
        self.look(silent=True)

    def look(self, *, silent: bool) -> None:
        """Count what went by since the last look, if nothing was shown meanwhile."""
        now = time.process_time() - self._compiled.seconds
        if self._silent:
            self.longest = max(self.longest, now - self._since)
        if not (silent and self._silent):
            self._since = now
        self._silent = silent


def run(arguments: list[str]) -> dict[str, Any]:
    """Run one command in this process."""
    warnings.simplefilter("ignore")
    from tokumei.compiling import compiling

    code: Any = 0
    sys.argv = ["tokumei", *arguments]
    said = io.StringIO()
    with compiling() as compiled:
        watch = Watch(compiled)
        watch.start()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                from tokumei.cli.app import app

                app(prog_name="tokumei")
        except SystemExit as ended:
            code = ended.code
        watch.ended.set()
        watch.join()
    taken = time.process_time() - compiled.seconds
    return {
        "code": code or 0,
        "cpu": taken,
        "compiling": compiled.seconds,
        "silence": watch.longest,
        "said": said.getvalue(),
    }


def measured(arguments: list[str], cache: str) -> dict[str, Any]:
    """Run one command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.waiting", "--one", json.dumps(arguments)],
        env={**os.environ, "NUMBA_CACHE_DIR": cache, "TOKUMEI_PROGRESS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if found["code"] not in {0, 1} or "Traceback" in found["said"]:
        sys.exit(f"{arguments}: {found['said']}")
    return found


def plans(folder: Path, cache: str) -> None:
    """Write one plan for every kind of release."""
    measured(["init", str(folder / "adult.csv"), "-o", str(folder / "plan.toml"), "--k", "10", "--overwrite"], cache)
    before, _, _ = (folder / "plan.toml").read_text(encoding="utf-8").partition("[method]")
    for kind, method in RELEASES.items():
        place = folder / kind
        place.mkdir(exist_ok=True)
        text = before.replace('path = "adult.csv"', 'path = "../adult.csv"')
        chosen = f'[method]\n{method}\nk = 10\n[output]\npath = "release"\n'
        (place / "plan.toml").write_text(text + chosen, encoding="utf-8")


def jobs(folder: Path, commands: list[str], kinds: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield what is run: the command's name, the kind of release, and the arguments."""
    for name, given in ON_TABLE.items():
        if not commands or name in commands:
            yield name, "", [each.format(data=folder / "adult.csv", folder=folder) for each in given]
    for kind in kinds or RELEASES:
        place = folder / kind
        named = {"plan": place / "plan.toml", "release": place / "release", "folder": place}
        for name, given in ON_RELEASE.items():
            if not commands or name in commands or (name == "anonymize" and not (place / "release").exists()):
                yield name, kind, [each.format(**named) for each in given]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("commands", nargs="*")
    parser.add_argument("--release", nargs="*", default=[])
    parser.add_argument("--one")
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(run(json.loads(asked.one))))
        return
    found: dict[tuple[str, str], Any] = stored() if asked.commands or asked.release else {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(os.environ.get("TOKUMEI_WAITING", made))
        cache = str(folder / "loops")
        (folder / "adult.csv").unlink(missing_ok=True)
        (folder / "adult.csv").symlink_to(adult().resolve())
        with adult().open(encoding="utf-8") as rows:
            (folder / "few.csv").write_text("".join(itertools.islice(rows, 101)), encoding="utf-8")
        plans(folder, cache)
        for name, kind, arguments in jobs(folder, asked.commands, asked.release):
            one = found[name, kind] = measured(arguments, cache)
            print(
                f"{name:26} {kind:26} {one['code']} {one['cpu']:6.1f} {one['compiling']:6.1f} {one['silence']:5.1f}",
                flush=True,
            )
            keep(found)  # a run that is stopped keeps what it has measured
            if one["code"]:
                print("   ", one["said"].strip().replace("\n", " ")[-160:], flush=True)


def stored() -> dict[tuple[str, str], Any]:
    """Return what earlier runs found, if there were any."""
    if not (RESULTS / f"{NAME}.json").exists():
        return {}
    return {(row[0], row[1]): dict(zip(KEPT, row[2:], strict=True)) for row in read(NAME)[1]["all"].rows}


KEPT = ("code", "cpu", "compiling", "silence")


def keep(found: dict[tuple[str, str], Any]) -> None:
    """Store what was found, as one row for each run and as the tables of the page."""

    def seconds(name: str, kind: str, what: str = "cpu") -> Any:
        one = found.get((name, kind))
        return None if one is None else REFUSED if one["code"] and kind else one[what]

    def silence(name: str) -> float | None:
        """The longest of a command on any release."""
        every = [one["silence"] for (each, kind), one in found.items() if each == name and kind and not one["code"]]
        return max(every, default=None)

    releases = [
        [f"`{name}`", *(seconds(name, kind) for kind in RELEASES), silence(name)]
        for name in ON_RELEASE
        if any((name, kind) in found for kind in RELEASES)
    ]
    on_table = [
        [f"`{name}`", *(seconds(name, "", what) for what in ("cpu", "compiling", "silence"))]
        for name in ON_TABLE
        if (name, "") in found
    ]
    every = [[*key, *(one[each] for each in KEPT)] for key, one in found.items()]
    done = [one for one in found.values() if not one["code"] or one["cpu"] > LIMIT]
    most = [
        ["longest command, CPU s", max(one["cpu"] for one in done)],
        ["longest silence, CPU s", max(one["silence"] for one in done)],
        ["compiling, all commands after one another, CPU s", sum(one["compiling"] for one in found.values())],
        ["compiling, the command with most of it, CPU s", max(one["compiling"] for one in found.values())],
    ]
    shown = ".1f"
    store(
        NAME,
        {
            "table": Table(TABLE_HEADS, on_table, dict.fromkeys(TABLE_HEADS[1:], shown)),
            "releases": Table(HEADS, releases, dict.fromkeys(HEADS[1:], shown)),
            "most": Table(["what", "seconds"], most, {"seconds": shown}),
            "all": Table(["command", "release", *KEPT], every, dict.fromkeys(KEPT[1:], ".2f")),
        },
        command="python -m benchmarks.waiting",
        packages=("tokumei", "numpy", "numba", "scikit-learn"),
    )


if __name__ == "__main__":
    main()
