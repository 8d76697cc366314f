"""What Hasegawa, Hamada and Kikuchi claim about density ratios, and how it is judged."""

from __future__ import annotations

from benchmarks.papers.claims import Check, Claim, Figure, Judged, NotJudged

CLAIMS = (
    Claim(
        "bayes_cost",
        "table 1",
        "iterative Bayes on the joint table costs time and memory that grow exponentially with the columns",
    ),
)
JUDGED: dict[str, Judged | NotJudged] = {
    "bayes_cost": Judged(
        {
            "six columns": Figure("density_ratio_columns", "cost", "iterative Bayes / 6", "a step, s"),
            "seven columns": Figure("density_ratio_columns", "cost", "iterative Bayes / 7", "a step, s"),
        },
        [Check("seven columns", ">", "six columns", times=10)],
        "a step takes {six columns} s with six columns and {seven columns} s with seven",
    ),
}
