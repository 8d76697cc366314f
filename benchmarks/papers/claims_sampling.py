"""What Kikuchi claims about samples and the risk of identification, and how it is judged."""

from __future__ import annotations

from benchmarks.papers.claims import Check, Claim, Figure, Judged

CASES = ("4 / 2 / 1", "5 / 2 / 1", "5 / 2 / 2", "6 / 2 / 1", "6 / 3 / 2")
RATES = (".01", ".1", ".5", ".7")
PRAM = "PRAM, half of the cells kept"

CLAIMS = (
    Claim(
        "alone_lowers_risk", "section 4.4", "a sample lowers the risk from an attacker who knows some of the records"
    ),
    Claim("closed_form", "claim 4.1", "that risk is the printed sum"),
    Claim(
        "bounds_the_truth",
        "section 4.3",
        "the attacker's guess about unknown records is realistic, so that the risk is that of real people",
    ),
    Claim("robust", "section 4.5", "knowing a few more people changes the risk little"),
    Claim("unique", "section 4.5", "people known to be unique are not protected, so outliers must be removed first"),
    Claim("strata", "section 6", "samples with several rates, such as those of strata, need a measure of their own"),
    Claim(
        "differential_privacy",
        "section 1.1",
        "a sample alone hardly gives differential privacy, but strengthens what PRAM or k-anonymity give",
    ),
    Claim(
        "arbitrary_knowledge", "section 3", "against an attacker who knows the whole table, a sample alone does nothing"
    ),
    Claim("pram", "theorem 5.1", "PRAM and then a sample keep k = 1 + (n − m) a + (m − 1) b"),
    Claim("less_noise", "section 5.2", "with a sample, PRAM needs less noise for the same k"),
    Claim("coins", "section 4.6", "a sample drawn by tossing coins lowers no risk, since it may be the whole table"),
)


def case(row: str, column: str) -> Figure:
    return Figure("sampling_exact", "alone", row, column)


def right(rate: str, column: str) -> Figure:
    return Figure("sampling_people", "right", rate, column)


def besides(row: str, column: str) -> Figure:
    return Figure("sampling_robust", "risk", row, column)


def ten(rate: str, column: str) -> Figure:
    return Figure("sampling_pram", "ten", f"10 / {rate}", column)


