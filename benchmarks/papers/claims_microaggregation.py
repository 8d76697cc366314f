"""What Suzaki and others claim about microaggregation along paths, and how it is judged."""

from __future__ import annotations

from benchmarks.papers.claims import Check, Claim, Figure, Judged, NotJudged

COLUMNS = (2, 3, 5, 10, 20, 40)

CLAIMS = (
    Claim("cut_cost", "section 5.2, theorem 2", "the cut takes O(k n), not O(k² n)"),
    Claim("dynamic", "section 5.1", "a forward pass finds the shortest path in O(k n), without a priority queue"),
    Claim("grid", "section 5.3", "blocks of a grid make the path faster"),
    Claim("quality", "section 5.3, figure 5", "a path through blocks makes better groups than the plain one"),
    Claim(
        "flexdice_cost", "section 5.3", "FlexDice makes the path in O(n² / (p k²)), faster than O(n²), in many columns"
    ),
    Claim(
        "blocks_and_columns", "section 5.3", "the number of FlexDice's blocks hardly depends on the number of columns"
    ),
    Claim("table_2", "table 2", "standardized, the eleven companies of table 1 are those of table 2"),
)


def cell(table: str, columns: int, way: str) -> Figure:
    return Figure("microaggregation_columns", table, str(columns), way)


def both(table: str, way: str, columns: tuple[int, ...] = COLUMNS) -> dict[str, Figure]:
    made = {f"{way}, {p} columns": cell(table, p, way) for p in columns}
    return made | {f"plain path, {p} columns": cell(table, p, "nearest point next") for p in columns}


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
    "dynamic": NotJudged("Not measured apart from the whole cut."),
    "grid": Judged(
        both("times", "grid blocks"),
        [Check(f"grid blocks, {p} columns", "<", f"plain path, {p} columns") for p in COLUMNS],
        "4,000 rows: {grid blocks, 10 columns} ms against {plain path, 10 columns} in ten columns, {grid blocks, 40 columns} "
        "against {plain path, 40 columns} in forty",
    ),
    "quality": Judged(
        both("losses", "grid blocks"),
        [Check(f"grid blocks, {p} columns", "<", f"plain path, {p} columns") for p in COLUMNS],
        "loss {grid blocks, 2 columns} against {plain path, 2 columns} in two columns, {grid blocks, 10 columns} against "
        "{plain path, 10 columns} in ten",
    ),
    "flexdice_cost": Judged(
        both("times", "FlexDice", (10, 20, 40)),
        [Check(f"FlexDice, {p} columns", "<", f"plain path, {p} columns") for p in (10, 20, 40)],
        "4,000 rows: {FlexDice, 20 columns} ms against {plain path, 20 columns} in twenty columns",
    ),
    "blocks_and_columns": NotJudged("Not measured yet."),
    "table_2": Judged(
        {"largest difference": Figure("microaggregation_companies", "scaled", "n", "largest difference from table 2")},
        [Check("largest difference", "<=", 0.0011)],
        "differences of at most {largest difference}: digits are truncated, and variances divided by n",
    ),
}
