"""What Hasegawa, Hamada and Kikuchi claim about density ratios, and how it is judged."""

from __future__ import annotations

import itertools

from benchmarks.papers.claims import Check, Claim, Figure, Judged, NotJudged

KS, ENDS = (3, 5, 10, 50), (3, 50)
RAW, STANDARD = "kernel weights, σ² = 1000, raw numbers", "kernel weights, σ² = 1000, standardized"
CHOSEN, LINEAR = "kernel weights, width by held-back rows", "linear weights"
PERTURBED = "perturbed rows as they are"
LEVELS, FIFTH = "generalized, one level a column", "generalized, up to a fifth of the rows deleted"
DELETED = "rows deleted, cells as they are"

CLAIMS = (
    Claim("formula_4", "formula (4)", "noise by formula (4) keeps Pk-anonymity"),
    Claim(
        "bayes_cost", "section 2.2.2, table 1", "time and memory of iterative Bayes grow exponentially with the columns"
    ),
    Claim("kernel_step", "table 1", "a step of the kernel model costs O(N²), in time and memory"),
    Claim("linear_step", "section 3.2, table 1", "a step of the linear model costs O(M′ N), in time and memory"),
    Claim("set_up", "table 1", "setting up either costs O(N² M)"),
    Claim("columns", "section 1.2", "the cost of a step does not grow with the number of columns"),
    Claim(
        "theorem_1",
        "theorem 1, appendix A",
        "the probability of an interval is a constant times the density, so densities may be used",
    ),
    Claim("maximum", "section 3.1, (12)", "the weights of the largest likelihood are the ones to look for"),
    Claim("algorithm_1", "algorithm 1", "its steps find them"),
    Claim("expressive", "section 3.1", "the kernel model expresses more than the linear one"),
    Claim("cross_validation", "section 5", "σ² can be chosen by cross-validation on perturbed rows alone"),
    Claim(
        "models",
        "section 4",
        "with the weights, any model that maximizes a likelihood or minimizes a loss can be fitted",
    ),
    Claim(
        "best",
        "section 5, figure 1",
        "at every k, reconstruction has a larger AUC than perturbed, generalized and deleted rows",
    ),
    Claim(
        "alike_at_3",
        "section 5, figure 1",
        "at k = 3, perturbed, reconstructed and deleted rows are nearly equal, and generalized ones worse",
    ),
    Claim("falls", "section 5, figure 1", "the AUC of perturbed rows falls gradually with k"),
    Claim("constant", "section 5, figure 1", "after reconstruction it is nearly constant"),
    Claim("a_fifth", "section 5", "deletion removes no more than a fifth of the rows even at k = 50"),
    Claim("discretization", "section 1.2", "not discretizing numbers improves accuracy"),
    Claim(
        "decorrelation",
        "section 1.1.3",
        "perturbing decorrelated columns, each reconstructed by itself, is no way out, since they need not be independent",
    ),
    Claim("large", "section 6", "the linear model suits large tables (left to future work)"),
)


def table(row: str, column: str) -> Figure:
    return Figure("density_ratio_table", "measured", row, column)


def power(what: str, column: str) -> Figure:
    return Figure("density_ratio_table", "powers", what, column)


def gain(what: str, k: int, column: str = "gain") -> Figure:
    return Figure("density_ratio_weights", "gains", f"{what} / {k}", column)


def weighed(what: str, k: int) -> Figure:
    return Figure("density_ratio_weights", "methods", what, f"k = {k}")


def area(what: str, k: int) -> Figure:
    return Figure("density_ratio_auc", "methods", what, f"k = {k}")


def enumerated(row: str, column: str) -> Figure:
    return Figure("density_ratio_theorem", "pk", row, column)


def fitted(what: str, k: int, column: str) -> Figure:
    return Figure("density_ratio_weights", "fits", f"{what} / {k}", column)


def model(name: str, column: str) -> Figure:
    return Figure("density_ratio_models", "gains", name, column)


