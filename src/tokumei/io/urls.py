"""Addresses of databases: which kinds there are, and that none holds a secret."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from tokumei.errors import InvalidParameter
from tokumei.files import is_plain

Kind = Literal["postgresql", "sqlite", "duckdb"]
SECRETS = {"password", "passwd", "pwd", "sslpassword", "passfile", "token", "secret"}


def check_url(url: str) -> None:
    """Refuse an address of an unknown kind, and one with a password in it.

    >>> check_url("postgresql://clerk:geheim@server/census")
    Traceback (most recent call last):
    tokumei.errors.InvalidParameter: a database address must not contain a password; use PGPASSWORD, ~/.pgpass or a service file.
    """
    kind_of_url(url)
    try:
        parts = urlsplit(url)
        told = {name.lower() for name, _ in parse_qsl(parts.query)}
    except ValueError:
        raise InvalidParameter("the database address is not valid.") from None
    if parts.password is not None or told & SECRETS:
        raise InvalidParameter(
            "a database address must not contain a password; use PGPASSWORD, ~/.pgpass or a service file."
        )


def kind_of_url(url: str) -> Kind:
    """Name the kind of database."""
    scheme = url.split("://", 1)[0].lower() if "://" in url else ""
    if scheme in {"postgresql", "postgres"}:
        return "postgresql"
    if scheme == "sqlite":
        return "sqlite"
    if scheme == "duckdb":
        return "duckdb"
    raise InvalidParameter("a database address looks like postgresql://…, sqlite:///file or duckdb:///file.")


def file_of(url: str, folder: Path) -> Path:
    """Return the file of a database that is one; a path with one slash more is absolute, others are relative to ``folder``.

    >>> file_of("sqlite:///people.db", Path("home")).as_posix(), file_of("duckdb:////data/x.db", Path("home")).as_posix()
    ('home/people.db', '/data/x.db')
    """
    path = unquote(url.split("://", 1)[1]).removeprefix("/")
    if not path:
        raise InvalidParameter("the database needs a file, as in sqlite:///people.db.")
    return folder / path


def name_parts(table: str) -> tuple[str, str]:
    """Return the schema and the name of a table; ``schema.table`` is two names, and without a dot the schema is empty.

    >>> name_parts("census.people"), name_parts("people")
    (('census', 'people'), ('', 'people'))
    >>> name_parts(".people")
    Traceback (most recent call last):
    tokumei.errors.InvalidParameter: '.people' cannot be the name of a table; write table, or schema.table.
    """
    space, dot, name = table.rpartition(".")
    if not name or (dot and not space) or "." in space or not is_plain(table):
        raise InvalidParameter("{table!r} cannot be the name of a table; write table, or schema.table.", table=table)
    return space, name


def quoted(table: str) -> str:
    """Quote the name of a table."""
    return ".".join(quoted_name(part) for part in name_parts(table) if part)


def quoted_name(name: str) -> str:
    """Quote the name of a column, whatever characters it has."""
    return '"' + name.replace('"', '""') + '"'


def select_all(table: str) -> str:
    """Return the query that gives every row of a table.

    >>> select_all("census.people")
    'SELECT * FROM "census"."people"'
    """
    return f"SELECT * FROM {quoted(table)}"
