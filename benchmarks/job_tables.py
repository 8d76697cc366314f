"""The tables of whole jobs: seconds and memory by size, growth in rows and columns, and the largest table done in ten minutes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.stored import Table, store

TEN_MINUTES = 600.0
ELSEWHERE = [
    ["sdcMicro (R), MDAV", "100,000 × 10", "50 s", "measured on another machine in this project's feasibility study, and not repeated here"],
    ["ARX (Java), first release of a small table", "a few thousand rows", "4 to 5 s", "told by a user, and not measured by us"],
]  # fmt: skip
Found = Mapping[tuple[Any, ...], Sequence[Any]]


def keep(found: Found, jobs: Sequence[tuple[str, str]], rows: Sequence[int], columns: Sequence[int]) -> None:
    """Store every cell, and what the page shows of them; a cell that nobody measured is named as such."""
    sizes = [(count, wide) for wide in columns for count in rows]
    heads = ["job", "method", *(f"{count:,} × {wide}" for count, wide in sizes)]
    seconds, times, memory, growth, missing = [], [], [], [], []
    for job, method in jobs:
        cells = {size: found.get((job, method, *size)) for size in sizes}
        seconds.append([job, method, *(_seconds(cells[size]) for size in sizes)])
        lacking = [f"{c:,} × {w}" for (c, w), cell in cells.items() if cell is None]
        missing += [[job, method, "; ".join(lacking)]] if lacking else []
        base = {size: found.get(("read and code", "", *size)) for size in sizes}
        times.append([job, method, *(_times(cells[size], base[size]) for size in sizes)])
        memory.append([job, method, *(_memory(cells[size], found, size) for size in sizes)])
        growth.append([job, method, *_growth(cells, found, rows, columns)])
    facts = dict.fromkeys(heads[2:], ".1f")
    grown = ["job", "method", "in rows, × 8", "in rows, × 30", "in columns", "rows × 8 in ten minutes"]
    store(
        "jobs",
        {
            "seconds": Table(heads, seconds, facts),
            "times": Table(heads, times, facts),
            "memory": Table(heads, memory, facts),
            "growth": Table(grown, growth, dict.fromkeys(grown[2:5], ".2f")),
            "elsewhere": Table(["program", "table", "time", "source"], ELSEWHERE),
            "missing": Table(["job", "method", "not measured at"], missing or [["every job", "", "nothing"]]),
            "all": Table(
                ["job", "method", "rows", "columns", "ended", "CPU, s", "MiB", "table, MiB"],
                [[*key, *cell] for key, cell in found.items()],
                {"CPU, s": ".2f", "MiB": ".0f", "table, MiB": ".1f"},
            ),
        },
        command="python -m benchmarks.jobs",
        seeds=[0],
        packages=("tokumei", "numpy", "numba", "pyarrow"),
    )


def _seconds(cell: Sequence[Any] | None) -> Any:
    return None if cell is None else cell[1] if cell[0] == "done" else cell[0]


def _times(cell: Sequence[Any] | None, base: Sequence[Any] | None) -> Any:
    """Say a cell in times of reading and coding the same file."""
    if cell is None or base is None or cell[0] != "done" or base[0] != "done":
        return None
    return cell[1] / base[1]


def _memory(cell: Sequence[Any] | None, found: Found, size: tuple[int, int]) -> Any:
    """Say the memory that a cell needed beyond a bare start, in times of the table as Arrow holds it."""
    start = found.get(("start", "", *size))
    if cell is None or start is None or cell[0] != "done":
        return None
    return max(0.0, cell[2] - start[2]) / cell[3]


def _net(cell: Sequence[Any] | None, found: Found, size: tuple[int, int]) -> float | None:
    """Return the seconds of a cell beyond a bare start, where it was done and they can be told from nothing."""
    start = found.get(("start", "", *size))
    if cell is None or start is None or cell[0] != "done":
        return None
    return cell[1] - start[1] if cell[1] - start[1] > 0.1 else None


def _growth(
    cells: Mapping[tuple[int, int], Sequence[Any] | None], found: Found, rows: Sequence[int], columns: Sequence[int]
) -> list[Any]:
    net = {size: _net(cell, found, size) for size, cell in cells.items()}

    def slope(small: tuple[int, int], large: tuple[int, int], by: float) -> float | None:
        one, other = net[small], net[large]
        return None if one is None or other is None else math.log(other / one) / math.log(by)

    made: list[float | None] = []
    for wide in columns:
        done = [count for count in rows if net[count, wide] is not None]
        made.append(slope((done[-2], wide), (done[-1], wide), done[-1] / done[-2]) if len(done) > 1 else None)
    both = [count for count in rows if all(net[count, wide] is not None for wide in columns)]
    across = slope((both[-1], columns[0]), (both[-1], columns[-1]), columns[-1] / columns[0]) if both else None
    return [*made, across, _largest(net, rows, columns[0], made[0])]


def _largest(
    net: Mapping[tuple[int, int], float | None], rows: Sequence[int], wide: int, slope: float | None
) -> str | None:
    """Extrapolate from the largest cell by the measured growth, taken to be at least linear."""
    done = [count for count in rows if net[count, wide] is not None]
    if not done or slope is None:
        return None
    last = net[done[-1], wide]
    assert last is not None
    many = done[-1] * (TEN_MINUTES / last) ** (1 / max(slope, 1.0))
    digits = 10 ** max(0, math.floor(math.log10(many)) - 1)
    return f"{int(many // digits * digits):,} (extrapolated)"
