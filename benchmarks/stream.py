"""Tables larger than memory: what streaming costs, as ratios against a peer or a bound measured in the same run.

    python -m benchmarks.stream                  5 million rows
    python -m benchmarks.stream --rows 50000000
    python -m benchmarks.stream --curve          time and memory over the number of rows, beside the local engine; draws them too
    python -m benchmarks.stream --held           methods that look at all rows, on a stream and in memory
    python -m benchmarks.stream --draw           draw what the last curve found (docs/pictures/how_big.csv)

Every line is measured in processes of its own, so that the peak memory is that of one task; CPU seconds are those of the
process and its threads. A ratio is the median over rounds in which every task is measured once. The ratios are stored, see
benchmarks/stored.py. The scratch folder is `TOKUMEI_SCRATCH`, or the system's.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console

from benchmarks import stored

COLUMNS = {  # like columns of Adult: how many values, and whether they are labels
    "age": (74, False),
    "workclass": (9, True),
    "education": (16, False),
    "marital": (7, True),
    "occupation": (15, True),
    "race": (5, True),
    "sex": (2, True),
    "hours": (99, False),
    "region": (42, True),
    "income": (6, True),
}
EIGHT = list(COLUMNS)[:8]
PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
CURVES, PICTURE = PICTURES / "how_big.csv", PICTURES / "how_big.svg"


def labels(name: str) -> list[str]:
    return [f"{name} {i}" for i in range(COLUMNS[name][0])]


def make(file: Path, rows: int) -> None:
    """Write rows that have about as many classes as Adult's, drawn again with some noise."""
    rng = np.random.default_rng(0)
    people = {name: rng.integers(0, size, 30_000) for name, (size, _) in COLUMNS.items()}
    writer = None
    for low in range(0, rows, 1_000_000):
        count = min(1_000_000, rows - low)
        who = rng.integers(0, 30_000, count)
        columns = {}
        for name, (size, text) in COLUMNS.items():
            codes = people[name][who]
            moved = rng.random(count) < 0.02
            codes[moved] = rng.integers(0, size, int(moved.sum()))
            columns[name] = pa.array(labels(name)).take(pa.array(codes)) if text else pa.array(codes)
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(file, table.schema, compression="zstd")
        writer.write_table(table)
    assert writer is not None
    writer.close()


def plan(file: Path, method: object, sensitive: tuple[str, ...] = ()) -> object:
    import tokumei as tk
    from tokumei.plan import Output, Plan, Source

    columns = [
        tk.Attribute(
            name,
            "sensitive" if name in sensitive else "quasi_identifier",
            tk.Categories(labels(name)) if text else tk.Numbers(0, size - 1, step=1),
        )
        for name, (size, text) in COLUMNS.items()
    ]
    return Plan(Source(str(file)), tk.Schema(columns), method, (), Output(), Path())


def ours_classes(file: Path, folder: Path) -> object:
    import tokumei as tk

    found = tk.disclosure.class_sizes(file, EIGHT)
    return [found.classes, found.smallest]


def duckdb_classes(file: Path, folder: Path) -> object:
    import duckdb

    open_ = duckdb.connect()
    open_.execute(f"SET threads = 2; SET memory_limit = '4GB'; SET temp_directory = '{folder}'")
    names = ", ".join(EIGHT)
    query = f"SELECT count(*), min(n) FROM (SELECT count(*) AS n FROM '{file}' GROUP BY {names})"
    return list(open_.execute(query).fetchone() or ())


def copy(file: Path, folder: Path) -> object:
    """Read and write the same file, as it is."""
    with (
        pq.ParquetFile(file) as opened,
        pq.ParquetWriter(folder / "copy.parquet", opened.schema_arrow, compression="zstd") as out,
    ):
        for batch in opened.iter_batches(2**18):
            out.write_table(pa.Table.from_batches([batch]))
    return None


def perturb(shuffle: str) -> Callable[[Path, Path], object]:
    def work(file: Path, folder: Path) -> object:
        import tokumei as tk

        release = tk.run(plan(file, tk.PkPerturbation(k=10, tells="all")), engine="stream", shuffle=shuffle)
        release.write(folder / "release")
        return None

    return work


def suppress(file: Path, folder: Path) -> object:
    import tokumei as tk

    tk.run(plan(file, tk.RecordSuppression(k=2)), engine="stream").write(folder / "release")
    return None


