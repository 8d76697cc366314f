"""How many columns of messy survey tables a draft gives the role that a careful officer would give them.

    python -m benchmarks.drafts

Ten tables were at hand when the rules were written; three more were written afterwards and did not change them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.stored import Table, store
from tests.plan.surveys import HELD_OUT, SURVEYS, written
from tokumei.io.source import read_to_draft
from tokumei.plan.draft import suggest_role

COLUMNS = ("table", "columns", "right", "share")


def right(name: str) -> tuple[int, int, list[str]]:
    """Draft the roles of one table; return its columns, how many are right, and those that are not."""
    with tempfile.TemporaryDirectory() as folder:
        file, encoding, roles = written(name, Path(folder))
        table, _ = read_to_draft(file, encoding=encoding)
    wrong = [column for column, role in roles.items() if suggest_role(column, table.column(column)) != role]
    return len(roles), len(roles) - len(wrong), wrong


def main() -> None:
    """Measure all tables, print what is wrong, and store the shares."""
    rows = []
    for title, tables in (("all ten", SURVEYS), ("all three, unseen", HELD_OUT)):
        counted = {name: right(name) for name in tables}
        for name, (columns, good, wrong) in counted.items():
            rows.append((name, columns, good, good / columns))
            print(f"{name}: {good} of {columns}", *(f"  wrong: {each}" for each in wrong), sep="\n")
        columns, good = (sum(each[at] for each in counted.values()) for at in (0, 1))
        rows.append((title, columns, good, good / columns))
    store("drafts", {"roles": Table(COLUMNS, rows, {"share": ".0%"})}, command="python -m benchmarks.drafts", seeds=[5])


if __name__ == "__main__":
    main()
