"""The Spark engine against the local one, on one small table in three parts and one session."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import tokumei as tk
from tests.engines.stream.rows import as_multiset as kinds
from tests.engines.stream.rows import in_parts, plan_for
from tokumei.anonymizers.sample import choose as choose_locally
from tokumei.engines.local import prepared_table
from tokumei.engines.spark import engine as spark_engine
from tokumei.engines.spark import mondrian, source
from tokumei.engines.spark.choice import choose
from tokumei.engines.spark.look import Look, first_look
from tokumei.engines.spark.rows import Reader, mapped
from tokumei.engines.spark.session import JAVA, check_java
from tokumei.engines.spark.survey import SparkSurvey
from tokumei.engines.survey import LocalSurvey
from tokumei.errors import DataError, InvalidParameter, MissingDependency, OutputError
from tokumei.io.batches import Files
from tokumei.plan import Source
from tokumei.randomness import Key

ROWS = 6000
AREAS = ("north", "south", "east", "west")
SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 99, step=1)),
        tk.Attribute(
            "area",
            "quasi_identifier",
            tk.Categories(AREAS),
            tk.Hierarchy.groups({"n-s": ["north", "south"], "e-w": ["east", "west"]}),
            missing=True,
        ),
        tk.Attribute("born.on", "quasi_identifier", tk.Dates("1990-01-01", "2019-12-31")),
        tk.Attribute("count", "sensitive", tk.Categories(["few", "some", "many"])),
        tk.Attribute("note", "insensitive", missing=True),
    ]
)


@pytest.fixture(scope="module")
def people() -> pa.Table:
    rng = np.random.default_rng(5)
    areas = rng.choice(5, ROWS, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    return pa.table(
        {
            "name": [f"person {i}" for i in range(ROWS)],
            "age": np.clip(rng.normal(45, 18, ROWS), 0, 99).astype(np.int64),
            "area": pa.array([(*AREAS, None)[area] for area in areas]),
            "born.on": pa.array([dt.date(1990, 1, 1) + dt.timedelta(int(d)) for d in rng.integers(0, 10000, ROWS)]),
            "count": pa.array(rng.choice(["few", "some", "many"], ROWS).tolist()),
            "note": pa.array([None if i % 7 == 0 else i % 3 for i in range(ROWS)]),
        }
    )


@pytest.fixture(scope="module")
def frame(spark: Any, people: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("spark") / "people.parquet"
    pq.write_table(people, file, row_group_size=1000)
    read = spark.read.parquet(str(file))
    assert read.rdd.getNumPartitions() > 2
    return read


@pytest.fixture(scope="module")
def look(frame: Any) -> Look:
    return first_look(frame, Reader(SCHEMA, ()))


def test_perturbed_rows_are_those_of_the_local_engine(
    frame: Any, people: pa.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    method, steps = (
        tk.PkPerturbation(k=5, tells="all"),
        [tk.prepare.Recode("area", level=1), tk.prepare.TopBottomCode("age", low=10)],
    )
    release = tk.anonymize(frame, SCHEMA, method, steps, seed=3)
    local = tk.anonymize(people, SCHEMA, method, steps, seed=3)
    found = release.collected()
    assert found.table.column_names == local.table.column_names
    assert kinds(found.table) == kinds(local.table)
    assert release.guarantees == local.guarantees
    assert release.mechanism == local.mechanism
    assert release.rows == ROWS
    assert release.record == local.record
    # The order says nothing about the old one, and is the same whenever the rows are computed.
    numbers = np.array(found.table.column("note").fill_null(9))
    old = np.array(people.column("note").fill_null(9))
    assert abs(np.mean(numbers == old) - np.sum((np.bincount(old) / ROWS) ** 2)) < 0.03
    # The key is in no plan and no text.
    release.frame.explain(mode="extended")
    texts, secret = capsys.readouterr().out + repr(release), Key.seeded(3)._secret
    assert "MapInArrow" in texts
    assert not any(written in texts for written in (secret.hex(), str(list(secret))[1:-1], secret.decode("latin-1")))
    with pytest.raises(OutputError, match="drawn with a seed"):
        release.write(tmp_path / "out")
    release.write(tmp_path / "out", allow_seeded=True)
    read = tk.read_release(tmp_path / "out", frame="pyarrow")
    assert read.table.select(found.table.column_names).equals(found.table.cast(read.table.schema))
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    columns = ["age", "area"]
    counts = release.counted(*columns)
    mine = tk.IterativeBayes(columns, bins={"age": 5}).fit(release, counts=counts)
    theirs = tk.IterativeBayes(columns, bins={"age": 5}).fit(read)
    np.testing.assert_allclose(mine.pmf_, theirs.pmf_, atol=1e-9)
    np.testing.assert_allclose(mine.counts_, theirs.counts_, atol=1e-4)


@pytest.mark.parametrize("kept", ["unknown", "perturb"])
def test_rows_that_tell_one_thing_each_are_those_of_the_local_engine(
    frame: Any, people: pa.Table, tmp_path: Path, kept: Any
) -> None:
    parts = [tk.tells.Subsets(2, cells=4), tk.tells.Subsets(1)]
    method = tk.PkPerturbation(k=5, tells=parts, kept=kept)
    given, rows, schema = frame, people, SCHEMA
    if kept == "perturb":
        given, rows, schema = frame.drop("note"), people.drop_columns("note"), SCHEMA.without("note")
    steps = [tk.prepare.TopBottomCode("age", low=10)]
    release = tk.anonymize(given, schema, method, steps, seed=3)
    local = tk.anonymize(rows, schema, method, steps, seed=3)
    assert release.mechanism == local.mechanism
    assert release.guarantees == local.guarantees
    assert release.record == local.record
    assert release.originals == local.originals
    found = release.collected()
    assert found.table.schema.equals(local.table.schema)
    assert kinds(found.table) == kinds(local.table)
    release.write(tmp_path / "out", allow_seeded=True)
    read = tk.read_release(tmp_path / "out", frame="pyarrow")
    assert kinds(read.table.select(local.table.column_names)) == kinds(local.table)


SAMPLES = {
    "fixed": tk.PkPerturbation(k=5, sample=500, tells="all"),
    "strata": tk.PkPerturbation(k=3, sample=tk.samples.Stratified("count", {"few": 900, "many": 300}), tells="all"),
    "hidden strata": tk.PkPerturbation(k=3, sample=tk.samples.Stratified("count", 0.1, labels="hidden"), tells="all"),
    "coins": tk.PkPerturbation(k=5, sample=tk.samples.Bernoulli(0.2, redraw_above=1300), tells="all"),
    "tells two": tk.PkPerturbation(k=5, sample=0.3, tells=2),
}


@pytest.mark.parametrize("method", SAMPLES.values(), ids=SAMPLES)
def test_samples_are_those_of_the_local_engine(frame: Any, people: pa.Table, method: Any) -> None:
    release = tk.anonymize(frame, SCHEMA, method, seed=9)
    local = tk.anonymize(people, SCHEMA, method, seed=9)
    assert kinds(release.table) == kinds(local.table)
    assert release.rows == local.rows
    assert release.guarantees == local.guarantees
    assert release.disclosed == local.disclosed
    assert release.mechanism == local.mechanism


@pytest.mark.parametrize("method", SAMPLES.values(), ids=SAMPLES)
def test_the_survey_counts_as_the_local_one(look: Look, people: pa.Table, method: Any) -> None:
    key, sample = Key.seeded(8), method.sample
    chosen, table = choose(sample, look, key), prepared_table(people, SCHEMA, ())
    ours = SparkSurvey(look, key.for_tasks(), chosen, sample)
    theirs = LocalSurvey(table, choose_locally(sample, table, key), sample)
    for known in [(), ("count", "note")]:
        assert ours.hiding_places(known) == theirs.hiding_places(known)
    assert ours.strata() == theirs.strata()
    assert ours.counts("area") == theirs.counts("area")
    assert (ours.rows, ours.released, ours.planned) == (theirs.rows, theirs.released, theirs.planned)


def test_points_in_time_by_the_clock_and_coins_that_fall_as_they_do_locally(
    spark: Any, people: pa.Table, tmp_path: Path
) -> None:
    hours = np.random.default_rng(2).integers(0, 24 * 300, ROWS)
    clock = pa.array([dt.datetime(2020, 1, 1) + dt.timedelta(hours=int(hour)) for hour in hours], pa.timestamp("us"))
    table = pa.table({"when": clock, "ill": people.column("age").to_numpy() > 50})
    instants = table.set_column(0, "when", pc.assume_timezone(clock, "Asia/Tokyo"))
    pq.write_table(instants, tmp_path / "rows.parquet", row_group_size=1000)
    day = tk.Attribute("when", domain=tk.Dates("2020-01-01", "2020-12-31", unit="hour"))
    schema = tk.Schema([day, tk.Attribute("ill", domain=tk.Categories([False, True]))])
    method = tk.PkPerturbation(k=3, sample=tk.samples.Bernoulli(0.3, delta=0.01), tells="all")
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    release = tk.anonymize(spark.read.parquet(str(tmp_path / "rows.parquet")), schema, method, seed=1)
    found = release.collected()
    spark.conf.set("spark.sql.session.timeZone", before)
    local = tk.anonymize(table, schema, method, seed=1)
    assert found.table.schema == local.table.schema
    assert kinds(found.table) == kinds(local.table)
    assert release.guarantees == local.guarantees


def test_a_sample_on_its_own_goes_into_a_database(frame: Any, people: pa.Table, tmp_path: Path) -> None:
    release = tk.anonymize(frame, SCHEMA, tk.Sampling(200, known=50), seed=4)
    assert release.rows == 200
    local = tk.anonymize(people, SCHEMA, tk.Sampling(200, known=50), seed=4)
    assert kinds(pa.concat_tables(release.pieces())) == kinds(local.table)
    database = f"sqlite:///{tmp_path / 'out.db'}"
    release.write_table(database, "people", allow_seeded=True)
    read = tk.read_release(database, "pyarrow", table="people").table.select(local.table.column_names)
    assert kinds(read) == kinds(local.table)


def test_pram_and_a_hidden_stratum(frame: Any, people: pa.Table) -> None:
    method = tk.PRAM(
        {"age": tk.transitions.KeepOrReplace(0.5), "area": tk.transitions.Invariant(0.7)},
        sample=tk.samples.Stratified("count", 0.2, labels="hidden"),
    )
    steps = [tk.prepare.Recode("age", hierarchy=tk.Hierarchy.intervals([0, 20, 40, 60, 100]))]
    schema = SCHEMA.without("born.on")
    release = tk.anonymize(frame.drop("born.on"), schema, method, steps, seed=1)
    local = tk.anonymize(people.drop_columns("born.on"), schema, method, steps, seed=1)
    assert release.mechanism == local.mechanism
    assert release.guarantees == local.guarantees
    assert release.table.column_names == ["age", "area", "note"]
    assert kinds(release.table) == kinds(local.table)
    assert release.rows == local.rows


def test_mondrian_in_one_cell_is_the_local_one(frame: Any, people: pa.Table, tmp_path: Path) -> None:
    method = tk.Generalization(k=5, partition=tk.partitions.Mondrian(choose="gain"))
    release = tk.anonymize(frame, SCHEMA, method)
    local = tk.anonymize(people, SCHEMA, method)
    assert kinds(release.collected().table) == kinds(local.table)
    assert release.guarantees == local.guarantees
    assert release.schema == local.schema
    assert release.mechanism == local.mechanism
    assert release.record.notes == local.record.notes
    assert tk.disclosure.assess_spark(release).k == release.guarantees[0].value
    release.write(tmp_path / "out", "csv")
    assert kinds(tk.read_release(tmp_path / "out", "pyarrow").table) == kinds(local.table)
    release.close()


def test_mondrian_in_many_cells_keeps_k_and_loses_hardly_more(
    frame: Any, people: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = tk.Generalization(k=5, partition=tk.partitions.Mondrian(choose="gain"))
    monkeypatch.setattr(mondrian, "CELL", 800)
    monkeypatch.setattr(mondrian, "SAMPLE", 3000)
    release = tk.anonymize(frame, SCHEMA, method, seed=2)
    found = release.collected()
    assert tk.assess(found).k == release.guarantees[0].value >= 5
    lost, least = (_loss(each) for each in (found, tk.anonymize(people, SCHEMA, method)))
    assert lost <= 1.02 * least
    release.close()


def _loss(release: tk.Release) -> float:
    assert release.record is not None
    return float(release.record.notes[0].loss)


def test_small_classes_are_left_out_as_they_are_locally(frame: Any, people: pa.Table) -> None:
    schema, steps = SCHEMA.without("born.on"), [tk.prepare.Recode("area", level=1)]
    method = tk.RecordSuppression(k=20)
    release = tk.anonymize(frame.drop("born.on"), schema, method, steps)
    local = tk.anonymize(people.drop_columns("born.on"), schema, method, steps)
    assert 0 < local.rows < ROWS
    assert release.rows == local.rows
    assert kinds(release.collected().table) == kinds(local.table)
    assert release.guarantees == local.guarantees
    assert release.disclosed == local.disclosed
    risk = tk.assess(local)
    ours = tk.disclosure.assess_spark(release, population=100_000)
    assert (ours.sizes, ours.prosecutor) == (risk.sizes, risk.prosecutor)
    assert "k = " in str(ours)


HELD = {
    "groups": tk.GroupedPkPerturbation(k=5, partition=tk.partitions.Mondrian()),
    "groups, one thing a row of a sample": tk.GroupedPkPerturbation(
        k=3, partition=tk.partitions.Mondrian(), tells=1, sample=0.5
    ),
    "a constraint": tk.Generalization(
        k=3, partition=tk.partitions.Mondrian(), constraints=[tk.constraints.LDiversity("count", 2)]
    ),
    "levels": tk.Generalization(k=3, partition=tk.partitions.Optimal(), suppression_limit=0.1),
    "rates": tk.RecordSuppression(k=2, suppression_limit=1.0, publish=[tk.rates.ValueRates(["area"], epsilon=1)]),
    "swapping": tk.Swapping(k=5),
    "a split learned from the rows": tk.PkPerturbation(k=3, split=tk.splits.OptimisedSplit("pairs"), tells="all"),
}


@pytest.mark.parametrize("name", HELD)
def test_what_looks_at_all_rows_is_designed_on_the_driver(frame: Any, people: pa.Table, name: str) -> None:
    local = tk.anonymize(people, SCHEMA, HELD[name], seed=8)
    release = tk.anonymize(frame, SCHEMA, HELD[name], seed=8)
    assert release.guarantees == local.guarantees
    assert release.disclosed == local.disclosed
    assert release.record == local.record
    assert release.frame.rdd.getNumPartitions() > 1
    assert release.collected().table.equals(local.table.select(release.types.names))


def test_people_with_several_rows(frame: Any, people: pa.Table, spark: Any, tmp_path: Path) -> None:
    """Rows of one person lie in several parts."""
    visits = people.append_column("who", pa.array([f"p{row % 2500}" for row in range(ROWS)]))
    pq.write_table(visits, tmp_path / "visits.parquet", row_group_size=1000)
    schema = tk.Schema((*SCHEMA, tk.Attribute("who", "person"))).without("note")
    for method in (
        tk.PkPerturbation(k=5, kept="perturb", tells="all"),
        tk.RecordSuppression(k=2, suppression_limit=1.0),
    ):
        local = tk.anonymize(visits.drop_columns("note"), schema, method, seed=8)
        release = tk.anonymize(
            spark.read.parquet(str(tmp_path / "visits.parquet")).drop("note"), schema, method, seed=8
        )
        assert release.guarantees == local.guarantees
        assert kinds(release.collected().table) == kinds(local.table)


def test_codes_that_the_driver_may_not_hold(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_engine, "_collected", lambda session: 10**6)
    words = r"GroupedPkPerturbation needs all rows in one memory: 6,000 rows take about 0.01 GB for it, and the engine 'spark' may use 0.00 GB; allow more memory\."
    with pytest.raises(InvalidParameter, match=words):
        tk.anonymize(frame, SCHEMA, tk.GroupedPkPerturbation(k=3))


def test_faults_are_one_sentence_without_a_cell(
    spark: Any, people: pa.Table, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file, method = tmp_path / "rows.parquet", tk.PkPerturbation(k=5, tells="all")
    strange = people.set_column(1, "age", pa.array([*people.column("age").to_pylist()[:-1], 777]))
    pq.write_table(strange, file, row_group_size=1000)
    with pytest.raises(
        DataError, match=r"In part \d of \d of the Spark frame: Column 'age' has 1 value outside"
    ) as told:
        tk.anonymize(spark.read.parquet(str(file)), SCHEMA, method)
    assert "777" not in str(told.value)
    with pytest.raises(DataError, match="The table has no column 'age'"):
        tk.anonymize(spark.read.parquet(str(file)).drop("age"), SCHEMA, method)

    odd = tk.Schema([tk.Attribute(name, "insensitive") for name in ("Age", "age", "tokumei order 1")])
    for names, words in (
        (["Age", "age"], "does not distinguish 'age' from a column"),
        (["age", "tokumei order 1"], "rename 'tokumei order 1'"),
    ):
        schema = odd.without(*set(odd.names()) - set(names))
        with pytest.raises(DataError, match=words):
            tk.anonymize(
                spark.range(5).selectExpr(*(f"id AS `{name}`" for name in names)), schema, tk.Sampling(1, known=1)
            )

    # The file changes after the rows were numbered: the draws would not be the same, so nothing is written.
    pq.write_table(people, file, row_group_size=1000)
    release = tk.anonymize(spark.read.parquet(str(file)), SCHEMA, method)
    pq.write_table(people.take(np.arange(ROWS)[::-1].copy()), file, row_group_size=1000)
    with pytest.raises(DataError, match="write the frame to Parquet first"):
        release.write(tmp_path / "out")
    file.write_bytes(b"PAR1 this is no Parquet PAR1")
    with pytest.raises(DataError, match="Spark failed in writing the rows") as told:
        release.write(tmp_path / "out")
    assert told.value.__context__ is None  # Spark's own text may show cells
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]
    with pytest.raises(OutputError, match="give a path, not a URL"):
        release.write("s3://bucket/out")

    def fails(batches: Any) -> Any:
        raise ValueError("secret cell")

    pq.write_table(people, file, row_group_size=1000)
    columns = dict(zip(people.schema.names, people.schema.types, strict=True))
    with pytest.raises(DataError, match="Spark failed in reading the rows") as told:
        tk.anonymize(mapped(spark.read.parquet(str(file)), fails, columns), SCHEMA, method)
    assert "secret" not in str(told.value)


def test_plans_run_on_spark(spark: Any, people: pa.Table, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from typer.testing import CliRunner

    from tokumei.cli.app import app

    rows = people.select(["age", "area", "count"]).to_pylist()
    lines = ["age,area,count", *(f'{r["age"]},{r["area"] or "?"},"{r["count"]}"' for r in rows)]
    (tmp_path / "people.csv").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "plan.toml").write_text(
        """
        [source]
        path = "people.csv"
        missing = ["", "?"]
        [schema.age]
        role = "quasi_identifier"
        domain = { kind = "numbers", low = 0, high = 99, step = 1 }
        [schema.area]
        role = "quasi_identifier"
        domain = { kind = "categories", values = ["north", "south", "east", "west"] }
        missing = true
        [schema.count]
        role = "sensitive"
        domain = { kind = "categories", values = ["few", "some", "many"] }
        [method]
        method = "pk_perturbation"
        k = 5
        """,
        encoding="utf-8",
    )
    run = CliRunner().invoke(app, ["anonymize", str(tmp_path / "plan.toml"), "--engine", "spark", "--seed", "4"])
    assert run.exit_code == 0, run.output
    local = tk.run(tmp_path / "plan.toml", seed=4)
    assert kinds(tk.read_release(tmp_path / "release", "pyarrow").table) == kinds(local.table)
    with (tmp_path / "people.csv").open("a", encoding="utf-8") as file:
        file.write("\nSECRET,north,few")
    capfd.readouterr()
    with pytest.raises(DataError, match="Column 'age' holds text but its domain is numbers"):
        tk.run(tmp_path / "plan.toml", engine="spark")
    assert "SECRET" not in "".join(capfd.readouterr())
    run = CliRunner().invoke(app, ["anonymize", str(tmp_path / "plan.toml"), "--engine", "abacus"])
    assert run.exit_code == 1
    assert "engine must be one of 'auto', 'local', 'stream', 'spark'" in run.output


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_folders_and_patterns_are_read_as_they_are_locally(
    spark: Any, people: pa.Table, tmp_path: Path, kind: str
) -> None:
    folder = in_parts(people.slice(0, 900), tmp_path / "parts", 3, kind)
    for path in (folder, folder / f"part-[01].{kind}"):
        plan = plan_for(path, tk.PkPerturbation(k=5, tells="all"), schema=SCHEMA)
        assert kinds(tk.run(plan, engine="spark", seed=2).table) == kinds(tk.run(plan, seed=2).table)


def test_marks_of_missing_cells_of_parquet_files_are_read_as_the_plan_says(spark: Any, tmp_path: Path) -> None:
    cells = {
        "age": [999 if row % 7 == 0 else row % 60 for row in range(420)],
        "area": ["?" if row % 5 == 0 else AREAS[row % 4] for row in range(420)],
        "born.on": [9.5 if row % 4 == 0 else None if row % 6 == 0 else row % 3 for row in range(420)],
    }
    pq.write_table(pa.table(cells), tmp_path / "people.parquet")
    schema = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 99, step=1), missing=True),
            tk.Attribute("area", "quasi_identifier", tk.Categories(AREAS), missing=True),
            tk.Attribute("born.on", "quasi_identifier", tk.Numbers(0, 3), missing=True),
        ]
    )
    plan = plan_for(tmp_path / "people.parquet", tk.PkPerturbation(k=5, tells="all"), schema=schema)
    marked = replace(plan, source=replace(plan.source, missing=("", "?", "999", "9.5")))
    found = source.read_frame(Files([tmp_path / "people.parquet"], schema, marked.source.dialect)).toArrow()
    assert [found.column(name).null_count for name in cells] == [60, 84, 140]
    assert kinds(tk.run(marked, engine="spark", seed=3).table) == kinds(tk.run(marked, seed=3).table)


def test_more_files_than_are_read_in_order_have_the_same_rows(
    spark: Any, people: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "IN_ORDER", 2)
    parts = in_parts(people.select(["age", "area", "note"]), tmp_path / "parts", 3, "parquet")
    plan = plan_for(parts, tk.RecordSuppression(k=2), schema=SCHEMA.without("name", "born.on", "count"))
    assert kinds(tk.run(plan, engine="spark").table) == kinds(tk.run(plan).table)


def test_what_a_plan_may_not_ask_of_spark_says_who_can(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "people.parquet", tk.PkPerturbation(k=5, tells="all"), schema=SCHEMA)
    with pytest.raises(InvalidParameter, match="shuffle='blocks' is only for the engine 'stream'"):
        tk.run(plan, engine="spark", shuffle="blocks")
    table = replace(plan, source=Source(database="sqlite:///people.db", table="people"))
    with pytest.raises(InvalidParameter, match="reads files, not databases; use the engine 'stream'"):
        tk.run(table, engine="spark")
    with pytest.raises(DataError, match="does not exist"):
        tk.run(plan, engine="spark")


def test_java_is_found_or_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingDependency, match="default-jre-headless"):
        check_java()
    assert "JAVA_HOME" in JAVA


PROGRAM = "tests.engines.spark_loses_a_machine"


def test_a_machine_lost_in_the_middle_changes_nothing(people: pa.Table, tmp_path: Path) -> None:
    people = people.slice(0, 1500)
    pq.write_table(people, tmp_path / "people.parquet", row_group_size=500)
    done = subprocess.run(
        [sys.executable, "-m", PROGRAM, str(tmp_path)],
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert (tmp_path / "killed").read_text() == "1"
    assert (tmp_path / "failed").exists()
    for name, method in (
        ("noise", tk.PkPerturbation(k=5, tells="all")),
        ("groups", tk.Generalization(k=5, partition=tk.partitions.Mondrian())),
        ("held", tk.Swapping(k=5)),
    ):
        local = tk.anonymize(people, SCHEMA, method, seed=6)
        assert kinds(tk.read_release(tmp_path / name, "pyarrow").table) == kinds(local.table)


@pytest.mark.parametrize("method", [tk.PkPerturbation(k=3), tk.Sampling(500, known=100)], ids=["pk", "sample"])
def test_rungs_are_counted_on_the_cluster_as_in_memory(frame: Any, people: pa.Table, method: Any) -> None:
    there, here = (tk.anonymize(each, SCHEMA, method, seed=4) for each in (frame, people))
    assert there.guarantees[0].headline == here.guarantees[0].headline
    assert [rung.value for rung in there.rungs] == [rung.value for rung in here.rungs]
    assert "table" not in vars(there), "the rows were brought into memory for it"


def test_what_is_measured_runs(spark: Any, tmp_path: Path) -> None:
    """Both sides of every ratio of `benchmarks.spark`, which makes its tasks by hand."""
    from benchmarks.spark import rows

    pq.write_table(tk.example_census(rows=300, frame="pyarrow"), tmp_path / "people.parquet")
    frame = spark.read.parquet((tmp_path / "people.parquet").as_uri()).drop("person_id")
    measured = []
    for row in rows(frame, tk.example_schema().without("person_id")):
        row.ours()
        row.other()
        measured.append(row.what)
    assert measured == ["perturb", "perturb and shuffle", "check and number every row"]
