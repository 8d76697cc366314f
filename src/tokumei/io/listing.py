"""Which tables a database has."""

from __future__ import annotations

from pathlib import Path

from tokumei.errors import DataError, InvalidParameter
from tokumei.io.databases import opened
from tokumei.io.urls import kind_of_url, name_parts
from tokumei.messages import phrase

# The schema, empty where a table is found without it, and the name of everything that rows can be read from.
LISTINGS = {
    "postgresql": (
        "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE n.nspname::text END AS space, c.relname::text AS name "
        "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition "  # parts are read with their table
        "AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' "
        "AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')"
    ),
    "sqlite": (
        "SELECT '' AS space, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ),
    "duckdb": (
        "SELECT CASE WHEN table_schema = current_schema() THEN '' ELSE table_schema END AS space, table_name AS name "
        "FROM information_schema.tables WHERE table_catalog = current_database() "
        "AND table_schema NOT IN ('information_schema', 'pg_catalog')"
    ),
}


def list_tables(url: str, folder: Path = Path()) -> tuple[str, ...]:
    """List the tables and views of a database that its user may read, as ``Source(table=…)`` takes them, sorted.

    ``schema.table`` stands for a table that is not found by its name alone. Tables of the system are left out, and those
    whose name no plan can tell (a dot in a name separates schema and table).

    Parameters
    ----------
    url
        The address of the database: ``postgresql://…``, ``sqlite:///file`` or ``duckdb:///file``.
    folder
        Where a file without an absolute path is looked for.

    Raises
    ------
    DataError
        If the database cannot be read.

    Examples
    --------
    >>> import sqlite3, tempfile
    >>> file = Path(tempfile.mkdtemp()) / "people.db"
    >>> for name in ("people", "homes"):
    ...     with sqlite3.connect(file) as made:
    ...         _ = made.execute(f"CREATE TABLE {name} (age INTEGER)")
    >>> list_tables(f"sqlite:///{file}")
    ('homes', 'people')
    """
    with opened(url, folder, phrase("The tables of the database cannot be listed"), DataError) as database:
        found = database.rows(LISTINGS[kind_of_url(url)]).read_all()
        spaces, names = found.column("space").to_pylist(), found.column("name").to_pylist()
        pairs = zip(spaces, names, strict=True)
        return tuple(sorted(".".join(filter(None, pair)) for pair in pairs if _can_be_told(*pair)))
    raise AssertionError


def _can_be_told(space: str, name: str) -> bool:
    """Whether a plan can name a table so that the same table is found."""
    try:
        return name_parts(f"{space}.{name}" if space else name) == (space, name)
    except InvalidParameter:
        return False
