"""What Terada, Yamaoka and Fukuoka claim about frequencies added to k-anonymous rows, and how it is judged."""

from __future__ import annotations

from benchmarks.papers.claims import Check, Claim, Figure, Judged

LEARNERS = {
    "logistic regression": "linear",
    "linear SVC": "linear",
    "XGBoost": "boosting",
    "LightGBM": "boosting",
    "random forest": "forests",
    "gradient boosting": "forests",
}
OVER = "rates over leaves, * empty"
LINEAR = ("logistic regression", "linear SVC")
DATA = ("adult", "fair")
EPSILONS = ("10", "1", "0.1", "0.01", "0.001")
BASELINE = "ones, * empty (the paper's baseline)"

CLAIMS = (
    Claim("linear_models", "abstract, section 7", "rates help logistic regression and the linear SVC most"),
    Claim("linear_models_raw", "abstract, section 7", "the same on raw test rows"),
    Claim("no_learner_worse", "section 5.2", "no learner does worse with rates than without"),
    Claim("no_learner_worse_raw", "section 5.2", "none does on raw test rows"),
    Claim("zero_to_five", "section 1", "the gain is 0 to 5 points"),
    Claim("tuning", "section 7", "rates help linear models that are tuned, too (left to future work)"),
    Claim("group_statistics_match", "section 3", "statistics of each group let the data holder match rows"),
    Claim("rates_do_not_match", "section 4", "rates of the whole table do not"),
    Claim(
        "sparsity",
        "section 6.1",
        "rates help because the encoded table is sparser and closer to that of the original rows",
    ),
    Claim("noise", "section 6.2", "noise on the counts is possible, and the more of it the lower the accuracy"),
    Claim(
        "noise_of_the_whole",
        "section 6.3",
        "under differential privacy, rates of the whole table need less noise than those of groups",
    ),
    Claim("all_quasi_identifiers", "section 2", "if every column is a quasi-identifier, k-anonymity costs accuracy"),
)


def gain(data: str, learner: str, column: str) -> Figure:
    return Figure("frequencies_nearest", f"{data}_gains", learner, column)


def encoding(name: str, column: str) -> Figure:
    return Figure("frequencies_sparsity", "encodings", name, column)


def noisy(counts: str, epsilon: str, learner: str = "logistic regression") -> Figure:
    return Figure("frequencies_noise", "k10", f"{counts} / {epsilon}", learner)


def quasi(k: int, columns: str, learner: str = "logistic regression") -> Figure:
    return Figure("frequencies_quasi_identifiers", "accuracy", f"{k} / {columns} / ones, * empty", learner)


def tuned(data: str, learner: str, column: str) -> Figure:
    return Figure("frequencies_tuned", "k10", f"{data} / {learner}", column)


def advantage(learner: str, column: str, rows: str = "raw") -> Figure:
    return Figure(f"frequencies_{LEARNERS[learner]}", "advantage", f"{rows} / {learner} / {OVER}", column)


def collated(published: str, column: str) -> Figure:
    return Figure("frequencies_collation", "adult", f"k = 10 / {published}", column)


def accuracy(encoder: str, k: int) -> Figure:
    return Figure("frequencies_linear", "raw", f"logistic regression / {encoder}", f"k = {k}")


