"""Environments of other packages: each in a virtual environment of its own, made once with pinned versions and kept in the cache."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks import data
from benchmarks.stored import versions

INSTALL_LIMIT = 600  # seconds


@dataclass(frozen=True)
class Peer:
    """A package that a Python user would pick instead.

    Attributes
    ----------
    name
        Its name on the package index.
    requirements
        What is installed, with versions; without any, it is a dependency of ours, and our environment is used.
    licence
        As its own files say.
    told
        The packages whose installed versions are stored with results.
    """

    name: str
    requirements: tuple[str, ...]
    licence: str
    told: tuple[str, ...]


@dataclass(frozen=True)
class Environment:
    """Where a package is installed, in which versions; or why it is not."""

    python: Path
    versions: dict[str, str]
    failure: str | None = None


PEERS = {
    "anonypy": Peer("anonypy", ("anonypy==0.2.1", "pandas==2.3.3"), "MIT", ("anonypy", "pandas")),
    "anonypyx": Peer("anonypyx", ("anonypyx==0.2.11", "pandas==2.3.3"), "MIT", ("anonypyx", "pandas")),
    "anjana": Peer("anjana", ("anjana==1.2.3",), "Apache-2.0", ("anjana", "pycanon", "pandas")),
    "pycanon": Peer("pycanon", ("pycanon==1.3.6",), "Apache-2.0", ("pycanon", "pandas")),
    "multi-freq-ldpy": Peer(
        "multi-freq-ldpy",
        ("multi-freq-ldpy==0.2.5", "pandas==2.3.3", "scipy==1.17.1"),
        "MIT",
        ("multi-freq-ldpy", "numba"),
    ),
    "sdv": Peer("sdv", ("sdv==2.0.0", "pandas==2.3.3"), "BUSL-1.1", ("sdv", "copulas", "pandas")),
    "dpmm": Peer("dpmm", ("dpmm==0.1.9",), "Apache-2.0", ("dpmm", "opendp", "pandas")),
    "scikit-learn": Peer("scikit-learn", (), "BSD-3-Clause", ("scikit-learn",)),
    "tokumei": Peer("tokumei", (), "", ("tokumei", "numba")),
}


def environment(peer: Peer, folder: Path | None = None) -> Environment:
    """Return a peer's environment, made now if it is not there; a failure to make it is part of the answer."""
    if not peer.requirements:
        return Environment(Path(sys.executable), versions(peer.told))
    home = (folder or data.cache() / "peers") / f"{peer.name}-{_mark(peer)}"
    python, made = home / "bin" / "python", home / "made.json"
    if not made.exists():
        shutil.rmtree(home, ignore_errors=True)
        home.parent.mkdir(parents=True, exist_ok=True)
        print(f"installing {', '.join(peer.requirements)} (once) ...", file=sys.stderr, flush=True)
        for command in (
            [sys.executable, "-m", "venv", str(home)],
            [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *peer.requirements],
        ):
            failure = _failure(command)
            if failure is not None:
                shutil.rmtree(home, ignore_errors=True)
                return Environment(python, {}, f"could not be installed: {failure}")
        made.write_text(json.dumps(_installed(python, peer.told)), encoding="utf-8")
    return Environment(python, json.loads(made.read_text(encoding="utf-8")))


def _mark(peer: Peer) -> str:
    """Tell environments of other versions and other Pythons apart."""
    text = "\n".join([platform.python_version(), *peer.requirements])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _failure(command: list[str]) -> str | None:
    """Run a step of an installation; return the last line of its own error if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return f"not done after {INSTALL_LIMIT} s"
    return None if done.returncode == 0 else last_line(done.stderr) or f"exit status {done.returncode}"


def _installed(python: Path, packages: tuple[str, ...]) -> dict[str, str]:
    code = "import importlib.metadata as m, json, sys; print(json.dumps({p: m.version(p) for p in sys.argv[1:]}))"
    done = subprocess.run([str(python), "-I", "-c", code, *packages], capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
