"""People with several rows: what releases of them promise, and what is refused."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tokumei as tk
from tests.release.forging import rewrite
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter, ReleaseError
from tokumei.plan import Plan, Source
from tokumei.prepare.keys import write_key
from tokumei.privacy.assumptions import ColumnsDoNotJoin, MostRows, OneRow
from tokumei.privacy.exact import link_posteriors

ROWS = 600
QUASI = [
    tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 19, step=1), tk.Hierarchy.intervals([0, 5, 10, 15, 20])),
    tk.Attribute("sex", "quasi_identifier", tk.Categories(["f", "m"])),
]
KEPT = tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"]))


def schema(most: int | None = None, kept: tk.Attribute = KEPT) -> tk.Schema:
    return tk.Schema([tk.Attribute("who", "person", most=most), *QUASI, kept])


@pytest.fixture(scope="module")
def visits() -> pd.DataFrame:
    """Visits of patients, of whom some came often."""
    rng = np.random.default_rng(7)
    who = np.concatenate([np.repeat(np.arange(40), 5), np.repeat(np.arange(40, 140), 2), np.arange(140, 340)])
    age = rng.integers(0, 20, 340)[who]
    sex = rng.choice(["f", "m"], 340)[who]
    order = rng.permutation(ROWS)
    made = pd.DataFrame({"who": who, "age": age, "sex": sex, "ill": rng.choice(["no", "yes"], ROWS)})
    return made.iloc[order].reset_index(drop=True)


def share_of_people(rows: pd.DataFrame, columns: list[str]) -> float:
    """The promise counted by itself: the largest part of a class that is one person's."""
    own = rows.groupby([*columns, "who"], observed=True).size()
    return float((own / rows.groupby(columns, observed=True).size()).max())


def with_people(release: tk.Release, frame: pd.DataFrame, method: Any, which: tk.Schema) -> pd.DataFrame:
    """Draw the same release again with its secrets, and put the people back."""
    from tokumei.engines.local import make_release
    from tokumei.randomness import Key
    from tokumei.table.frames import to_arrow

    arrow, origin = to_arrow(frame)
    made = make_release(arrow, origin, which, method, (), Key.seeded(1))
    rows = made.release.frame.copy()
    rows["who"] = frame["who"].to_numpy()[made.order]
    assert len(rows) == release.rows
    return rows