JUDGED = {
    "linear_models": Judged(
        {f"mean gain of {name} on {data.title()}": gain(data, name, "mean") for name in LEARNERS for data in DATA},
        [
            Check(f"mean gain of {linear} on {data.title()}", ">", f"mean gain of {name} on {data.title()}")
            for data in DATA
            for linear in LINEAR
            for name in list(LEARNERS)[2:]
        ],
        "in the paper's own protocol {mean gain of logistic regression on Adult} points for logistic regression and {mean gain of linear SVC on Adult} for the linear SVC on Adult (XGBoost "
        "{mean gain of XGBoost on Adult}, random forest {mean gain of random forest on Adult}); on Fair {mean gain of logistic regression on Fair} and {mean gain of linear SVC on Fair}",
    ),
    "linear_models_raw": Judged(
        {f"least of {name}": advantage(name, "least") for name in ("logistic regression", "linear SVC")}
        | {f"most of {name}": advantage(name, "most") for name in LEARNERS},
        [Check(f"least of {name}", ">", 0.0) for name in ("logistic regression", "linear SVC")]
        + [Check("most of logistic regression", ">", f"most of {name}") for name in list(LEARNERS)[2:]],
        "on raw test rows {least of logistic regression} to {most of logistic regression} points for logistic regression, "
        "{least of linear SVC} to {most of linear SVC} for the linear SVC",
    ),
    "no_learner_worse": Judged(
        {f"worse k of {name} on {data.title()}": gain(data, name, "worse") for name in LEARNERS for data in DATA}
        | {f"least gain of {name} on Adult": gain("adult", name, "least") for name in ("XGBoost", "random forest")},
        [Check(f"worse k of {name} on {data.title()}", "=", 0.0) for name in LEARNERS for data in DATA],
        "in the paper's own protocol, of ten k on Adult rates are clearly worse at {worse k of logistic regression on Adult} for logistic regression, {worse k of linear SVC on Adult} for the linear "
        "SVC, {worse k of XGBoost on Adult} for XGBoost, {worse k of LightGBM on Adult} for LightGBM; XGBoost's least gain is {least gain of XGBoost on Adult}, the forest's {least gain of random forest on Adult}",
    ),
    "no_learner_worse_raw": Judged(
        {f"k at which {name} is clearly worse": advantage(name, "worse") for name in LEARNERS},
        [Check(f"k at which {name} is clearly worse", "=", 0.0) for name in LEARNERS],
        "on raw test rows XGBoost is clearly worse at {k at which XGBoost is clearly worse} values of k, LightGBM at "
        "{k at which LightGBM is clearly worse}, gradient boosting at {k at which gradient boosting is clearly worse}",
    ),
    "zero_to_five": Judged(
        {f"most of {name}": gain("adult", name, "most") for name in LEARNERS}
        | {f"least of {name}": gain("adult", name, "least") for name in LEARNERS},
        [Check(f"most of {name}", "<=", 5.0) for name in LEARNERS]
        + [Check(f"least of {name}", ">=", 0.0, by=-0.1) for name in LEARNERS],
        "on Adult from {least of logistic regression} to {most of logistic regression} for logistic regression, {least of linear SVC} to {most of linear SVC} for the linear SVC, "
        "{least of LightGBM} to {most of LightGBM} for LightGBM; .1 below zero is forgiven",
    ),
    "tuning": Judged(
        {
            f"tuned gain of {name} on {data.title()}": tuned(data.title(), name, "tuned, gain")
            for name in LINEAR
            for data in DATA
        }
        | {f"default gain of {name} on Adult": tuned("Adult", name, "defaults, gain") for name in LINEAR},
        [Check(f"tuned gain of {name} on {data.title()}", ">", 0.0, by=0.1) for name in LINEAR for data in DATA],
        "tuned, rates gain {tuned gain of logistic regression on Adult} points on Adult with logistic regression (defaults: {default gain of logistic regression on Adult}) and {tuned gain of linear SVC on Adult} with the "
        "linear SVC ({default gain of linear SVC on Adult}); on Fair {tuned gain of logistic regression on Fair} and {tuned gain of linear SVC on Fair}",
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
    "sparsity": Judged(
        {
            "not zero, ones": encoding(BASELINE, "not zero, %"),
            "not zero, rates": encoding("rates (the paper)", "not zero, %"),
            "distance, ones": encoding(BASELINE, "squared distance to raw rows"),
            "distance, rates": encoding("rates (the paper)", "squared distance to raw rows"),
            "accuracy, rates": encoding("rates (the paper)", "linear SVC"),
            "accuracy, equally frequent": encoding("rates, all values equally frequent", "linear SVC"),
            "accuracy, sparser": encoding("rates, those below .05 left out", "linear SVC"),
        },
        [
            Check("distance, rates", "<", "distance, ones"),
            Check("not zero, rates", "<", "not zero, ones"),
            Check("accuracy, sparser", ">", "accuracy, rates", by=0.2),
            Check("accuracy, rates", ">", "accuracy, equally frequent"),
        ],
        "rates are closer to the original rows (squared distance {distance, rates} against {distance, ones}) but not sparser ({not zero, rates} % of entries against {not zero, ones} %); left out, small rates change nothing ({accuracy, sparser} % "
        "against {accuracy, rates} %, linear SVC), and with all values equally frequent it is {accuracy, equally frequent} %",
    ),
    "noise": Judged(
        {
            "no noise": noisy("the whole table", "no noise"),
            "ε = 0.1": noisy("the whole table", "0.1"),
            "ε = 0.01": noisy("the whole table", "0.01"),
            "ε = 0.001": noisy("the whole table", "0.001"),
        },
        [Check("ε = 0.01", "<", "no noise", by=0.1), Check("ε = 0.001", "<", "ε = 0.1", by=0.1)],
        "logistic regression, k = 10: {no noise} % without noise, {ε = 0.1} % at ε = 0.1 a column, {ε = 0.01} % at 0.01, {ε = 0.001} % at 0.001",
    ),
    "noise_of_the_whole": Judged(
        {f"whole, ε = {e}": noisy("the whole table", e) for e in EPSILONS}
        | {f"groups, ε = {e}": noisy("each group", e) for e in EPSILONS},
        [Check(f"whole, ε = {e}", ">", f"groups, ε = {e}", by=0.1) for e in EPSILONS],
        "logistic regression at ε = 1: {whole, ε = 1} % with rates of the whole table, {groups, ε = 1} % with those of groups; at 0.1 {whole, ε = 0.1} % and {groups, ε = 0.1} %; at 0.01 {whole, ε = 0.01} % and {groups, ε = 0.01} %. "
        "A group's rates are noisier, but a model averages over many groups",
    ),
    "all_quasi_identifiers": Judged(
        {
            "original rows": accuracy("leaves, * empty", 1),
            "all five, k = 20": quasi(20, "all five"),
            "two, k = 20": quasi(20, "age and native-country"),
        },
        [
            Check("all five, k = 20", "<", "original rows", by=0.5),
            Check("all five, k = 20", "<", "two, k = 20", by=0.5),
        ],
        "logistic regression with the paper's baseline: {original rows} % from the original rows, {all five, k = 20} % at k = 20 over all five columns, {two, k = 20} % over two of them",
    ),
}