JUDGED = {
    "alone_lowers_risk": Judged(
        {
            "risk of a tenth": Figure("sampling_risk", "risk", "1,000", "rate 0.1"),
            "risk of all": Figure("sampling_risk", "risk", "1,000", "rate 1"),
        },
        [Check("risk of a tenth", "<", "risk of all")],
        "{risk of a tenth} if a tenth of 10,000 is released and the attacker knows 1,000, against {risk of all}",
    ),
    "closed_form": Judged(
        {f"printed, {row}": case(row, "as printed") for row in CASES}
        | {f"enumerated, {row}": case(row, "enumerated") for row in CASES},
        [Check(f"printed, {row}", "=", f"enumerated, {row}", by=1e-6) for row in CASES],
        "as printed {printed, 6 / 2 / 1} where enumeration gives {enumerated, 6 / 2 / 1} (n = 6, n0 = 2, m = 1); "
        "over the whole range of its index the sum is n0 / (n − m + 1), which is right",
    ),
    "bounds_the_truth": Judged(
        {f"right at rate {rate}": right(rate, "Adult, 8 columns") for rate in RATES}
        | {f"formula at rate {rate}": right(rate, "the formula") for rate in RATES},
        [Check(f"right at rate {rate}", "<=", f"formula at rate {rate}", by=-0.05) for rate in RATES],
        "on eight columns of Adult attackers are right {right at rate .1} of the time at a rate of .1, where the formula says {formula at rate .1}",
    ),
    "robust": Judged(
        {
            "5 more than 100": besides("100 / 5", "times the assumed"),
            "5 more than 1,000": besides("1,000 / 5", "times the assumed"),
            "100 more than 1,000": besides("1,000 / 100", "times the assumed"),
            "right on Adult": Figure("sampling_robust", "adult", "4,884 / 0", "right"),
            "right on Adult with 50 more": Figure("sampling_robust", "adult", "4,884 / 50", "right"),
        },
        [
            Check("5 more than 100", "<=", 1.0, by=-0.06),
            Check("5 more than 1,000", "<=", 1.0, by=-0.06),
            Check("right on Adult with 50 more", "=", "right on Adult", by=0.05),
        ],
        "the risk is proportional to the people known: {5 more than 1,000} times with five more than 1,000, {5 more than 100} with five more "
        "than 100, {100 more than 1,000} with 100 more than 1,000; on Adult, attackers who know 50 more are right {right on Adult with 50 more} of the time instead of {right on Adult}",
    ),
    "unique": Judged(
        {
            "one always drawn": Figure(
                "sampling_strata_alone", "exact", "1 + 4 / 1 + 2 / 1 + 0 / hidden", "enumerated"
            ),
            "without strata": Figure(
                "sampling_strata_alone", "exact", "1 + 4 / 1 + 2 / 1 + 0 / hidden", "without strata"
            ),
            "right on eight columns": right(".1", "Adult, 8 columns"),
            "right on three columns": right(".1", "Adult, 3 columns"),
        },
        [Check("right on eight columns", ">", "right on three columns", times=2)],
        "the more columns, the more people are unique: attackers are right {right on three columns} of the time on three columns and "
        "{right on eight columns} on eight. Being drawn for certain does the same: risk {one always drawn} instead of {without strata}",
    ),
    "strata": Judged(
        {
            "enumerated in a stratum": Figure(
                "sampling_strata_alone", "exact", "3 + 3 / 1 + 2 / 0 + 1 / released", "enumerated"
            ),
            "without strata": Figure(
                "sampling_strata_alone", "exact", "3 + 3 / 1 + 2 / 0 + 1 / released", "without strata"
            ),
            "bound": Figure("sampling_strata_alone", "exact", "3 + 3 / 1 + 2 / 0 + 1 / released", "bound"),
        },
        [
            Check("enumerated in a stratum", "<=", "bound", by=-1e-6),
            Check("enumerated in a stratum", ">", "without strata"),
        ],
        "with strata the risk is that of the stratum in which fewest people were not drawn: {enumerated in a stratum} by enumeration, bound {bound}, where the "
        "formula without strata says {without strata}",
    ),
    "differential_privacy": Judged(
        {
            "all rows": Figure("sampling_epsilon", "rates", f"{PRAM} / 1", "ε of the table"),
            "half": Figure("sampling_epsilon", "rates", f"{PRAM} / .5", "ε of the table"),
            "a tenth": Figure("sampling_epsilon", "rates", f"{PRAM} / .1", "ε of the table"),
            "ε of a row": Figure("sampling_epsilon", "rates", f"{PRAM} / .1", "ε of a row"),
        },
        [Check("half", "<", "all rows"), Check("a tenth", "<", "half")],
        "PRAM that keeps half of the cells of 10,000 rows has an ε of the whole table of {all rows}, {half} if half of the rows are released and {a tenth} if a tenth is, who was drawn being secret; the ε of a row stays {ε of a row}. A sample "
        "released unchanged states none",
    ),
    "arbitrary_knowledge": Judged(
        {"risk if all are known": besides("10,000 / 0", "risk")},
        [Check("risk if all are known", "=", 1.0, by=1e-9)],
        "the risk is {risk if all are known} if half of the rows are released and the attacker knows everyone's record",
    ),
    "pram": Judged(
        {
            f"formula, {row}": Figure("sampling_exact", "pram", row, "k by formula")
            for row in ("2 / 1", "3 / 1", "3 / 2", "3 / 3")
        }
        | {
            f"enumerated, {row}": Figure("sampling_exact", "pram", row, "k enumerated")
            for row in ("2 / 1", "3 / 1", "3 / 2", "3 / 3")
        },
        [Check(f"formula, {row}", "=", f"enumerated, {row}", by=1e-9) for row in ("2 / 1", "3 / 1", "3 / 2", "3 / 3")],
        "enumeration gives the same k to all digits, {enumerated, 3 / 2} for two of three rows",
    ),
    "less_noise": Judged(
        {
            "retention at .5": ten(".5", "retention"),
            "retention alone": ten("1", "retention"),
            "retention at .5 against those who know": ten(".5", "retention for k against those who know"),
        },
        [
            Check("retention at .5", ">", "retention alone"),
            Check("retention at .5 against those who know", ">", "retention alone"),
        ],
        "cells retained at k = 10: {retention at .5} if half the rows are released, {retention alone} if all are; but {retention at .5 against those who know} against an attacker who knows who was drawn",
    ),
    "coins": Judged(
        {
            "k of half, had all been drawn": Figure(
                "sampling_strata", "designs", "Bernoulli, half, fails once in a million", "k, had all been drawn"
            )
        },
        [Check("k of half, had all been drawn", "<", 2.0)],
        "k falls to {k of half, had all been drawn} if everyone happens to be drawn; stating the chance of that, or drawing again, gives a guarantee",
    ),
}
