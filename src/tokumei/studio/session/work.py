"""One person's work on one table: its states, the way back through them, and the same as a plan, a program or a project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.errors import DataError, InvalidParameter
from tokumei.plan import Output, Plan
from tokumei.plan.draft import default_output
from tokumei.plan.script import plan_script
from tokumei.progress import stop_if_asked
from tokumei.studio.session.cache import Cache
from tokumei.studio.session.columns import as_quantity
from tokumei.studio.session.history import Entry, History
from tokumei.studio.session.opening import Opened
from tokumei.studio.session.project import Project, project_text
from tokumei.studio.session.rows import HeldRows
from tokumei.studio.session.state import State
from tokumei.table.coded import CodedTable
from tokumei.table.schema import DROPPED, Attribute, Role, observed_attribute
from tokumei.text import names, nearest
from tokumei.words import Words

PLAN_FILE = "plan.toml"
CHANGEABLE = ("schema", "method", "prepare", "seed", "pinned", "duties", "population")


class Work:
    """The table, what would be done with it, and every step that led there.

    Every change is a new `State` in a history that can be gone back; what cannot be leaves everything as it was.
    """

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self._held = Cache[HeldRows](2)  # of the state now, and of the one before other cells were missing
        self._history = History(State(opened.source, opened.schema))
        self.n_rows = self.table.num_rows  # what cannot be read is said now

    def _go_on(self, project: Project) -> None:
        there, known = self.table.column_names, list(project.state.schema.names())
        if sorted(there) != sorted(known):
            raise DataError("The table of this project has other columns now; open it anew.")
        entries = [replace(each, state=self._here(each.state)) for each in project.entries]
        state = entries[project.now].state
        self._rows(state).coded(state.schema, state.prepare)
        self._history = History(entries[0].state, *entries[1:], now=project.now)

    def _here(self, state: State) -> State:
        """Return a state of a project with the rows where they are now; which cells are missing is its own."""
        return replace(state, source=replace(self.opened.source, missing=state.source.missing))

    def as_project(self) -> str:
        """Return the work as the text of a project file: states and where the rows are, never the rows."""
        opened, path = self.opened, self.state.source.path
        size = Path(path).stat().st_size if path is not None and Path(path).is_file() else None
        return project_text(opened.name, opened.kind, self.n_rows, size, dict(opened.why), self.history, self.place)

    def take_plan(self, plan: Plan) -> State:
        """Take the columns, the steps and the method of a plan that was written for this table."""
        there, known = self.table.column_names, list(plan.schema.names())
        if sorted(there) != sorted(known):
            raise InvalidParameter(
                "The plan is for a table with other columns: {columns}.",
                columns=names(sorted(set(there) ^ set(known))),
            )
        return self.change(schema=plan.schema, method=plan.method, prepare=plan.prepare)

    def close(self) -> None:
        """Remove the private copy of the table, if there is one."""
        if self.opened.held is not None:
            self.opened.held.cleanup()

    # What would be done, and what was done before.

    @property
    def state(self) -> State:
        """What would be done now."""
        return self._history.state

    @property
    def history(self) -> tuple[Entry, ...]:
        """Every step, those taken back included; `place` says which is now."""
        return self._history.entries

    def told(self, words: Words) -> list[str]:
        """Say every step of the history in words."""
        return [words("history_opened", name=self.name), *self._history.told(words)]

    @property
    def place(self) -> int:
        """Which step of the history is now."""
        return self._history.place

    def change(self, *, label: str | None = None, **parts: Any) -> State:
        """Change parts of the state: ``schema``, ``method``, ``prepare``, ``seed``, ``pinned``, ``duties`` or ``population``.

        It is checked first, also against the rows; what cannot be leaves everything as it was.
        """
        for name in parts:
            if name not in CHANGEABLE:
                raise InvalidParameter("{name!r} cannot be changed.{hint}", name=name, hint=nearest(name, CHANGEABLE))
        return self._go(replace(self.state, **parts), label)

    def _go(self, changed: State, label: str | None = None) -> State:
        now = self.state
        if (changed.schema, changed.prepare, changed.source) != (now.schema, now.prepare, now.source):
            self._rows(changed).coded(changed.schema, changed.prepare)
        stop_if_asked()
        return self._history.push(changed, label)

    def describe(self, attribute: Attribute) -> State:
        """Describe one column anew."""
        return self.change(schema=self.state.schema.replacing(attribute))

    def give_role(self, name: str, role: Role) -> State:
        """Give a column a role; one without a domain has it read from the rows, and the release will say so."""
        attribute = self.state.schema[name]
        if attribute.domain is None and role not in DROPPED:
            return self.describe(observed_attribute(name, self.table.column(name), role))
        most = attribute.most if role == "person" else None
        missing = attribute.missing and role != "person"  # where cells of it are missing, the rows are refused
        return self.describe(replace(attribute, role=role, most=most, missing=missing))

    def declare_quantity(self, name: str, quantity: bool) -> State:
        """Declare that a column of numbers is a quantity, so that means of it may be released, or that it is none."""
        return self.describe(as_quantity(self.state.schema[name], self.table.column(name), quantity))

    def undo(self) -> State:
        """Take the last step back."""
        return self._history.move(-1)

    def redo(self) -> State:
        """Take the step that was taken back again."""
        return self._history.move(1)

    def go_to(self, place: int) -> State:
        """Go to any step of the history."""
        return self._history.move(place - self.place)

    # The same as a plan, a program and a command.

    @property
    def name(self) -> str:
        """What the table is called: the name of its file, or of its table."""
        return self.opened.name

    def plan(self, *, portable: bool = False) -> Plan:
        """Return the state as a plan; with ``portable`` a private copy goes by the name that its owner knows."""
        state = self.state
        if state.method is None:
            raise InvalidParameter("Choose a method first; without one there is nothing to run.")
        source = state.source
        if portable and self.opened.held is not None:
            source = replace(source, path=self.name)
        return Plan(source, state.schema, state.method, state.prepare, Output(default_output(Path(self.name))))

    def as_toml(self) -> str:
        """Return the plan as a file for ``tokumei anonymize``."""
        return f"# {self._where()}Run it with: {self.as_cli()}\n\n{self.plan(portable=True).to_toml()}"

    def as_python(self) -> str:
        """Return a program that does the same."""
        beside = self._where()
        return f"{f'# {beside.strip()}' + chr(10) if beside else ''}{plan_script(self.plan(portable=True), self.state.seed)}"

    def as_cli(self) -> str:
        """Return the command that carries out the plan file."""
        seed = "" if self.state.seed is None else f" --seed {self.state.seed}"
        return f"tokumei anonymize {PLAN_FILE}{seed}"

    def _where(self) -> str:
        return "" if self.opened.held is None else f"Put this file next to {_line(self.name)}. "

    @property
    def rows(self) -> HeldRows:
        """The rows of the state."""
        return self._rows(self.state)

    def _rows(self, state: State | Plan) -> HeldRows:
        return self._held.get(state.source, lambda: HeldRows(state.source))

    @property
    def table(self) -> pa.Table:
        """The rows as they came."""
        state = self.state
        return self._rows(state).table(state.schema)

    @property
    def coded(self) -> CodedTable:
        """The rows as codes, prepared."""
        state = self.state
        return self._rows(state).coded(state.schema, state.prepare)


def _line(text: str) -> str:
    """Return text as it may stand in a comment: in one line."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
