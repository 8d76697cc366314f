"""Where benchmarks find their tables: the folder that TOKUMEI_DATA names, or, for Adult, a checked download.

Adult (48,842 people of the 1994 census of the United States) is from the UCI Machine Learning Repository, CC BY 4.0. Without
the folder its two files are fetched once, compared with their known SHA-256, and kept as one CSV file in the user's cache.
Census and Tarragona are reference tables of the CASC project, and Adult's hierarchies are examples of ARX: these are read from the folder only.
"""

from __future__ import annotations

import hashlib
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

COLUMNS = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
    "capital-gain,capital-loss,hours-per-week,native-country,income"
)
SOURCE = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/"
PARTS = {
    "adult.data": "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
    "adult.test": "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
}


def named() -> Path | None:
    """The folder that TOKUMEI_DATA names, if it names one."""
    name = os.environ.get("TOKUMEI_DATA")
    return Path(name) if name else None


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tokumei"


def path(name: str) -> Path:
    """Return where a file of the data folder lies, or end with a sentence that says how to get it."""
    folder = named()
    if folder is None:
        sys.exit(f"This benchmark needs {name}: set TOKUMEI_DATA to the folder that holds it.")
    if not (folder / name).exists():
        sys.exit(f"The folder that TOKUMEI_DATA names has no {name}.")
    return folder / name


def adult() -> Path:
    """Return where Adult lies as one CSV file with a header, training rows first; fetch it if need be."""
    if named() is not None:
        return path("adult.csv")
    kept = cache() / "adult.csv"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        half = kept.with_suffix(".part")
        half.write_text(joined({name: fetch(name) for name in PARTS}), encoding="utf-8")
        half.replace(kept)
    return kept


def fetch(name: str) -> bytes:
    """Fetch one file and compare it with its known SHA-256."""
    advice = f"Fetch {' and '.join(PARTS)} from the UCI Machine Learning Repository by hand, join them with the header\n{COLUMNS}\nas adult.csv, and set TOKUMEI_DATA to its folder."
    try:
        with urllib.request.urlopen(SOURCE + name, timeout=30) as answer:
            content: bytes = answer.read()
    except (urllib.error.URLError, TimeoutError) as problem:
        sys.exit(f"Adult could not be fetched ({getattr(problem, 'reason', problem)}). {advice}")
    if hashlib.sha256(content).hexdigest() != PARTS[name]:
        sys.exit(f"What was fetched as {name} is not the file known under that name. {advice}")
    return content


def joined(parts: dict[str, bytes]) -> str:
    """Join the two files into one: the second has a line of its own at the top, and a point after every target."""
    lines = [COLUMNS]
    for content in parts.values():
        rows = [line for line in content.decode("ascii").splitlines() if line and not line.startswith("|")]
        lines += [row.replace(", ", ",").removesuffix(".") for row in rows]
    return "\n".join(lines) + "\n"
