"""How the time of each partition grows with the rows and with k.

    python -m benchmarks.microaggregation_growth            measure, write the CSV and draw
    python -m benchmarks.microaggregation_growth draw       draw what the CSV holds
    python -m benchmarks.microaggregation_growth draw png   and as a PNG into the folder where it is called, to look at

Rows lie around 50 centres in 10 columns. A unit is the CPU time of one best cut of 1,000 rows with k = 5, measured in the
same run; every figure is the least of a few runs, as a multiple of it. Writes docs/methods/microaggregation_growth.csv and
docs/pictures/microaggregation_growth.svg, and prints the exponents: by which power of the rows, or of k, the time grew over
the last doublings.
"""

from __future__ import annotations

import csv
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import tokumei as tk
from benchmarks.microaggregation import mixture
from tokumei.partition.microaggregation.path._kernels import best_cut
from tokumei.partition.microaggregation.points import Points

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "methods" / "microaggregation_growth.csv"
PICTURE = ROOT / "docs" / "pictures" / "microaggregation_growth.svg"

LINEAR = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000)
SQUARE = (1_000, 2_000, 4_000, 8_000, 16_000)
SMALL = (125, 250, 500)
K, SMALL_K = 5, 3
KS, SMALL_KS, MORE_KS = (5, 10, 20, 40), (2, 3, 4), (5, 10, 20, 40, 80, 160, 320)
AT, SMALL_AT = 8_000, 250  # rows, where k grows

Work = Callable[[Points], object]


def only_cut(points: Points) -> object:
    return best_cut(points.rows, points.k)


METHODS: dict[str, tuple[Work, tuple[int, ...]]] = {
    "best cut alone": (only_cut, LINEAR),
    "FarthestFirst": (tk.FarthestFirst().group, LINEAR),
    "LocalSearch": (tk.LocalSearch().group, LINEAR),
    "GridBlocks": (tk.GridBlocks().group, LINEAR),
    "FlexDice": (tk.FlexDice().group, LINEAR),
    "NearestPointNext": (tk.NearestPointNext().group, SQUARE),
    "Mdav": (tk.Mdav().group, SQUARE),
    "VMdav": (tk.VMdav().group, SQUARE),
    "NearExact": (tk.NearExact().group, SMALL),
}


def least_seconds(work: Work, points: Points) -> float:
    """Return the CPU seconds of the fastest run; of what is quick more runs are made."""
    seconds, spent = math.inf, 0.0
    while spent < 0.3:
        start = time.process_time()
        work(points)
        seconds = min(seconds, time.process_time() - start)
        spent += max(seconds, 0.01)
    return seconds


def measured() -> list[dict[str, object]]:
    table = mixture(max(LINEAR))
    for work, _ in METHODS.values():
        work(Points(table[:200], 3))
    unit = least_seconds(only_cut, Points(table[:1_000], K))
    rows: list[dict[str, object]] = []
    for name, (work, counts) in METHODS.items():
        small = counts is SMALL
        cases = [("rows", count, SMALL_K if small else K) for count in counts]
        ks = SMALL_KS if small else MORE_KS if work is only_cut else KS
        cases += [("k", SMALL_AT if small else AT, k) for k in ks]
        for grows, count, k in cases:
            multiple = least_seconds(work, Points(table[:count], k)) / unit
            rows.append(
                {"method": name, "grows": grows, "rows": count, "k": k, "times a cut of 1,000 rows": f"{multiple:.3g}"}
            )
            print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def exponents(rows: list[dict[str, str]]) -> None:
    """Print by which power the time grew over the last doublings."""
    print("| partition | rows | k |\n|---|---|---|")
    for name in METHODS:
        powers = []
        for grows in ("rows", "k"):
            points = [
                (float(r[grows]), float(r["times a cut of 1,000 rows"]))
                for r in rows
                if (r["method"], r["grows"]) == (name, grows)
            ]
            # A larger table than 20,000 rows is searched in a hurry: the last doubling is of one kind.
            (low, less), (high, more) = points[-2 if name == "LocalSearch" and grows == "rows" else -3], points[-1]
            powers.append(math.log(more / less) / math.log(high / low))
        print(f"| {name} | {powers[0]:.2f} | {powers[1]:.2f} |")


def draw() -> None:
    import altair as alt

    time_ = alt.Y("times a cut of 1,000 rows:Q", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    order = list(METHODS)
    panels = []
    for grows, title in (("rows", f"k = {K} (NearExact: {SMALL_K})"), ("k", f"{AT:,} rows (NearExact: {SMALL_AT})")):
        values = [
            {**row, grows: float(row[grows]), "times a cut of 1,000 rows": float(row["times a cut of 1,000 rows"])}
            for row in read()
            if row["grows"] == grows
        ]
        panels.append(
            alt.Chart(alt.Data(values=values), title=title, width=330, height=330)
            .mark_line(point=True)
            .encode(
                x=alt.X(f"{grows}:Q", scale=alt.Scale(type="log", nice=False), axis=alt.Axis(format="~s")),
                y=time_,
                color=alt.Color("method:N", sort=order, scale=alt.Scale(scheme="tableau10"), title=None),
                shape=alt.Shape("method:N", sort=order, legend=None),
            )
        )
    PICTURE.parent.mkdir(exist_ok=True)
    chart = panels[0] | panels[1]
    chart.save(PICTURE)
    if "png" in sys.argv:
        chart.save(f"{PICTURE.stem}.png", scale_factor=1.5)


def read() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    if "draw" not in sys.argv:
        rows = measured()
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    exponents(read())
    draw()


if __name__ == "__main__":
    main()
