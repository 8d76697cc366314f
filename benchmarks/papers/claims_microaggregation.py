"""What Suzaki and others claim about microaggregation along paths, and how it is judged."""

from __future__ import annotations

from benchmarks.papers.claims import Check, Claim, Figure, Judged

COLUMNS = (2, 3, 5, 10, 20, 40)
MANY = (5, 10, 20, 40)
EVERY, WIDEST = "every column", "widest"
SQUARES = tuple((kind, count) for kind in ("evenly spread", "around four centres") for count in (40, 80, 160))

CLAIMS = (
    Claim("cut_cost", "section 5.2, theorem 2", "the cut takes O(k n), not O(k² n)"),
    Claim("dynamic", "section 5.1", "a forward pass finds the shortest path in O(k n), without a priority queue"),
    Claim("grid", "section 5.3", "blocks of a grid make the path faster"),
    Claim(
        "figure_5",
        "section 5.3, figure 5",
        "in two columns, a path through 16 blocks makes better groups than the plain one",
    ),
    Claim("quality", "section 5.3", "a path through blocks makes better groups than the plain one"),
    Claim("flexdice_faster", "section 5.3", "in many columns FlexDice makes the path faster than the plain one"),
    Claim(
        "blocks_and_columns", "section 5.3", "the number of FlexDice's blocks hardly depends on the number of columns"
    ),
    Claim("blocks_and_limits", "section 5.3", "with C1 = p k C2 there are O(n / (p k)) blocks"),
    Claim("flexdice_order", "section 5.3", "the time of the path is O(n² / (p k²))"),
    Claim("table_2", "table 2", "standardized, the eleven companies of table 1 are those of table 2"),
)


def cell(table: str, columns: int, way: str) -> Figure:
    return Figure("microaggregation_columns", table, str(columns), way)


def both(table: str, way: str, columns: tuple[int, ...] = COLUMNS) -> dict[str, Figure]:
    made = {f"{way}, {p} columns": cell(table, p, way) for p in columns}
    return made | {f"plain path, {p} columns": cell(table, p, "nearest point next") for p in columns}


def square(kind: str, count: int, column: str) -> Figure:
    return Figure("microaggregation_figure_5", "squares", f"{kind} / {count}", column)


def shape(columns: int, way: str, column: str) -> Figure:
    return Figure("microaggregation_blocks", "shape", f"{columns} / {way}", column)


def power(way: str, grows: str, column: str = "path") -> Figure:
    return Figure("microaggregation_blocks", "powers", f"{way} / {grows}", column)


