"""A PostgreSQL server of the tests' own: started once, on a socket in a temporary folder, and gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


def program(name: str) -> str:
    """Find a program of PostgreSQL, which Debian keeps out of the path."""
    found = shutil.which(name) or next(
        (str(path) for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None
    )
    assert found, f"{name} is not installed; run scripts/system-packages"
    return found


def as_somebody() -> list[str]:
    """Run as another user where we are root: the server refuses to be run by root."""
    if os.geteuid() != 0:
        return []
    user = "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
    found = pwd.getpwnam(user)
    return ["setpriv", f"--reuid={found.pw_uid}", f"--regid={found.pw_gid}", "--clear-groups"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Return the address of an empty database on a running server."""
    home = Path(tempfile.mkdtemp(prefix="tk-"))
    before = as_somebody()
    if before:
        os.chown(home, int(before[1].split("=")[1]), int(before[2].split("=")[1]))
    data = home / "data"

    def do(*command: str) -> None:
        done = subprocess.run([*before, *command], cwd=home, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    do(program("initdb"), "-D", str(data), "-U", "clerk", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
    options = f"-k {home} -c listen_addresses='' -c fsync=off"
    do(program("pg_ctl"), "-D", str(data), "-l", str(home / "log"), "-o", options, "-w", "-t", "600", "start")
    try:
        yield f"postgresql://clerk@/postgres?host={home}"
    finally:
        do(program("pg_ctl"), "-D", str(data), "-m", "immediate", "-t", "600", "stop")
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(params=["postgresql", "sqlite", "duckdb"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Every kind of database in turn, empty."""
    if request.param != "postgresql":
        yield f"{request.param}:///{tmp_path / 'rows.db'}"
        return
    url = request.getfixturevalue("postgres")
    yield url
    from tokumei.io.databases import connect

    opened = connect(url, tmp_path, new=True)
    opened.execute("DROP SCHEMA public CASCADE")
    opened.execute("CREATE SCHEMA public")
    opened.commit()
    opened.close()
