"""What each engine does: asked of the registry of needs, and tried on a small table.

    python -m benchmarks.capabilities            local and stream
    python -m benchmarks.capabilities --spark    Spark too; stores the table that docs/engines.md shows

"counts" means any number of rows; "codes" that the codes of all rows must fit into one memory (of Spark, the driver's); "rows" that
the rows themselves must. An engine that released anything else than the local one with the same seed would end the program.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import tokumei as tk
from benchmarks import stored
from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.engines.needs import needs_rows
from tokumei.errors import TokumeiWarning
from tokumei.plan import Output, Plan, Source

ROWS, SEED = 1500, 7
TOWNS = ["a", "b", "c", "d", "e", "f"]
SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", domain=tk.Numbers(20, 59, step=1)),
        tk.Attribute("town", domain=tk.Categories(TOWNS)),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
WHOSE = SCHEMA.replacing(tk.Attribute("name", "person"))
UNKNOWN = tk.Attribute("age", "insensitive", tk.Numbers(20, 59, step=1))
CUTS = tk.partitions.Mondrian()

# What it is called, the method, and the schema.
MADE: dict[str, tuple[Anonymizer, tk.Schema]] = {
    "`PkPerturbation`": (tk.PkPerturbation(k=5, tells="all"), SCHEMA),
    "one thing a row": (tk.PkPerturbation(k=5, tells=1), SCHEMA),
    "a sample": (tk.PkPerturbation(k=5, tells="all", sample=0.5), SCHEMA),
    "`PRAM`": (tk.PRAM({"town": tk.transitions.KeepOrReplace(0.5)}), SCHEMA.replacing(UNKNOWN)),
    "`Sampling`": (tk.Sampling(300, known=20), SCHEMA),
    "`RecordSuppression`": (tk.RecordSuppression(k=5, suppression_limit=1.0), SCHEMA),
    "`Generalization` by cuts": (tk.Generalization(k=5, partition=CUTS), SCHEMA),
    "`Generalization` by levels": (tk.Generalization(k=5, partition=tk.partitions.Optimal()), SCHEMA),
    "`Generalization` by other groups": (tk.Generalization(k=5, partition=tk.partitions.TopDown()), SCHEMA),
    "constraints": (
        tk.Generalization(k=5, partition=CUTS, constraints=[tk.constraints.LDiversity("ill", 2)]),
        SCHEMA,
    ),
    "published rates": (
        tk.Generalization(k=5, partition=CUTS, publish=[tk.rates.ValueRates(["town"], epsilon=1)]),
        SCHEMA,
    ),
    "people with several rows": (tk.PkPerturbation(k=5, kept="perturb", tells="all"), WHOSE),
    "`GroupedPkPerturbation`": (tk.GroupedPkPerturbation(k=5), SCHEMA),
    "a sample of groups, one thing a row": (tk.GroupedPkPerturbation(k=5, partition=CUTS, sample=0.5, tells=1), SCHEMA),
    "`Microaggregation`": (tk.Microaggregation(k=5), SCHEMA),
    "`LocalSuppression`": (tk.LocalSuppression(k=5), SCHEMA),
    "`Swapping`": (tk.Swapping(k=5), SCHEMA),
}


def people() -> pa.Table:
    rng = np.random.default_rng(3)
    ages = 20 + rng.integers(0, 40, ROWS)
    return pa.table(
        {
            "name": [f"p{row % 900}" for row in range(ROWS)],
            "age": ages,
            "town": np.array(TOWNS)[np.minimum(5, (ages - 20) // 8 + rng.integers(0, 2, ROWS))].tolist(),
            "ill": np.where(rng.random(ROWS) < ages / 100, "yes", "no").tolist(),
        }
    )


def kinds(release: tk.Release) -> Counter[tuple[Any, ...]]:
    return Counter(zip(*(column.to_pylist() for column in release.table.columns), strict=True))


def made_alike(method: Anonymizer, schema: tk.Schema, file: Path, engine: str) -> tk.Release:
    """Make a release on an engine, and compare it with the local one of the same seed."""
    plan = Plan(Source(str(file)), schema, method, (), Output(), Path())
    local, found = tk.run(plan, "local", SEED), tk.run(plan, engine, SEED)
    if found.guarantees != local.guarantees or kinds(found) != kinds(local):
        raise AssertionError(f"{method!r} on {engine} makes another release than in memory")
    return found


def how(method: Anonymizer, schema: tk.Schema, engine: str) -> str:
    """Say how an engine makes a release, as the registry of needs has it."""
    return "rows" if engine == "local" else "codes" if needs_rows(method, schema) else "counts"


def from_counts(engine: str, release: tk.Release, file: Path) -> dict[str, Callable[[], object]]:
    """Return what is done with a release, each as a call that fails if it brings the rows into memory."""
    whole = ("age", "town", "ill")
    counts = release.counted(*whole)
    frame = pq.read_table(file).drop_columns("name")

    def risk() -> object:
        if engine == "spark":
            from tokumei.engines.spark.session import session

            return tk.disclosure.assess_spark(session().read.parquet(file.as_uri()), ["age", "town"]).k
        return tk.disclosure.class_sizes(file, ["age", "town"]).smallest

    return {
        "`combine`": lambda: tk.combine([release, release]),
        "risk: class sizes": risk,
        "the ladder's numbers": lambda: tk.ladder(release, frame),
        "`IterativeBayes`": lambda: tk.IterativeBayes(["town", "ill"]).fit(release, counts=counts),
        "class-conditional models": lambda: tk.ClassConditionalClassifier("ill").fit(release, counts=counts),
        "the joint model": lambda: tk.reconstruct(release, counts=counts),
    }


def from_rows(release: tk.Release, file: Path) -> dict[str, tuple[Callable[[], object], ...]]:
    """Return what looks at the released rows themselves, and so needs them in memory."""
    frame = pq.read_table(file).drop_columns("name")
    return {
        "`attack`": (lambda: tk.attack(frame, release, random_state=1),),
        "density ratios, corrected regressions, complete rows": (
            lambda: tk.DensityRatio(random_state=0).fit(release),
            lambda: tk.CorrectedLogisticRegression("ill", ["age"]).fit(release),
            lambda: tk.synthesize(release, random_state=1),
        ),
    }


class RowsNeeded(AssertionError):
    """The rows were brought into memory."""


def refuse_rows(release: tk.Release) -> object:
    raise RowsNeeded


def looks_at_rows(work: Callable[[], object]) -> bool:
    """Try something; return whether it was the rows that it lacked."""
    try:
        work()
    except RowsNeeded:
        return True
    return False


def without_rows(release: tk.Release) -> tk.Release:
    """Return the release as one that cannot bring its rows into memory."""
    release.__dict__.pop("table", None)
    kind = type(release)
    object.__setattr__(release, "__class__", type(kind.__name__, (kind,), {"table": property(refuse_rows)}))
    return release


def table(engines: tuple[str, ...]) -> stored.Table:
    """Try everything on every engine."""
    rows: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        file = Path(folder) / "people.parquet"
        pq.write_table(people(), file, row_group_size=400)
        for engine in engines:
            for name, (method, schema) in MADE.items():
                made_alike(method, schema, file, engine)
                rows.setdefault(name, []).append(how(method, schema, engine))
            release = made_alike(*MADE["`PkPerturbation`"], file, engine)
            told = release if engine == "local" else without_rows(release)
            for name, work in from_counts(engine, told, file).items():
                work()
                rows.setdefault(name, []).append("rows" if engine == "local" else "counts")
            for name, works in from_rows(told, file).items():
                if engine != "local" and not all(map(looks_at_rows, works)):
                    raise AssertionError(f"{name} does not need the rows")
                rows.setdefault(name, []).append("rows")
    return stored.Table(["what", *engines], [[name, *ways] for name, ways in rows.items()])


def small_session() -> None:
    """Start Spark for tables so small that making code fast would take longer than running it."""
    from pyspark.sql import SparkSession

    from tests.engines.small_spark import SMALL

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]")
    for setting, value in SMALL.items():
        builder = builder.config(setting, value)
    builder.getOrCreate().sparkContext.setLogLevel("OFF")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--spark", action="store_true")
    given = parser.parse_args()
    if given.spark:
        small_session()
    found = table(("local", "stream", "spark") if given.spark else ("local", "stream"))
    print(found.markdown())
    if given.spark:
        command = "python -m benchmarks.capabilities --spark"
        stored.store("capabilities", {"engines": found}, command=command, seeds=[SEED], packages=("tokumei", "pyspark"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
