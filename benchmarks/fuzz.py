"""Attack everything that comes in, guided by the code that each input reaches.

python -m benchmarks.fuzz [TARGET ...] [--seconds N] [--findings FOLDER]

It needs atheris (pip install atheris). Every finding, an error that is no `TokumeiError`, a hang or much memory, is told once for each place
in the code and kept as a file in the folder of findings; ``--again FILE`` attacks one target with that file.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tokumei.errors import MissingDependency

MEMORY = 2048  # MiB that the whole process may take, most of which are libraries
ROOT = Path(__file__).parent.parent


def place_of(error: BaseException) -> str:
    """Say where an error comes from: its kind and the last lines of our own code."""
    ours = [step for step in traceback.extract_tb(error.__traceback__) if "/tokumei/" in step.filename]
    ours = [step for step in ours if step.name != "raise_alone"]
    steps = ours[-2:] or traceback.extract_tb(error.__traceback__)[-1:]
    return f"{type(error).__name__} at " + " < ".join(f"{Path(s.filename).name}:{s.lineno}" for s in reversed(steps))


def attack_forever(name: str, seconds: int, findings: Path) -> None:
    """Attack one target in this process until the time is up; atheris ends the process."""
    import atheris

    kernels = [
        str(file.relative_to(ROOT / "src").with_suffix("")).replace(os.sep, ".")
        for file in (ROOT / "src").rglob("*.py")
        if "njit" in file.read_text(encoding="utf-8")  # which is compiled from what the guide would change
    ]
    with atheris.instrument_imports(include=["tokumei", "tomllib"], exclude=kernels):
        from benchmarks.fuzz_targets import TARGETS, attacked

        target = TARGETS[name]
        seeds = target.seeds()
        for seed in seeds:
            attacked(target, seed)  # everything is loaded and compiled before the time of an input counts
    seen: dict[str, int] = {}
    counts = {"runs": 0, "refused": 0}

    def once(data: bytes) -> None:
        began = time.monotonic()
        counts["runs"] += 1
        problem = None
        try:
            counts["refused"] += attacked(target, data) is not None
        except Exception as error:  # noqa: BLE001  (each kind is a finding)
            problem = f"{place_of(error)}: {str(error)[:100]!r}"
        taken = time.monotonic() - began
        if problem is None and taken > target.patience:
            problem = f"slow input at {taken:.0f} s"
        if problem is not None:
            where = problem.split(": ")[0]
            if where not in seen:
                file = findings / f"{name}-{len(seen)}"
                file.write_bytes(data)
                print(f"FINDING {name}: {problem} ({file})", flush=True)
            seen[where] = seen.get(where, 0) + 1
        print(f"RUNS {counts['runs']} REFUSED {counts['refused']}", flush=True) if counts["runs"] % 100 == 0 else None

    with tempfile.TemporaryDirectory() as corpus:
        for place, seed in enumerate(seeds):
            Path(corpus, str(place)).write_bytes(seed)
        options = [
            f"-max_total_time={seconds}",
            f"-timeout={4 * target.patience}",
            f"-rss_limit_mb={MEMORY}",
            f"-max_len={target.longest}",
            f"-artifact_prefix={findings}/{name}-",
        ]
        atheris.Setup([sys.argv[0], *options, corpus], once)
        atheris.Fuzz()


def row_of(name: str, seconds: int, findings: Path) -> tuple[str, int]:
    """Attack one target in a process of its own; return a row of the table, and how many findings there were."""
    command = [sys.executable, "-m", "benchmarks.fuzz", name, "--inside", str(seconds), str(findings)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=ROOT, check=False)
    said = done.stdout + done.stderr
    found = [line for line in said.splitlines() if line.startswith("FINDING")]
    if done.returncode:
        what = re.search(r"ERROR: libFuzzer: ([\w -]+)", said)
        found.append(f"FINDING {name}: {what.group(1) if what else said[-2000:]} (exit code {done.returncode})")
    for line in found:
        print(line, flush=True)
    runs, refused = (re.findall(r"^RUNS (\d+) REFUSED (\d+)$", said, re.MULTILINE) or [("0", "0")])[-1]
    reached = (re.findall(r" cov: (\d+)", said) or ["?"])[-1]
    return f"| {name} | {int(runs):,} | {int(refused):,} | {reached} | {len(found)} |", len(found)


def main() -> int:
    """Attack the targets one after the other, and print a table."""
    if "--inside" in sys.argv:  # nothing may be loaded before the guide looks on
        name, _, seconds, findings = sys.argv[1:]
        attack_forever(name, int(seconds), Path(findings))
    from benchmarks.fuzz_targets import TARGETS, attacked

    parser = argparse.ArgumentParser(description="Attack everything that comes in.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"Some of {', '.join(TARGETS)}; all without one.")
    parser.add_argument("--seconds", type=int, default=60, help="How long to attack each target.")
    parser.add_argument("--findings", type=Path, default=Path("findings"), help="Where inputs that broke something go.")
    parser.add_argument("--again", type=Path, help="Attack once with this file.")
    given = parser.parse_args()
    unknown = [name for name in given.targets if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target {unknown[0]!r}; targets are {', '.join(TARGETS)}.")
    if given.again is not None:
        print(attacked(TARGETS[given.targets[0]], given.again.read_bytes()))
        return 0
    try:
        import atheris  # noqa: F401
    except ImportError:
        raise MissingDependency("The fuzzer needs atheris; install it with: pip install atheris.") from None
    given.findings.mkdir(parents=True, exist_ok=True)
    print("| target | inputs | refused in a sentence | places reached | findings |\n|---|---|---|---|---|", flush=True)
    total = 0
    for name in given.targets or TARGETS:
        row, found = row_of(name, given.seconds, given.findings.resolve())
        print(row, flush=True)
        total += found
    with contextlib.suppress(OSError):
        given.findings.rmdir()  # where nothing was found
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
