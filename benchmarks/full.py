"""Everything: the board, the peers, every paper's program, the other programs that store figures, and then the pages.

    python -m benchmarks.full            all of it, stored; hours on a small machine
    python -m benchmarks.full --list     only say what would be run

A paper's program is a file of `benchmarks/papers` that can be run. One that fails does not stop the others; what failed is said at the end.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
MAIN = 'if __name__ == "__main__":'
OTHERS = (
    "methods",
    "first_call",
    "large",
    "groups",
    "groups told",
    "local_recoding",
    "full_domain",
    "local_suppression",
    "encoders accuracy 3",
    "encoders learners",
    "encoders weighted",
    "amplification",
    "central",
    "coverage cells",
    "coverage bins",
    "coverage honest",
    "coverage regressions",
    "coverage population",
    "telling errors",
    "telling numbers",
    "declared_prior",
    "one_thing_a_row adult",
    "one_thing_a_row census",
    "every_release",
    "expected",
    "every_release areas",
    "every_release boxes",
    "wide_groups 3",
    "long_columns 3",
    "ordered_columns 6",
    "completed rows",
    "completed starts",
    "completed cost",
    "drafts",
    "tutorials marriage",
    "tutorials health",
    "tutorials election",
    "tutorials labour",
    "studio --store",
    "large_frontier --store",
    "recommend regret adult",
    "recommend regret census",
    "recommend cost",
    "pilot_alone",
    "pooling told",
    "pooling boxes",
    "real_regressions",
    "adult_regressions",
    "regressions",
    "repeated",
    "capabilities --spark",
    "spark",
    "stream --rows 10000000",
    "stream --curve",
    "stream --held --rows 1000000",
    "vectors",
    "waiting",
    "jobs",
)


def programs(folder: Path = HERE / "papers") -> list[str]:
    """The modules of a folder that can be run, by name."""
    return [
        f"benchmarks.papers.{file.stem}"
        for file in sorted(folder.glob("[!_]*.py"))
        if MAIN in file.read_text(encoding="utf-8")
    ]


def steps() -> list[list[str]]:
    """What is run, in order: the pages last."""
    modules = [["benchmarks.board", "--store"], ["benchmarks.peers"], *([name] for name in programs())]
    others = [f"benchmarks.{command}".split() for command in OTHERS]
    return [*modules, *others, ["benchmarks.stored"]]


def main() -> int:
    if "--list" in sys.argv:
        print("\n".join(" ".join(["python -m", *step]) for step in steps()))
        return 0
    failed = []
    for step in steps():
        print(" ".join(["python -m", *step]), flush=True)
        if subprocess.run([sys.executable, "-m", *step], cwd=HERE.parent, check=False).returncode != 0:
            failed.append(step[0])
    if failed:
        print(f"Not well: {', '.join(failed)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
