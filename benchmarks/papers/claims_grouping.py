"""What Kakizawa and others claim about noise in groups, and how it is judged."""

from __future__ import annotations

from benchmarks.papers.claims import Check, Claim, Figure, Judged

FIRST, SECOND = "Mondrian, 100 at least", "DBSCAN, then Mondrian, outliers dropped"
SMALLER = "DBSCAN, then Mondrian, 75 at least, outliers dropped"
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
    Claim("minimum", "sections 4 and 4.3", "groups have 100 rows at least, and set C has eleven"),
    Claim("method_2_better", "section 4.4", "method 2 needs less noise than method 1 on every set"),
    Claim("outliers_are_noise", "section 3.2", "leaving out outliers is what makes groups small"),
    Claim("variances", "sections 4.1 to 4.3", "the tables are ratios of variances"),
    Claim("figure_15", "figure 15", "on set C the averages of method 2 are .421 and .428"),
)


def ratio(data: str, way: str, column: str) -> Figure:
    return Figure("grouping_noise", "ratios", f"{data} / {way}", column)


def printed(data: str, way: str, column: str) -> Figure:
    return Figure("grouping_noise", "printed", f"{data} / {way}", column)


def second(data: str) -> str:
    """Method 2 as it must have been run: set C has groups below 100."""
    return SMALLER if data == "C" else SECOND


def pairs(way: str) -> Judged:
    """The averages printed below the figures, beside ours."""
    figures, checks = {}, []
    for data in SETS:
        for axis in "xy":
            mine, theirs = f"{axis} on {data}", f"{axis} on {data} in the paper"
            made = second(data) if way == SECOND else way
            figures[mine], figures[theirs] = printed(data, made, axis), printed(data, made, f"{axis}, paper")
            checks.append(Check(mine, "=", theirs, by=0.1))
    found = "; ".join(f"{data}: {{x on {data}}} and {{y on {data}}}" for data in SETS)
    return Judged(
        figures, checks, f"{found}; within .1 is counted as equal, since the points themselves are not published"
    )


def variances() -> Judged:
    figures, checks = {}, []
    for data in SETS:
        mine, theirs = f"variances on {data}", f"paper on {data}"
        figures[mine], figures[theirs] = ratio(data, FIRST, "x, variances"), printed(data, FIRST, "x, paper")
        checks.append(Check(mine, "=", theirs, by=0.1))
    found = ", ".join(f"{{variances on {data}}} where the paper prints {{paper on {data}}}" for data in SETS)
    return Judged(figures, checks, f"ratios of variances, with Mondrian along x, are {found}: it prints ratios of φ")


JUDGED = {
    "less_noise": Judged(
        {f"{way} on {data}": ratio(data, way, "over records") for way in (FIRST, SECOND) for data in SETS},
        [Check(f"{way} on {data}", "<", 1.0) for way in (FIRST, SECOND) for data in SETS],
        f"over records {{{FIRST} on A}}, {{{FIRST} on B}} and {{{FIRST} on C}} with method 1",
    ),
    "method_1_figures": pairs(FIRST),
    "method_2_figures": pairs(SECOND),
    "numbers_of_groups": Judged(
        {f"groups of {data}": printed(data, second(data), "groups") for data in SETS}
        | {f"groups of {data} in the paper": printed(data, second(data), "groups, paper") for data in SETS},
        [Check(f"groups of {data}", "=", f"groups of {data} in the paper", by=0.5) for data in SETS],
        "{groups of A}, {groups of B} and {groups of C}, if clusters of A and B have two thirds and one third of the points, those of C 360, three times "
        "about 180 and 110, and groups of C may have 75 rows",
    ),
    "minimum": Judged(
        {
            "groups of 100 or more": printed("C", SECOND, "groups"),
            "groups of 75 or more": printed("C", SMALLER, "groups"),
            "fewest rows then": printed("C", SMALLER, "fewest rows"),
            "most rows then": printed("C", SMALLER, "most rows"),
        },
        [Check("groups of 100 or more", "=", 11.0, by=0.5), Check("fewest rows then", ">=", 100.0)],
        "eleven groups of 100 would need 1,100 points, and Mondrian's eight groups of 120 to 130 are of about 1,000; the paper itself says 80 to 100. With 100 at least there are "
        "{groups of 100 or more} groups, with 75 at least {groups of 75 or more} of {fewest rows then} to {most rows then} rows",
    ),
    "method_2_better": Judged(
        {
            f"method {at} on {data}": ratio(data, way if at == 1 else second(data), "over records")
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
    "variances": variances(),
    "figure_15": Judged(
        {
            f"{axis} {what}": Figure("grouping_noise", "figure_15", axis, column)
            for axis in "xy"
            for what, column in (("printed", "printed average"), ("of all eleven", "of all eleven"))
        },
        [Check(f"{axis} printed", "=", f"{axis} of all eleven", by=0.002) for axis in "xy"],
        "over all eleven groups that figure 15 prints, {x of all eleven} and {y of all eleven}; along x it leaves out two",
    ),
}
