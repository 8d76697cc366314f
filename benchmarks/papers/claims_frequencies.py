"""What Terada, Yamaoka and Fukuoka claim about frequencies added to k-anonymous rows, and how it is judged."""

from __future__ import annotations

from benchmarks.papers.claims import Check, Claim, Figure, Judged, NotJudged

LEARNERS = {
    "logistic regression": "linear",
    "linear SVC": "linear",
    "XGBoost": "boosting",
    "LightGBM": "boosting",
    "random forest": "forests",
    "gradient boosting": "forests",
}
OVER = "rates over leaves, * empty"

CLAIMS = (
    Claim("linear_models", "abstract, section 7", "rates help logistic regression and the linear SVC most"),
    Claim("no_learner_worse", "section 5.2", "no learner does worse with rates than without"),
    Claim("zero_to_five", "section 1", "the gain is 0 to 5 points"),
    Claim("group_statistics_match", "section 3", "statistics of each group let the data holder match rows"),
    Claim("rates_do_not_match", "section 4", "rates of the whole table do not"),
    Claim(
        "sparsity",
        "section 6.1",
        "rates help because the encoded table is sparser and closer to that of the original rows",
    ),
    Claim("noise", "section 6.2", "noise on the counts makes matching harder still, at a cost in accuracy"),
    Claim(
        "noise_of_the_whole",
        "section 6.3",
        "under differential privacy, rates of the whole table need less noise than those of groups",
    ),
    Claim("all_quasi_identifiers", "section 2", "if every column is a quasi-identifier, k-anonymity costs accuracy"),
)


def advantage(learner: str, column: str, rows: str = "raw") -> Figure:
    return Figure(f"frequencies_{LEARNERS[learner]}", "advantage", f"{rows} / {learner} / {OVER}", column)


def collated(published: str, column: str) -> Figure:
    return Figure("frequencies_collation", "adult", f"k = 10 / {published}", column)


def accuracy(encoder: str, k: int) -> Figure:
    return Figure("frequencies_linear", "raw", f"logistic regression / {encoder}", f"k = {k}")


JUDGED = {
    "linear_models": Judged(
        {f"least of {name}": advantage(name, "least") for name in ("logistic regression", "linear SVC")}
        | {f"most of {name}": advantage(name, "most") for name in LEARNERS},
        [Check(f"least of {name}", ">", 0.0) for name in ("logistic regression", "linear SVC")]
        + [Check("most of logistic regression", ">", f"most of {name}") for name in list(LEARNERS)[2:]],
        "on raw test rows {least of logistic regression} to {most of logistic regression} points for logistic regression, "
        "{least of linear SVC} to {most of linear SVC} for the linear SVC",
    ),
    "no_learner_worse": Judged(
        {f"k at which {name} is clearly worse": advantage(name, "worse") for name in LEARNERS},
        [Check(f"k at which {name} is clearly worse", "=", 0.0) for name in LEARNERS],
        "on raw test rows XGBoost is clearly worse at {k at which XGBoost is clearly worse} values of k, LightGBM at "
        "{k at which LightGBM is clearly worse}, gradient boosting at {k at which gradient boosting is clearly worse}",
    ),
    "zero_to_five": Judged(
        {f"most of {name}": advantage(name, "most") for name in LEARNERS},
        [Check(f"most of {name}", "<=", 5.0) for name in LEARNERS]
        + [Check(f"most of {name}", ">=", 0.0) for name in LEARNERS],
        "at most {most of linear SVC} points, over the paper's baseline and on raw test rows",
    ),
    "group_statistics_match": Judged(
        {
            "pinned by moments": collated("moments", "pinned rows"),
            "pinned by counts": collated("counts", "pinned rows"),
        },
        [Check("pinned by moments", ">", 0.0)],
        "at k = 10 they pin {pinned by moments} people of Adult, or {pinned by counts} if numbers are counted too",
    ),
    "rates_do_not_match": Judged(
        {
            "pinned by rates": collated("rates", "pinned rows"),
            "resolved groups": collated("rates", "resolved"),
            "groups": collated("rates", "groups"),
        },
        [Check("pinned by rates", "=", 0.0), Check("resolved groups", "=", 0.0)],
        "no one is pinned, but {resolved groups} of {groups} groups are resolved by their boxes alone",
    ),
    "sparsity": NotJudged("Not measured yet."),
    "noise": NotJudged("Not measured yet."),
    "noise_of_the_whole": NotJudged("Not measured yet."),
    "all_quasi_identifiers": Judged(
        {"original rows": accuracy("leaves, * empty", 1), "k = 20": accuracy("leaves, * empty", 20)},
        [Check("k = 20", "<", "original rows", by=0.5)],
        "logistic regression falls from {original rows} % to {k = 20} % at k = 20 with the paper's baseline",
    ),
}