METHODS = [
    tk.Generalization(k=4),
    tk.Generalization(k=4, partition=tk.partitions.Optimal(), suppression_limit=0.2),
    tk.Generalization(k=4, partition=tk.partitions.Mondrian()),
    tk.Generalization(k=3, partition=tk.partitions.NearestGroups()),
    tk.Microaggregation(k=4),
    tk.Microaggregation(k=3, cells="interval"),
    tk.RecordSuppression(k=3),
    tk.Generalization(k=3, constraints=[tk.constraints.LDiversity("ill", 2)]),
]


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_nobody_has_more_than_a_kth_of_a_class(visits: pd.DataFrame, method: Any, tmp_path: Path) -> None:
    frame = visits if not isinstance(method, tk.RecordSuppression) else visits.assign(age=visits["age"] // 10)
    release = tk.anonymize(frame, schema(), method, seed=1)
    assert "who" not in release.frame.columns
    rows = with_people(release, frame, method, schema())
    worst = share_of_people(rows, ["age", "sex"])
    promised = release.guarantees[0]
    assert worst <= 1 / method.k
    assert promised.value == pytest.approx(1 / worst)
    assert OneRow() not in promised.assumes
    assert MostRows(most=5, how="counted") in promised.assumes
    assert {fact.name: fact.value for fact in release.disclosed}["rows_per_person"] == 5
    release.write(tmp_path / "out", allow_seeded=True)
    again = tk.read_release(tmp_path / "out")
    assert again.guarantees == release.guarantees


def test_one_row_each_would_not_have_been_enough(visits: pd.DataFrame) -> None:
    method = tk.Generalization(k=4, partition=tk.partitions.Mondrian())
    plain = tk.Schema([tk.Attribute("who", "identifier"), *QUASI, KEPT])
    release = tk.anonymize(visits, plain, method, seed=1)
    assert share_of_people(with_people(release, visits, method, plain), ["age", "sex"]) > 1 / 4


def test_pk_is_solved_for_people(visits: pd.DataFrame, tmp_path: Path) -> None:
    release = tk.anonymize(visits, schema(), tk.PkPerturbation(k=5, kept="perturb", tells="all"))
    promised, swap = release.guarantees[0], release.mechanism.swap
    assert promised.value == pytest.approx(float(1 + (ROWS - 5) * swap / 5))
    assert 5 <= promised.value < 5.0001
    assert promised.numbers == {"among": ROWS, "inside": ROWS, "most": 5}
    release.write(tmp_path / "out")
    assert tk.read_release(tmp_path / "out").guarantees == release.guarantees
    assert len(release.guarantees) == 1  # the number of rows was counted, so there is no epsilon


def test_a_declared_number_takes_nothing_from_the_data(visits: pd.DataFrame, tmp_path: Path) -> None:
    release = tk.anonymize(visits, schema(most=8), tk.PkPerturbation(k=5, kept="perturb", tells="all"))
    assert release.disclosed == ()
    assert release.guarantees[0].numbers["most"] == 8
    assert MostRows(most=8, how="declared") in release.guarantees[0].assumes
    rows = [channel.epsilon for channel in release.mechanism.channels.values()]
    assert release.guarantees[1].value == pytest.approx(8 * sum(rows))
    release.write(tmp_path / "out")
    assert tk.read_release(tmp_path / "out").guarantees == release.guarantees


@pytest.mark.parametrize(
    "method",
    [
        tk.PkPerturbation(k=3, kept="known", tells="all"),
        tk.PkPerturbation(k=3, kept="perturb", tells="all"),
        tk.PkPerturbation(k=3, kept="perturb", sample=200, tells="all"),
        tk.PkPerturbation(k=3, kept="known", sample=200, membership="known", tells="all"),
        tk.PkPerturbation(k=3, kept="perturb", sample=tk.samples.Bernoulli(0.5, delta=1e-6), tells="all"),
        tk.PkPerturbation(k=3, sample=tk.samples.Stratified("ill", 100, labels="hidden"), tells="all"),
        tk.PkPerturbation(k=3, sample=tk.samples.Stratified("ill", 100, labels="released"), kept="known", tells="all"),
        tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Mondrian(min_size=60), kept="perturb"),
    ],
    ids=repr,
)
def test_every_way_of_perturbing_keeps_its_word_and_is_read_back(
    visits: pd.DataFrame, method: Any, tmp_path: Path
) -> None:
    for which in (schema(), schema(most=6)):
        release = tk.anonymize(visits, which, method)
        solved = release.guarantees[-1] if getattr(method, "membership", "") == "known" else release.guarantees[0]
        assert solved.value >= 3
        assert all("most" in each.numbers for each in release.guarantees if each.notion == "Pk-anonymity")
        release.write(tmp_path / str(which["who"].most))
        assert tk.read_release(tmp_path / str(which["who"].most)).guarantees == release.guarantees


def test_groups_keep_their_word_against_the_exact_adversary() -> None:
    frame = pd.DataFrame({"who": [0, 0, 1, 2, 3, 4, 4, 5], "x": [0, 0, 0, 1, 4, 4, 4, 5]})
    which = tk.Schema(
        [
            tk.Attribute("who", "person"),
            tk.Attribute("x", "quasi_identifier", tk.Numbers(0, 5, step=1)),
        ]
    )
    method = tk.GroupedPkPerturbation(k=1.9, partition=tk.partitions.Mondrian())
    release = tk.anonymize(frame, which, method, seed=1)
    grouping = release.mechanism.grouping
    assert grouping is not None
    assert len(grouping.groups) == 2
    assert [group.most for group in grouping.groups] == [2, 2]
    worst = 0.0
    for number, rows in enumerate(([0, 1, 2, 3], [4, 5, 6, 7])):
        matrix = grouping.channel(number, "x").matrix()
        box = grouping.box(number, "x")
        true = frame["x"].to_numpy()[rows] - box.low
        mine = (frame["who"].to_numpy()[rows][None, :] == np.unique(frame["who"][rows])[:, None]).astype(float)
        for code in range(box.size**4):
            drawn = np.unravel_index(code, (box.size,) * 4)
            worst = max(worst, float((mine @ link_posteriors(matrix[np.array(drawn)[None, :], true[:, None]])).max()))
    assert worst <= 1 / release.guarantees[0].value * (1 + 1e-12)