def mondrian(file: Path, folder: Path) -> object:
    import tokumei as tk

    method = tk.Generalization(k=10, partition=tk.partitions.Mondrian())
    tk.run(plan(file, method), engine="stream").write(folder / "release")
    return None


def in_memory(name: str) -> Callable[[Path, Path], object]:
    def work(file: Path, folder: Path) -> object:
        import tokumei as tk

        method = {
            "perturb": tk.PkPerturbation(k=10, tells="all"),
            "mondrian": tk.Generalization(k=10, partition=tk.partitions.Mondrian()),
        }
        tk.run(plan(file, method[name])).write(folder / "release")
        return None

    return work


def looking_at_all(name: str, engine: str) -> Callable[[Path, Path], object]:
    """Make a release by a method that needs the codes of all rows."""

    def work(file: Path, folder: Path) -> object:
        import tokumei as tk

        cuts = tk.partitions.Mondrian()
        method = {
            "groups": tk.GroupedPkPerturbation(k=10, partition=cuts),
            "noise-aware groups": tk.GroupedPkPerturbation(k=10),
            "diverse": tk.Generalization(k=10, partition=cuts, constraints=[tk.constraints.LDiversity("income", 2)]),
            "swapping": tk.Swapping(k=10),
            "levels": tk.Generalization(k=10, partition=tk.partitions.Optimal(), suppression_limit=1.0),
        }[name]
        sensitive = ("income",) if name == "diverse" else ()
        tk.run(plan(file, method, sensitive), engine=engine, memory="16GB").write(folder / "release")
        return None

    return work


HELD = ("groups", "noise-aware groups", "diverse", "swapping", "levels")

TASKS: dict[str, Callable[[Path, Path], object]] = {
    "classes": ours_classes,
    "duckdb": duckdb_classes,
    "copy": copy,
    "perturb in blocks": perturb("blocks"),
    "perturb": perturb("rows"),
    "suppress": suppress,
    "mondrian": mondrian,
    "perturb in memory": in_memory("perturb"),
    "mondrian in memory": in_memory("mondrian"),
    **{f"{name}, {engine}": looking_at_all(name, engine) for name in HELD for engine in ("stream", "local")},
}
ROUNDS = 3
CURVE_ROWS = (500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000)
CURVE = ("classes", "perturb", "suppress", "mondrian", "perturb in memory", "mondrian in memory")
LINES = (  # what, against, at most
    ("classes", "duckdb", 0.5),
    ("perturb in blocks", "copy", 2.0),
    ("perturb", "copy", None),
    ("suppress", "copy", None),
    ("mondrian", "copy", None),
)


SAYS = {
    "classes": "class sizes of 8 columns",
    "duckdb": "DuckDB, two threads",
    "perturb in blocks": "perturb, shuffled in blocks",
    "perturb": "perturb, all rows shuffled",
    "suppress": "suppress rare rows",
    "mondrian": "Mondrian",
}
RATIOS = ["what", "against", "ratio", "limit", "holds", "peak memory, GB"]


def child(task: str, file: Path) -> None:
    """Do one task and print what it took."""
    import tokumei as tk

    warm = file.with_name("warm.parquet")
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        TASKS[task](warm, Path(folder))  # compile
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        answer = TASKS[task](file, Path(folder))
        took = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "answer": answer}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(json.dumps({**took, "peak": peak, "before": before, "version": tk.__version__}))


