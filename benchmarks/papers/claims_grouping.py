"""What Kakizawa and others claim about noise in groups, and how it is judged."""

from __future__ import annotations

from benchmarks.papers.claims import Check, Claim, Figure, Judged, NotJudged

FIRST, SECOND = "Mondrian, 100 at least", "DBSCAN, then Mondrian, outliers dropped"
NEAREST = "DBSCAN, then Mondrian, outliers nearest"
SETS = "ABC"

CLAIMS = (
    Claim("less_noise", "section 2, figures 5 to 15", "a group needs less noise than the whole table"),
    Claim(
        "method_1_figures",
        "figures 5, 9 and 13",
        "with Mondrian, a group of set A, B or C needs on average .475 and .470, .364 and .305, .567 and .427 of the noise",
    ),
    Claim("method_2_figures", "figures 7, 11 and 15", "with DBSCAN first, .449 and .364, .341 and .275, .421 and .428"),
    Claim("numbers_of_groups", "sections 4.1 to 4.3", "DBSCAN and Mondrian make 6, 6 and 11 groups"),
    Claim("method_2_better", "section 4.4", "method 2 needs less noise than method 1 on every set"),
    Claim("outliers_are_noise", "section 3.2", "leaving out outliers is what makes groups small"),
    Claim("variances", "sections 4.1 to 4.3", "the tables are ratios of variances"),
    Claim("figure_15", "figure 15", "on set C the averages of method 2 are .421 and .428"),
)


def ratio(data: str, way: str, column: str) -> Figure:
    return Figure("grouping_noise", "ratios", f"{data} / {way}", column)


def printed(data: str, way: str, column: str) -> Figure:
    return Figure("grouping_noise", "printed", f"{data} / {way}", column)


def pairs(way: str) -> Judged:
    """The averages printed below the figures, beside ours."""
    figures, checks = {}, []
    for data in SETS:
        for axis in "xy":
            mine, theirs = f"{axis} on {data}", f"{axis} on {data} in the paper"
            figures[mine], figures[theirs] = printed(data, way, axis), printed(data, way, f"{axis}, paper")
            checks.append(Check(mine, "=", theirs, by=0.08))
    found = "; ".join(f"{data}: {{x on {data}}} and {{y on {data}}}" for data in SETS)
    return Judged(figures, checks, f"{found}; the points themselves are not published")


JUDGED = {
    "less_noise": Judged(
        {f"{way} on {data}": ratio(data, way, "over records") for way in (FIRST, SECOND) for data in SETS},
        [Check(f"{way} on {data}", "<", 1.0) for way in (FIRST, SECOND) for data in SETS],
        f"over records {{{FIRST} on A}}, {{{FIRST} on B}} and {{{FIRST} on C}} with method 1",
    ),
    "method_1_figures": pairs(FIRST),
    "method_2_figures": pairs(SECOND),
    "numbers_of_groups": Judged(
        {f"groups of {data}": printed(data, SECOND, "groups") for data in SETS}
        | {f"groups of {data} in the paper": printed(data, SECOND, "groups, paper") for data in SETS},
        [Check(f"groups of {data}", "=", f"groups of {data} in the paper") for data in SETS],
        "{groups of A}, {groups of B} and {groups of C} on points drawn from the descriptions",
    ),
    "method_2_better": Judged(
        {
            f"method {at} on {data}": ratio(data, way, "over records")
            for at, way in ((1, FIRST), (2, SECOND))
            for data in SETS
        },
        [Check(f"method 2 on {data}", "<", f"method 1 on {data}") for data in SETS],
        "{method 2 on A} against {method 1 on A}, {method 2 on B} against {method 1 on B}, {method 2 on C} against {method 1 on C}",
    ),
    "outliers_are_noise": Judged(
        {f"dropped, {data}": ratio(data, SECOND, "over records") for data in SETS}
        | {f"outliers with their nearest cluster, {data}": ratio(data, NEAREST, "over records") for data in SETS},
        [Check(f"outliers with their nearest cluster, {data}", ">", f"dropped, {data}", by=0.02) for data in SETS],
        "if outliers join the nearest cluster, {outliers with their nearest cluster, A} instead of {dropped, A} on A, "
        "{outliers with their nearest cluster, B} instead of {dropped, B} on B",
    ),
    "variances": NotJudged(
        "They are ratios of φ, by the paper's own formula; those of variances would be their squares."
    ),
    "figure_15": NotJudged(
        "The printed averages leave out two of eleven groups; over all of them they are .376 and .429."
    ),
}