def test_pram_counts_people(visits: pd.DataFrame) -> None:
    which = tk.Schema([tk.Attribute("who", "person"), QUASI[1]])
    release = tk.anonymize(visits[["who", "sex"]], which, tk.PRAM({"sex": [[0.7, 0.3], [0.3, 0.7]]}))
    swap = (0.3 / 0.7) ** 2
    assert release.guarantees[0].value == pytest.approx(1 + (ROWS - 5) * swap / 5, rel=1e-6)


def test_releases_of_people_are_combined(visits: pd.DataFrame) -> None:
    two = [tk.anonymize(visits, schema(), tk.PkPerturbation(k=k, kept="perturb", tells="all")) for k in (20, 10)]
    assert (
        tk.combine(two)[0].value == two[1].guarantees[0].value
    )  # each keeps its own promise against whoever knows all


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (
            tk.LocalSuppression(k=3, meaning="wildcard"),
            r"LocalSuppression\(meaning='wildcard'\) is for tables with one row per person",
        ),
        (tk.Sampling(100, known=10), "Sampling is for tables with one row per person"),
        (
            tk.Generalization(k=3, publish=[tk.rates.ValueRates()]),
            "publishing rates is for tables with one row per person",
        ),
        (tk.GroupedPkPerturbation(k=3, kept="known"), "cannot also count on equivalence classes of known columns"),
    ],
)
def test_what_cannot_be_kept_is_refused(visits: pd.DataFrame, method: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.anonymize(visits, schema(), method)


ADDRESS = tk.Attribute("address", "insensitive")


def with_address(visits: pd.DataFrame) -> pd.DataFrame:
    """Everybody has an address of his own, in place of an illness."""
    return visits.drop(columns="ill").assign(address=[f"street {number}" for number in visits["who"]])


@pytest.mark.parametrize(
    "method",
    [tk.PkPerturbation(k=3, tells="all"), tk.PRAM({"sex": [[0.7, 0.3], [0.3, 0.7]]}), tk.GroupedPkPerturbation(k=3)],
    ids=repr,
)
def test_columns_that_may_join_the_rows_of_a_person_are_refused(visits: pd.DataFrame, method: Any) -> None:
    frame, which = visits, schema()
    if isinstance(method, tk.PRAM):
        frame, which = visits.drop(columns="age"), schema().without("age")
    with pytest.raises(InvalidParameter, match="may show which rows belong to one person"):
        tk.anonymize(frame, which, method)
    each = frame.drop_duplicates("who")  # with one row each there is nothing to join
    assert tk.anonymize(each, which, method).guarantees[0].numbers["most"] == 1


def test_groups_of_people_with_one_row_each_count_on_known_columns(visits: pd.DataFrame, tmp_path: Path) -> None:
    method = tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Mondrian(min_size=60), kept="known")
    release = tk.anonymize(visits.drop_duplicates("who"), schema(), method)
    assert release.guarantees[0].value >= 3
    release.write(tmp_path / "out")
    assert tk.read_release(tmp_path / "out").guarantees == release.guarantees


def test_known_columns_that_join_rows_leave_nothing_to_promise(visits: pd.DataFrame) -> None:
    with pytest.raises(InfeasiblePromise):
        tk.anonymize(with_address(visits), schema(kept=ADDRESS), tk.PkPerturbation(k=2, kept="known", tells="all"))