def measured(task: str, file: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.stream", "--child", task, str(file)]
    made: dict[str, float] = json.loads(
        subprocess.run(command, check=True, capture_output=True, cwd=stored.ROOT).stdout
    )
    return made


def curve(console: Console) -> None:
    """Store CPU seconds and peak memory over the number of rows; all but the last two lines with the default of ``memory="1GB"``."""
    points, lines = [], []
    for rows in CURVE_ROWS:
        with tempfile.TemporaryDirectory(dir=os.environ.get("TOKUMEI_SCRATCH")) as folder:
            file = Path(folder) / "rows.parquet"
            make(file, rows)
            make(file.with_name("warm.parquet"), 20_000)
            cells = []
            for task in CURVE:
                with console.status(f"{rows:,} rows: {task}"):
                    took = measured(task, file)
                cells.append(f"{took['cpu']:.1f} s, {took['peak']:.2f} GB")
                points.append((rows, task, f"{took['cpu']:.1f}", f"{took['peak']:.2f}"))
            lines.append([rows, *cells])
    found = stored.Table(["rows", *(SAYS.get(task, task) for task in CURVE)], lines)
    print(found.markdown())
    command = "python -m benchmarks.stream --curve"
    stored.store("stream_curve", {"points": found}, command=command, packages=("tokumei", "pyarrow"))
    with CURVES.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([("rows", "line", "seconds", "gigabytes"), *points])
    draw()


def draw() -> None:
    """Draw the curves that were measured last."""
    import tokumei as tk

    with CURVES.open(encoding="utf-8") as file:
        points = list(csv.DictReader(file))
    found = [
        {"rows": int(each["rows"]), "line": each["line"], "panel": title, "cost": float(each[name])}
        for name, title in {"seconds": "CPU seconds", "gigabytes": "peak memory, GB"}.items()
        for each in points
    ]
    chart = tk.plots.curves(found, x="rows", y="cost", panel="panel", log_x=True, log_y=True, own_y=True, y_title=" ")
    print(tk.plots.save(chart, PICTURE, overwrite=True))


def held(console: Console, rows: int) -> None:
    """Compare a stream that holds codes with the local engine: CPU seconds, peak memory, and the bytes of a row beyond Python itself."""
    found = []
    with tempfile.TemporaryDirectory(dir=os.environ.get("TOKUMEI_SCRATCH")) as folder:
        file = Path(folder) / "rows.parquet"
        make(file, rows)
        make(file.with_name("warm.parquet"), 20_000)
        for name in HELD:
            took = {}
            for engine in ("stream", "local"):
                with console.status(f"{name}, {engine}"):
                    took[engine] = measured(f"{name}, {engine}", file)
            ours, other = took["stream"], took["local"]
            row = 1e9 * (ours["peak"] - ours["before"]) / rows
            found.append([name, ours["cpu"], other["cpu"], ours["peak"], other["peak"], round(row)])
    columns = ["what", "stream, s", "local, s", "stream, GB", "local, GB", "bytes per row on a stream"]
    table = stored.Table(columns, found, {name: ".2f" if "GB" in name else ".1f" for name in columns[1:5]})
    print(table.markdown())
    command = f"python -m benchmarks.stream --held --rows {rows}"
    stored.store("stream_held", {"methods": table}, command=command, packages=("tokumei", "pyarrow"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--child", nargs=2)
    given = parser.parse_args()
    if given.child:
        child(given.child[0], Path(given.child[1]))
        return 0
    if given.draw:
        draw()
        return 0
    console, missed = Console(width=150), 0
    if given.curve:
        curve(console)
        return 0
    if given.held:
        held(console, given.rows)
        return 0
    with tempfile.TemporaryDirectory(dir=os.environ.get("TOKUMEI_SCRATCH")) as folder:
        file = Path(folder) / "rows.parquet"
        with console.status(f"Writing {given.rows:,} rows"):
            make(file, given.rows)
            make(file.with_name("warm.parquet"), 20_000)
        console.print(f"{given.rows:,} rows of {len(COLUMNS)} columns, {file.stat().st_size / 1e6:,.0f} MB in Parquet")
        rows = []
        lines = [line for line in LINES if given.only in ("", line[0])]
        tasks = list(dict.fromkeys(task for what, against, _ in lines for task in (what, against)))
        rounds: list[dict[str, dict[str, float]]] = []
        for number in range(ROUNDS):
            rounds.append({})
            for task in tasks:
                with console.status(f"round {number + 1}: {task}"):
                    rounds[-1][task] = measured(task, file)
        for what, against, most in lines:
            if what == "classes" and any(done[what]["answer"] != done[against]["answer"] for done in rounds):
                raise AssertionError("the two counts differ")
            ratio = median(done[what]["cpu"] / done[against]["cpu"] for done in rounds)
            missed += most is not None and ratio > most
            mark = "" if most is None else "ok" if ratio <= most else "MISSED"
            limit = "" if most is None else f"≤ {most:g}×"
            rows.append(
                [
                    SAYS.get(what, what),
                    SAYS.get(against, against),
                    ratio,
                    limit,
                    mark,
                    max(done[what]["peak"] for done in rounds),
                ]
            )
        found = stored.Table(RATIOS, rows, {"ratio": ".2f", RATIOS[-1]: ".2f"})
        print(found.markdown())
        if not given.only:
            command = f"python -m benchmarks.stream --rows {given.rows}"
            stored.store("stream", {"ratios": found}, command=command, packages=("tokumei", "pyarrow", "duckdb"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
