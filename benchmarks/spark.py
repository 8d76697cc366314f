"""What the Spark engine costs beside Spark itself, and what its Mondrian loses beside the local one.

    python -m benchmarks.spark [ROWS]         a million rows of the example census, unless said otherwise

Both sides of a ratio run in the same session on the same Parquet file, one after the other, and throw their rows away. What is
found is stored, see benchmarks/stored.py.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import tokumei as tk
from benchmarks.board import verdict
from benchmarks.row import Row, measure
from benchmarks.stored import Table, store
from tokumei.engines.spark.drawing import Drawing, drawn_frame, released_types
from tokumei.engines.spark.look import first_look
from tokumei.engines.spark.packing import packing_of
from tokumei.engines.spark.rows import Reader
from tokumei.engines.spark.session import quietly, session
from tokumei.randomness import Key

ROUNDS = 3


def thrown_away(frame: Any) -> None:
    frame.write.format("noop").mode("overwrite").save()


def identity(batches: Any) -> Iterator[Any]:
    yield from batches


def rows(frame: Any, schema: tk.Schema) -> Iterator[Row]:
    from pyspark.sql import functions as F  # noqa: N812

    with quietly():
        copied = frame.mapInArrow(identity, frame.schema)
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=10, tells="all"))
    look = first_look(frame, Reader(schema, ()))
    columns, channels = tuple(look.empty.columns), release.mechanism.channels
    types = released_types(look, schema, columns, channels)
    packing = packing_of(schema, types, channels)
    key = Key.fresh().for_tasks()
    drawing = Drawing(look.reader, look.parts, schema, columns, channels, None, None, key, packing=packing)
    drawn = packing.opened(drawn_frame(frame, drawing, types), schema, types)
    parts = frame.rdd.getNumPartitions()
    mixed = copied.withColumn("word", F.rand(1)).repartition(parts, "word").sortWithinPartitions("word")

    yield Row(
        "perturb", "identity mapInArrow", lambda: thrown_away(drawn), lambda: thrown_away(copied), 1.2, None, ROUNDS
    )
    yield Row(
        "perturb and shuffle",
        "identity mapInArrow and shuffle",
        lambda: thrown_away(release.frame),
        lambda: thrown_away(mixed),
        1.2,
        None,
        ROUNDS,
    )
    yield Row(
        "check and number every row",
        "identity mapInArrow",
        lambda: first_look(frame, look.reader),
        lambda: thrown_away(copied),
        None,
        None,
        ROUNDS,
    )


def loss(release: tk.Release) -> float:
    assert release.record is not None
    return float(release.record.notes[0].loss)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    schema = tk.example_schema()
    people = tk.example_census(rows=count, random_state=1, frame="pyarrow")
    spark = session()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "people.parquet"
        pq.write_table(people, file, row_group_size=100_000)
        frame = spark.read.parquet(str(file)).drop("person_id")
        schema = schema.without("person_id")
        found = []
        for row in rows(frame, schema):
            ratio = measure(row).ratio
            _, limit, holds = verdict(row, ratio)
            found.append([row.what, row.against, ratio, limit, "" if not limit else "ok" if holds else "MISSED"])
        method = tk.Generalization(k=10, partition=tk.partitions.Mondrian(choose="gain"))
        there = tk.anonymize(frame, schema, method)
        ratio = loss(there) / loss(tk.anonymize(people.drop_columns("person_id"), schema, method))
        holds = "ok" if ratio <= 1.02 else "MISSED"
        found.append(["mean loss of Mondrian", "the local engine's", ratio, "≤ 1.02×", holds])
        there.close()
    print(f"{count:,} rows × {len(schema.names())} columns, {spark.sparkContext.master}, Spark {spark.version}")
    table = Table(["what", "against", "ratio", "limit", "holds"], found, {"ratio": ".2f"})
    print(table.markdown())
    command = " ".join(["python -m benchmarks.spark", *sys.argv[1:]])
    store("spark", {"ratios": table}, command=command, packages=("tokumei", "pyspark"))


if __name__ == "__main__":
    main()