def test_classes_of_rows_that_can_be_joined_are_warned_of(visits: pd.DataFrame) -> None:
    with pytest.warns(tk.errors.JoinedRowsWarning, match="140 people have several rows that agree in 'address'"):
        release = tk.anonymize(with_address(visits), schema(kept=ADDRESS), tk.Generalization(k=4))
    assert any(isinstance(each, ColumnsDoNotJoin) for each in release.guarantees[0].assumes)
    with warnings.catch_warnings():
        warnings.simplefilter("error", tk.errors.JoinedRowsWarning)
        tk.anonymize(visits, schema(), tk.Generalization(k=4))


@pytest.mark.parametrize(
    "method", [tk.PkPerturbation(k=3, kept="unknown", tells="all"), tk.Generalization(k=3)], ids=repr
)
def test_pseudonyms_of_people_with_several_rows_are_refused(visits: pd.DataFrame, method: Any, tmp_path: Path) -> None:
    write_key(tmp_path / "key")
    which = tk.Schema([tk.Attribute("who", "person"), tk.Attribute("number", "identifier"), *QUASI])
    frame = visits.drop(columns="ill").assign(number=visits["who"] + 1000)
    with pytest.raises(InvalidParameter, match="would show which rows belong to one person"):
        tk.anonymize(frame, which, method, prepare=[tk.prepare.Pseudonymize("number", key=f"file:{tmp_path / 'key'}")])


def test_too_much_is_refused_with_what_could_be_had(visits: pd.DataFrame) -> None:
    with pytest.raises(InfeasiblePromise, match="5 may belong to one person, so the largest k is 120"):
        tk.anonymize(visits, schema(), tk.PkPerturbation(k=121, tells="all"))
    with pytest.raises(InfeasiblePromise):
        tk.anonymize(visits, schema(), tk.Generalization(k=121))


