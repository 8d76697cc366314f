"""The session: one person's work on one table. Every change is a new state, and every state is a plan."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from tokumei.plan import Plan
from tokumei.studio.session.chosen import Chosen
from tokumei.studio.session.comparing import Comparing
from tokumei.studio.session.opening import (
    LARGEST_UPLOAD,
    open_example,
    open_plan,
    open_table,
    receive,
    reopen,
)
from tokumei.studio.session.project import Project


class Session(Comparing):
    """One person's work on one table.

    What it returns is for the data holder of the table. Reading is safe from several threads; every change is a new `State` in
    a history that can be gone back.

    Examples
    --------
    >>> import tokumei as tk
    >>> with Session.example(rows=500) as session:
    ...     state = session.change(method=tk.Generalization(k=5))
    ...     session.undo().method, session.redo().method
    (None, Generalization(k=5, ...))
    """

    @classmethod
    def example(cls, rows: int = 12_000) -> Session:
        """Open the example: people who do not exist, with a schema that is right."""
        return cls(open_example(rows))

    @classmethod
    def open(
        cls, place: str | Path, table: str | None = None, delimiter: str | None = None, encoding: str = "utf-8"
    ) -> Session:
        """Open a CSV or Parquet file, or a table of a database.

        Parameters
        ----------
        place
            The path of the file, or ``postgresql://…``, ``sqlite:///file`` or ``duckdb:///file``.
        table
            The table of a database.
        delimiter, encoding
            How a CSV file is written; the delimiter is told by its first line.
        """
        return cls(open_table(place, table, delimiter, encoding))

    @classmethod
    def receive(
        cls,
        given: Path,
        name: str,
        delimiter: str | None = None,
        encoding: str = "utf-8",
        limit: int = LARGEST_UPLOAD,
    ) -> Session:
        """Open a file that somebody sent: it is moved to a private folder, and removed when the session is closed."""
        return cls(receive(given, name, delimiter, encoding, limit))

    @classmethod
    def open_chosen(cls, chosen: Chosen) -> Session:
        """Open a file that was looked at first, as it was said to be written."""
        made = cls(chosen.open())
        chosen.leave()
        return made

    @classmethod
    def open_plan(cls, plan: Plan) -> Session:
        """Open the table of a plan, with the plan as the first step."""
        made = cls(open_plan(plan))
        try:
            made.take_plan(plan)
        except BaseException:
            made.close()
            raise
        return made

    @classmethod
    def reopen(cls, project: Project, given: Path | None = None) -> Session:
        """Go on with a project; a table that was handed over has to be ``given`` again."""
        made = cls(reopen(project, given))
        try:
            made._go_on(project)
        except BaseException:
            made.close()
            raise
        return made

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