def bins(what: str, count: int, column: str) -> Figure:
    return Figure("density_ratio_points", "bins", f"{what} / {count}", column)


def released(what: str, k: int) -> Figure:
    return Figure("density_ratio_decorrelated", "auc", f"{what} / {k}", "each column reconstructed")


CASES = {"two rows": "2 / .5", "three rows": "3 / .5", "three rows, three categories": "3 / .3", "four rows": "4 / .6"}
BAYES, FREE = "iterative Bayes, one column at a time", "free weights"
LIKELIEST, STEPS = f"{RAW}, no smoothing", f"{RAW}, 50 published steps"

JUDGED: dict[str, Judged | NotJudged] = {
    "formula_4": Judged(
        {f"formula, {name}": enumerated(row, "k by the formula") for name, row in CASES.items()}
        | {f"enumerated, {name}": enumerated(row, "k enumerated") for name, row in CASES.items()},
        [Check(f"formula, {name}", "=", f"enumerated, {name}", by=1e-9) for name in CASES],
        "the strongest attacker, who knows the whole table, is found by enumeration to have exactly this k, {enumerated, four rows} for four rows",
    ),
    "bayes_cost": Judged(
        {f"step, {at} columns": table(f"iterative Bayes / columns / 2,000 / {at}", "a step, s") for at in (6, 7)}
        | {
            f"memory, {at} columns": table(f"iterative Bayes / columns / 2,000 / {at}", "a step holds, MB")
            for at in (6, 7)
        },
        [Check(f"{what}, 7 columns", ">", f"{what}, 6 columns", times=10) for what in ("step", "memory")],
        "from six columns to seven, a step grows from {step, 6 columns} to {step, 7 columns} s, and memory from {memory, 6 columns} to {memory, 7 columns} MB",
    ),
    "kernel_step": Judged(
        {"power of N, time": power("kernel", "step, by rows"), "power of N, memory": power("kernel", "held, by rows")},
        [Check("power of N, time", "=", 2.0, by=0.5), Check("power of N, memory", "=", 2.0, by=0.1)],
        "time grows with the power {power of N, time} of N, memory with {power of N, memory}",
    ),
    "linear_step": Judged(
        {"power of N, time": power("linear", "step, by rows"), "power of N, memory": power("linear", "held, by rows")},
        [Check("power of N, time", "=", 1.0, by=0.4), Check("power of N, memory", "=", 1.0, by=0.1)],
        "with P·Y computed once, time grows with the power {power of N, time} of N, memory with {power of N, memory}",
    ),
    "set_up": Judged(
        {
            f"{name}, power of {what}": power(name, f"set-up, by {grows}")
            for name in ("kernel", "linear")
            for what, grows in (("N", "rows"), ("M", "columns"))
        },
        [Check(f"{name}, power of N", "=", 2.0, by=0.5) for name in ("kernel", "linear")]
        + [Check(f"{name}, power of M", "<=", 1.0, by=-0.3) for name in ("kernel", "linear")],
        "powers of N: {kernel, power of N} (kernel), {linear, power of N} (linear); of M: {kernel, power of M} and {linear, power of M}",
    ),
    "columns": Judged(
        {
            "four columns": table("kernel / columns / 2,000 / 4", "a step, s"),
            "ten columns": table("kernel / columns / 2,000 / 10", "a step, s"),
        },
        [Check("ten columns", "<", "four columns", times=2)],
        "kernel: {four columns} s with four columns, {ten columns} s with ten",
    ),
    "theorem_1": Judged(
        {
            "off at ξ = φ / 2": Figure("density_ratio_theorem", "intervals", ".5", "largest over least, − 1"),
            "off at ξ = φ / 100": Figure("density_ratio_theorem", "intervals", ".01", "largest over least, − 1"),
            "off for education": Figure(
                "density_ratio_theorem", "columns", "education-num / 3", "largest over least, − 1"
            ),
        },
        [
            Check("off at ξ = φ / 2", "<=", 0.01),
            Check("off at ξ = φ / 100", "<=", 0.01),
            Check("off for education", "<=", 0.01),
        ],
        "the factor is constant outside of the interval and smaller inside: they differ by {off at ξ = φ / 2} (relatively) for ξ = φ / 2, "
        "and vanish with ξ: {off for education} for one year of education at k = 3",
    ),
    "maximum": Judged(
        {f"maximum, k = {k}": gain(LIKELIEST, k) for k in ENDS}
        | {f"smoothed, k = {k}": gain(RAW, k) for k in ENDS}
        | {"effective rows": fitted(LIKELIEST, 3, "effective rows")},
        [Check(f"maximum, k = {k}", ">=", f"smoothed, k = {k}") for k in ENDS],
        "without smoothing, weights within reach of the maximum stand on no more than {effective rows} effective rows of 16,281, and gain {maximum, k = 3} and {maximum, k = 50} of AUC; "
        "held towards even weights they gain {smoothed, k = 3} and {smoothed, k = 50}",
    ),
    "algorithm_1": Judged(
        {f"short by, k = {k}": fitted(STEPS, k, "within of the best log-likelihood") for k in ENDS},
        [Check(f"short by, k = {k}", "<=", 1.0) for k in ENDS],
        "after 50 steps, with a step size that adapts, up to {short by, k = 3} (k = 3) and {short by, k = 50} (k = 50) of log-likelihood may be missing; as printed, the step size has no scale and small steps stop at once",
    ),
    "expressive": Judged(
        {f"kernel, k = {k}": gain(RAW, k) for k in KS} | {f"linear, k = {k}": gain(LINEAR, k) for k in KS},
        [Check(f"kernel, k = {k}", ">", f"linear, k = {k}", by=0.002) for k in KS],
        "AUC gains {kernel, k = 3} and {kernel, k = 50} with kernels at k = 3 and 50, {linear, k = 3} and {linear, k = 50} with the linear model",
    ),
    "cross_validation": Judged(
        {f"chosen, k = {k}": gain(CHOSEN, k) for k in ENDS} | {f"σ² = 1000, k = {k}": gain(RAW, k) for k in ENDS},
        [Check(f"chosen, k = {k}", ">", 0.0) for k in ENDS]
        + [Check(f"chosen, k = {k}", ">=", f"σ² = 1000, k = {k}", by=-0.005) for k in ENDS],
        "a width chosen on held-back perturbed rows gains {chosen, k = 3} and {chosen, k = 50}, σ² = 1000 gains {σ² = 1000, k = 3} and {σ² = 1000, k = 50}",
    ),
    "models": Judged(
        {name: model(name, "gain") for name in ("logistic regression", "linear SVC", "ridge regression of the hours")},
        [Check(name, ">", 0.0) for name in ("logistic regression", "linear SVC", "ridge regression of the hours")],
        "at k = 3 weights change the AUC of logistic regression by {logistic regression}, that of a linear SVC by {linear SVC}, and R² of a regression by {ridge regression of the hours}",
    ),
    "best": Judged(
        {f"reconstructed, k = {k}": weighed(RAW, k) for k in KS}
        | {f"perturbed, k = {k}": weighed(PERTURBED, k) for k in KS}
        | {f"one level a column, k = {k}": area(LEVELS, k) for k in KS}
        | {f"generalized and deleted, k = {k}": area(FIFTH, k) for k in KS}
        | {f"deleted, k = {k}": area(DELETED, k) for k in KS[:3]},
        [
            Check(f"reconstructed, k = {k}", ">", f"{other}, k = {k}")
            for other in ("perturbed", "one level a column", "generalized and deleted")
            for k in KS
        ]
        + [Check(f"reconstructed, k = {k}", ">", f"deleted, k = {k}") for k in KS[:3]],
        "better than perturbed rows ({reconstructed, k = 3} against {perturbed, k = 3} at k = 3, {reconstructed, k = 50} against {perturbed, k = 50} at k = 50) and than one level a column; "
        "worse than rows that are generalized and then deleted ({generalized and deleted, k = 50} at k = 50)",
    ),
    "alike_at_3": Judged(
        {
            "perturbed": weighed(PERTURBED, 3),
            "reconstructed": weighed(RAW, 3),
            "deleted": area(DELETED, 3),
            "generalized": area(LEVELS, 3),
        },
        [
            Check("reconstructed", "=", "perturbed", by=0.02),
            Check("deleted", "=", "perturbed", by=0.02),
            Check("generalized", "<", "perturbed", by=0.01),
        ],
        "{perturbed}, {reconstructed} and {deleted}; generalized {generalized}",
    ),
    "falls": Judged(
        {f"k = {k}": area(PERTURBED, k) for k in KS},
        [Check(f"k = {after}", "<", f"k = {before}") for before, after in itertools.pairwise(KS)],
        "{k = 3}, {k = 5}, {k = 10} and {k = 50}",
    ),
    "constant": Judged(
        {"k = 3": weighed(RAW, 3), "k = 50": weighed(RAW, 50)},
        [Check("k = 50", "=", "k = 3", by=0.01)],
        "{k = 3} at k = 3, {k = 50} at k = 50",
    ),
    "a_fifth": Judged(
        {
            "cells as they are": Figure("density_ratio_auc", "deleted", DELETED, "k = 50"),
            "generalized first": Figure("density_ratio_auc", "deleted", FIFTH, "k = 50"),
        },
        [Check("cells as they are", "<=", 0.2), Check("generalized first", "<=", 0.2)],
        "{cells as they are} of the rows if cells stay as they are, {generalized first} if they are generalized first",
    ),
    "discretization": Judged(
        {
            f"{what}, {count} bins": bins(what, count, "gain of 256 bins")
            for what in (FREE, BAYES)
            for count in (4, 16, 64)
        },
        [Check(f"{what}, {count} bins", ">", 0.002) for what in (FREE, BAYES) for count in (4, 16, 64)],
        f"256 bins gain {{{FREE}, 4 bins}}, {{{FREE}, 16 bins}} and {{{FREE}, 64 bins}} of AUC over 4, 16 and 64 with weights; "
        f"{{{BAYES}, 4 bins}}, {{{BAYES}, 16 bins}} and {{{BAYES}, 64 bins}} with iterative Bayes",
    ),
    "decorrelation": Judged(
        {f"gain, k = {k}": Figure("density_ratio_decorrelated", "gain", str(k), "gain of components") for k in ENDS}
        | {f"error, k = {k}": Figure("density_ratio_decorrelated", "gain", str(k), "±") for k in ENDS}
        | {f"components, k = {k}": released("principal components", k) for k in ENDS}
        | {f"columns, k = {k}": released("columns as they are", k) for k in ENDS},
        [Check(f"gain, k = {k}", "<", 0.0) for k in ENDS],
        "reconstructed one at a time, principal components of Adult's five numbers give an AUC of {components, k = 3} at k = 3 and {components, k = 50} at k = 50, "
        "the columns themselves {columns, k = 3} and {columns, k = 50}: {gain, k = 3} ± {error, k = 3} and {gain, k = 50} ± {error, k = 50} within seeds",
    ),
    "large": Judged(
        {
            "step at a million": Figure("density_ratio_large", "cost", "1,000,000", "a step, s"),
            "through P": Figure("density_ratio_large", "cost", "1,000,000", "a step through P, s"),
            "set-up": Figure("density_ratio_large", "cost", "1,000,000", "set-up, s"),
            "gain at 100,000": Figure("density_ratio_large", "auc", "linear / 100,000", "gain"),
            "gain at a million": Figure("density_ratio_large", "auc", "linear / 1,000,000", "gain"),
        },
        [
            Check("step at a million", "<", "through P"),
            Check("gain at 100,000", ">", 0.002),
            Check("gain at a million", ">", 0.002),
        ],
        "a million rows take {set-up} s to set up and {step at a million} s a step; AUC gains {gain at 100,000} at 100,000 rows and {gain at a million} at a million",
    ),
}