def test_tables_that_do_not_say_whose_rows_they_are_are_refused(visits: pd.DataFrame) -> None:
    with pytest.raises(DataError, match="40 people have more rows than the declared most"):
        tk.anonymize(visits, schema(most=4), tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(DataError, match="1 cell of it is missing"):
        gap = visits.assign(who=visits["who"].astype("Int64"))
        gap.loc[0, "who"] = pd.NA
        tk.anonymize(gap, schema(), tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(DataError, match="2 cells of it are missing"):
        blank = visits.assign(who=visits["who"].astype(str))
        blank.loc[:1, "who"] = ["", " "]  # which may be anybody
        tk.anonymize(blank, schema(), tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(DataError, match="no column 'who'"):
        tk.anonymize(visits.drop(columns="who"), schema(), tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(InvalidParameter, match="at most one column of role 'person'"):
        tk.Schema([tk.Attribute("a", "person"), tk.Attribute("b", "person")])
    with pytest.raises(InvalidParameter, match="most is for a column of role 'person'"):
        tk.Attribute("a", "identifier", most=3)
    with pytest.raises(InvalidParameter, match="at least 1"):
        tk.Attribute("a", "person", most=0)
    with pytest.raises(InvalidParameter, match="at most 1,000,000,000,000,000"):
        tk.Attribute("a", "person", most=10**30)
    with pytest.raises(InvalidParameter, match="cannot have missing cells"):
        tk.Attribute("a", "person", missing=True)


@pytest.mark.parametrize(
    "cells",
    [
        pa.array(["Zo\u00eb", "Zoe\u0308", "Al", "Bo"]),
        pa.array(["Zo\u00eb", "Zoe\u0308", "Al", "Bo"], pa.string_view()),
        pa.array(["Zo\u00eb", "Zoe\u0308", "Al", "Bo"]).dictionary_encode(),
        pa.array(np.array([1, 1, 2, 3], dtype=np.float16)),
        pa.array([0.0, -0.0, 2.0, 3.0]),
    ],
    ids=["composed", "view", "dictionary", "half", "zero"],
)
def test_a_person_written_in_two_ways_is_one(cells: Any) -> None:
    which = tk.Schema([tk.Attribute("who", "person"), QUASI[1]])
    release = tk.anonymize(
        pa.table({"who": cells, "sex": ["f", "m"] * 2}), which, tk.PkPerturbation(k=1.5, tells="all")
    )
    assert release.guarantees[0].numbers["most"] == 2


def test_measuring_what_takes_one_row_a_person_is_refused(visits: pd.DataFrame) -> None:
    made = tk.anonymize(visits, schema(), tk.PkPerturbation(k=5, kept="perturb", tells="all"))
    with pytest.raises(InvalidParameter, match="a column has the role 'person'"):
        tk.attack(visits.drop(columns="who"), made)
    alike = tk.anonymize(visits, schema(), tk.Generalization(k=3))
    with pytest.raises(InvalidParameter, match="people with several rows could be found by any of them"):
        tk.disclosure.collation_check(visits.drop(columns="who"), alike)
    with pytest.raises(InvalidParameter, match="would understate"):
        tk.assess(alike)


def test_a_forged_number_of_rows_is_found(visits: pd.DataFrame, tmp_path: Path) -> None:
    import json

    from tokumei.release.manifest import _digest

    def forged(change: Any, method: Any = None, part: str = "disclosed") -> Path:
        place = tmp_path / f"forged {change.__name__}"
        tk.anonymize(visits, schema(), method or tk.PkPerturbation(k=5, kept="perturb", tells="all")).write(place)
        content = json.loads((place / "manifest.json").read_text())
        content.pop("sha256")
        change(content[part])
        content["sha256"] = _digest(content)
        (place / "manifest.json").write_text(json.dumps(content))
        return place

    def fewer(disclosed: Any) -> None:
        disclosed["guarantees"]["value"][0]["numbers"]["most"] = 2

    def fewer_everywhere_and_more_promised(disclosed: Any) -> None:
        fewer(disclosed)
        disclosed["rows_per_person"]["value"] = 2
        first = disclosed["guarantees"]["value"][0]
        first["value"] = 14.0
        first["assumes"] = [{**each, "most": 2} if "most" in each else each for each in first["assumes"]]

    def nobody(disclosed: Any) -> None:
        del disclosed["guarantees"]["value"][0]["numbers"]["most"]

    def none(disclosed: Any) -> None:
        disclosed["guarantees"]["value"][0]["numbers"]["most"] = 0

    def unknown(declared: Any) -> None:
        declared["method"]["kept"] = "unknown"

    def pseudonyms(declared: Any) -> None:
        declared["prepare"] = [{"step": "pseudonymize", "column": "ill", "purpose": ""}]

    with pytest.raises(ReleaseError, match="another number of rows per person than it discloses"):
        tk.read_release(forged(fewer))
    with pytest.raises(ReleaseError, match="mechanism does not satisfy"):
        tk.read_release(forged(fewer_everywhere_and_more_promised))
    with pytest.raises(ReleaseError, match="contradicts itself about how many rows"):
        tk.read_release(forged(nobody))
    with pytest.raises(ReleaseError, match="number of rows per person that is not possible"):
        tk.read_release(forged(none))
    with pytest.raises(ReleaseError, match="may show which rows belong to one person"):
        tk.read_release(forged(unknown, tk.PkPerturbation(k=5, kept="known", tells="all"), "declared"))
    with pytest.raises(ReleaseError, match="pseudonyms, which show which rows"):
        tk.read_release(forged(pseudonyms, tk.Generalization(k=5), "declared"))


def _of_one_row(content: Any) -> None:
    """The epsilon of one row in place of that of all rows of a person."""
    stated = next(each for each in content["declared"]["guarantees"] if each["notion"] == "local differential privacy")
    stated["value"] *= 1.001 / 8
    stated["numbers"] = {name: spent * 1.001 / 8 for name, spent in stated["numbers"].items()}


def _said_fewer(content: Any) -> None:
    first = content["declared"]["guarantees"][0]
    first["assumes"] = [{**each, "most": 2} if "most" in each else each for each in first["assumes"]]


def _counted_fewer(content: Any) -> None:
    first = content["declared"]["guarantees"][0]
    first["numbers"]["most"], first["value"] = 2, 12.0


def _one_for_whom_is_known(content: Any) -> None:
    second = content["declared"]["guarantees"][1]
    second["numbers"]["most"], second["value"] = 1, 1 + (second["value"] - 1) * 5


def _one_row_for_whom_is_known(content: Any) -> None:
    _one_for_whom_is_known(content)
    second = content["declared"]["guarantees"][1]
    del second["numbers"]["most"]
    second["assumes"] = [OneRow().describe(), *second["assumes"][2:]]


WHOLE = tk.PkPerturbation(k=5, kept="perturb", tells="all")
SAMPLE = tk.PkPerturbation(k=3, kept="perturb", sample=200, tells="all")


@pytest.mark.parametrize(
    ("method", "change", "message"),
    [
        (WHOLE, _of_one_row, "mechanism does not satisfy"),
        (WHOLE, _said_fewer, "another number of rows per person than it discloses"),
        (WHOLE, _counted_fewer, "another number of rows per person than it discloses"),
        (SAMPLE, _one_for_whom_is_known, "another number of rows per person than it discloses"),
        (SAMPLE, _one_row_for_whom_is_known, "contradicts itself about how many rows"),
    ],
)
def test_no_promise_of_a_release_counts_fewer_rows_of_a_person_than_another(
    visits: pd.DataFrame, method: Any, change: Any, message: str, tmp_path: Path
) -> None:
    tk.anonymize(visits, schema(most=8), method).write(tmp_path / "out")
    tk.read_release(tmp_path / "out")
    rewrite(tmp_path / "out", change)
    with pytest.raises(ReleaseError, match=message):
        tk.read_release(tmp_path / "out")


def test_a_number_that_was_counted_stays_among_the_facts(visits: pd.DataFrame, tmp_path: Path) -> None:
    tk.anonymize(visits, schema(), WHOLE).write(tmp_path / "out")
    rewrite(tmp_path / "out", lambda content: content["disclosed"].pop("rows_per_person"))
    with pytest.raises(ReleaseError, match="another number of rows per person than it discloses"):
        tk.read_release(tmp_path / "out")


def test_releases_of_people_and_of_rows_are_not_combined(visits: pd.DataFrame) -> None:
    """The rows of a person would be joined by what the other release keeps, as if each were somebody else."""
    people = tk.anonymize(visits.drop(columns="ill"), schema().without("ill"), tk.PkPerturbation(k=5, tells="all"))
    rows = tk.anonymize(visits.drop(columns="who"), schema().without("who"), tk.PkPerturbation(k=5, tells="all"))
    for both in ([people, rows], [rows, people]):
        with pytest.raises(InvalidParameter, match="others assume one row per person"):
            tk.combine(both)


def test_a_stream_has_the_same_people(visits: pd.DataFrame, tmp_path: Path) -> None:
    visits.to_csv(tmp_path / "visits.csv", index=False)
    plan = Plan(Source("visits.csv"), schema(), tk.PkPerturbation(k=3, kept="perturb", tells="all"), folder=tmp_path)
    local, streamed = (tk.run(plan, engine, seed=4) for engine in ("local", "stream"))
    assert streamed.guarantees == local.guarantees
    assert streamed.table.equals(local.table)


def test_splits_are_suggested_for_a_declared_number(visits: pd.DataFrame) -> None:
    found = tk.splits.suggest_split(visits, schema(most=5), k=5, rows=ROWS, purpose="marginals")
    assert found.worth >= found.worth_even * 0.999
    with pytest.raises(InvalidParameter, match="the pilot does not say"):
        tk.splits.suggest_split(visits, schema(), k=5, rows=ROWS, purpose="marginals")