JUDGED = {
    "cut_cost": Judged(
        {
            "times as long at k = 160": Figure("microaggregation_cut", "k", "160", "times as long"),
            "power of k": Figure("microaggregation_growth", "exponents", "best cut alone", "k"),
            "power of n": Figure("microaggregation_growth", "exponents", "best cut alone", "rows"),
        },
        [Check("power of k", "<=", 1.0, by=-0.2), Check("power of n", "<=", 1.0, by=-0.2)],
        "time grows with the power {power of k} of k and {power of n} of n; without running sums, {times as long at k = 160} times as long at k = 160",
    ),
    "dynamic": Judged(
        {"power of n": Figure("microaggregation_growth", "exponents", "best cut alone", "rows")},
        [Check("power of n", "<=", 1.0, by=-0.2)],
        "one pass over the rows: time grows with the power {power of n} of n",
    ),
    "grid": Judged(
        both("times", "grid blocks"),
        [Check(f"grid blocks, {p} columns", "<", f"plain path, {p} columns") for p in COLUMNS],
        "4,000 rows: {grid blocks, 10 columns} ms against {plain path, 10 columns} in ten columns. From twenty on even two parts per column are too "
        "many, and the grid is a single block: {grid blocks, 40 columns} against {plain path, 40 columns} in forty",
    ),
    "figure_5": Judged(
        {f"blocks, {count} {kind}": square(kind, count, "16 blocks") for kind, count in SQUARES}
        | {f"plain, {count} {kind}": square(kind, count, "plain path") for kind, count in SQUARES}
        | {"share": square("evenly spread", 160, "sets where blocks lose less")},
        [Check(f"blocks, {count} {kind}", "<", f"plain, {count} {kind}") for kind, count in SQUARES],
        "mean loss of 200 sets: {blocks, 40 evenly spread} % against {plain, 40 evenly spread} % for 40 points in a square, {blocks, 160 evenly spread} % against "
        "{plain, 160 evenly spread} % for 160, where blocks lose less in {share} of the sets",
    ),
    "quality": Judged(
        both("losses", "grid blocks"),
        [Check(f"grid blocks, {p} columns", "<", f"plain path, {p} columns") for p in COLUMNS],
        "loss {grid blocks, 2 columns} against {plain path, 2 columns} in two columns, {grid blocks, 10 columns} against "
        "{plain path, 10 columns} in ten",
    ),
    "flexdice_faster": Judged(
        both("times", "FlexDice", (10, 20, 40)) | {"one column at a time": cell("times", 20, "FlexDice, widest")},
        [Check(f"FlexDice, {p} columns", "<", f"plain path, {p} columns") for p in (10, 20, 40)],
        "4,000 rows: {FlexDice, 20 columns} ms against {plain path, 20 columns} in twenty columns; {one column at a time} if blocks are halved along one column at a time",
    ),
    "blocks_and_columns": Judged(
        {f"blocks in {p} columns": shape(p, EVERY, "blocks") for p in MANY}
        | {"rows of the median block": shape(10, EVERY, "median rows")},
        [Check(f"blocks in {p} columns", "<=", "blocks in 5 columns", times=1.5) for p in MANY[1:]],
        "{blocks in 5 columns}, {blocks in 10 columns}, {blocks in 20 columns} and {blocks in 40 columns} blocks of 4,000 rows in 5, 10, 20 and 40 columns: a block that is halved along "
        "every column falls into as many as its rows, and the median block has {rows of the median block} row",
    ),
    "blocks_and_limits": Judged(
        {f"halved along every column, p = {p}": shape(p, EVERY, "blocks · p k / n") for p in MANY}
        | {f"halved along one, p = {p}": shape(p, WIDEST, "blocks · p k / n") for p in MANY},
        [Check(f"halved along every column, p = {p}", "<=", 4.0) for p in MANY]
        + [Check(f"halved along one, p = {p}", "<=", 4.0) for p in MANY],
        "in units of n / (p k): {halved along every column, p = 10} blocks in ten columns and {halved along every column, p = 40} in forty if blocks are halved along every column; "
        "{halved along one, p = 10} and {halved along one, p = 40} if along the widest",
    ),
    "flexdice_order": Judged(
        {f"power of the {grows}, every column": power(EVERY, grows) for grows in ("rows", "columns")}
        | {"power of k, every column": power(EVERY, "k"), "power of k, one column": power(WIDEST, "k")}
        | {f"power of the {grows}, one column": power(WIDEST, grows) for grows in ("rows", "columns")},
        [
            Check("power of the rows, every column", "<=", 2.0, by=-0.2),
            Check("power of the columns, every column", "<=", -1.0, by=-0.5),
            Check("power of k, every column", "<=", -2.0, by=-0.5),
            Check("power of the rows, one column", "<=", 2.0, by=-0.2),
            Check("power of the columns, one column", "<=", -1.0, by=-0.5),
            Check("power of k, one column", "<=", -2.0, by=-0.5),
        ],
        "as published the path takes n to the power {power of the rows, every column}, p to {power of the columns, every column} and k to {power of k, every column}; halved along one column at a "
        "time {power of the rows, one column}, {power of the columns, one column} and {power of k, one column}. The other term of the paper's own sum, C1² B ≈ 16 p k n, is the larger one until n exceeds 16 p² k³",
    ),
    "table_2": Judged(
        {"largest difference": Figure("microaggregation_companies", "scaled", "n", "largest difference from table 2")},
        [Check("largest difference", "<=", 0.0011)],
        "differences of at most {largest difference}: digits are truncated, and variances divided by n",
    ),
}
