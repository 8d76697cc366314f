"""What notebooks show: it is there, it is escaped, it runs nothing, and no cell of the data is in it."""

from __future__ import annotations

import datetime as dt
import re
import warnings
from html.parser import HTMLParser
from typing import Any

import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import TokumeiWarning
from tokumei.markup.card import in_words

EVIL = '<script>alert("x")</script>'
SECRET = "Beekeeper of Lighthouse Isle"
LOWEST, HIGHEST = 123_457, 987_653  # numbers that only the data know
VOID = {"br", "hr", "img", "input"}


class Checker(HTMLParser):
    """Collects tags and attributes, and that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(shown: Any) -> str:
    text = shown._repr_html_()
    found = Checker()
    found.feed(text)
    assert not found.open
    assert found.tags <= {
        "div",
        "p",
        "strong",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "li",
        "details",
        "summary",
    }
    assert found.attributes <= {"class", "style", "scope"}
    assert "url(" not in text
    return text


def words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


@pytest.fixture(scope="module")
def table() -> pa.Table:
    """People whose observed labels and bounds are nobody else's business."""
    return pa.table(
        {
            EVIL: ["Female", "Male"] * 30,
            "pay": [LOWEST, HIGHEST, *range(300_000, 300_058)],
            "work": [SECRET, *["Office", "Sales"] * 29, "Office"],
            "born": [dt.date(1931, 2, 3), *[dt.date(1990, 1, 1 + i % 28) for i in range(59)]],
        }
    )


@pytest.fixture(scope="module")
def schema(table: pa.Table) -> tk.Schema:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        seen = tk.Schema.observe(table, {"born": "insensitive", "work": "sensitive"})
    declared = tk.Attribute(EVIL, "quasi_identifier", tk.Categories(["Female", "Male"]), missing=True)
    return seen.replacing(declared)


def says_no_cell(text: str) -> None:
    assert "<script" not in text
    for cell in (SECRET, "Office", str(LOWEST), str(HIGHEST), "1931"):
        assert cell not in text


def test_a_schema(schema: tk.Schema) -> None:
    text = checked(schema)
    says_no_cell(text)
    told = words(text)
    assert "Schema of 4 columns" in told
    assert "&lt;script&gt;" in text
    assert "2 categories, or missing" in told
    assert "numbers, read from the data" in told
    assert "3 categories, read from the data" in told
    assert "dates, read from the data" in told


def test_an_attribute_shows_the_labels_that_were_declared_and_no_others(schema: tk.Schema) -> None:
    assert "Female, Male" in words(checked(schema[EVIL]))
    says_no_cell(checked(schema["work"]))
    assert "4 levels" not in words(checked(tk.example_schema()["age"]))
    assert "hierarchy 2 levels" in words(checked(tk.example_schema()["age"]))


def test_many_labels_are_cut_short() -> None:
    text = words(checked(tk.Attribute("town", domain=tk.Categories([f"town {i}" for i in range(40)]))))
    assert "town 11, …" in text
    assert "town 12" not in text


def test_a_release_and_its_guarantee(table: pa.Table, schema: tk.Schema) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        release = tk.anonymize(table, schema, tk.PkPerturbation(k=3, tells="all"), seed=1)
    text = checked(release)
    says_no_cell(text)
    told = words(text)
    assert "60 rows, 4 columns" in told
    assert "Pk-anonymity" in told
    assert "nothing is promised against anyone" in told
    assert "Method: pk_perturbation (k = 3" in told
    assert "released unchanged" in told
    promise = checked(release.guarantees[0])
    says_no_cell(promise)
    assert "This assumes:" in promise


def test_a_release_whose_rows_tell_one_thing_each(table: pa.Table, schema: tk.Schema) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        release = tk.anonymize(table, schema, tk.PkPerturbation(k=3, tells=1), seed=1)
    text = checked(release)
    says_no_cell(text)
    telling = release.mechanism.telling
    assert telling is not None
    for cluster in telling.clusters:
        share = cluster.weight / sum(each.weight for each in telling.clusters)
        assert f"{share:.1%} {cluster.channel.size} {cluster.channel.retention:.3f}" in words(text)


def test_a_release_of_alike_rows_says_what_was_taken_from_the_data(table: pa.Table, schema: tk.Schema) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        release = tk.anonymize(table.select([EVIL, "pay"]), schema.without("work", "born"), tk.Generalization(k=3))
    text = checked(release)
    assert "What was chosen by looking at the data" in text
    assert "void" not in text
    says_no_cell(text)


def test_an_assessment(table: pa.Table) -> None:
    found = tk.assess(table, [EVIL, "pay"], ["work"], population=1000)
    text = checked(found)
    says_no_cell(text)
    told = words(text)
    assert "Risk of 60 rows: k = 1, 100.00% unique" in told
    for part in (
        "prosecutor",
        "journalist",
        "marketer",
        "of 1,000 people",
        "sensitive column",
        " work 1 ",
        "smallest sets that single out rows",
    ):
        assert part in told


def test_releases_side_by_side(table: pa.Table, schema: tk.Schema) -> None:
    few = schema.without("work", "born")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        found = tk.disclosure.side_by_side(
            table.select([EVIL, "pay"]), few, {"<b>alike": tk.Generalization(k=3)}, random_state=1
        )
    text = checked(found)
    says_no_cell(text)
    assert "&lt;b&gt;alike" in text
    assert "unchanged 1.0000" in words(text)
    one = words(checked(found.releases[1]))
    assert "Risk of a release of 60 rows" in one
    assert "(k-anonymity, k = 3)" in one


def test_utility(table: pa.Table, schema: tk.Schema) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
        found = tk.measure_utility(table, release, schema, columns=[EVIL, "work"])
    text = checked(found)
    says_no_cell(text)
    told = words(text)
    assert "Utility: 60 rows in the original, 60 released" in told
    assert "on average As released After reconstruction" in told
    assert f"{found.released.marginal_distance:.1%}" in told


def test_a_plan_shows_no_table_inside_it(table: pa.Table, schema: tk.Schema) -> None:
    split = tk.splits.OptimisedSplit("marginals", pilot=table)
    plan = tk.Plan(
        source={"path": EVIL},
        schema=schema,
        method=tk.PkPerturbation(k=3, split=split, tells="all"),
        prepare=(tk.prepare.Drop("born"),),
    )
    text = checked(plan)
    says_no_cell(text)
    told = words(text)
    assert "split OptimisedSplit" in told
    assert "steps first drop born" in told
    assert "output release" in told


def test_settings_in_words_show_no_array() -> None:
    assert in_words(pa.table({"a": [LOWEST]})) == "Table"
    assert in_words([tk.constraints.LDiversity("income", 3)]) == "LDiversity"


def test_a_check_an_attack_a_mechanism_and_a_regression(table: pa.Table, schema: tk.Schema) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
        found = tk.attack(table, release, schema)
        sample = tk.anonymize(table, schema, tk.Sampling(40, known=2), seed=1)
    for shown in (tk.check(table, [EVIL, "born"], sensitive="work"), found, release.mechanism):
        text = checked(shown)
        says_no_cell(text)
        assert "&lt;script&gt;" in text or "attacker" in text
    assert "60 rows in" in words(checked(tk.check(table, [EVIL])))
    assert "coefficient" in words(checked(tk.regress(sample, "pay", [EVIL])))


def test_a_report_stands_in_a_frame_that_runs_nothing(table: pa.Table, schema: tk.Schema) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        text = tk.report(tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"), seed=1))._repr_html_()
    assert 'sandbox=""' in text and "<script" not in text and "may be published" in text
