"""Reports on every method: no value of the data, numbers that are those of the measures, text that stays text."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
import warnings
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tokumei as tk
from tests.reports.cases import CANARIES, METHODS, case
from tokumei import plots
from tokumei.plots.saving import svg
from tokumei.reports import browser
from tokumei.reports.charts import picture
from tokumei.reports.evidence import Evidence, now, rows_digest
from tokumei.reports.findings import Findings, played_attack, private_findings, public_findings
from tokumei.reports.report import _html
from tokumei.words import Words

LANGUAGES = ("en", "ja")


@cache
def released(name: str) -> tk.Release:
    """Draw a release, without being told that its domains were read off the data: they were on purpose."""
    rows, schema, method = case(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
        return tk.anonymize(rows, schema, method, seed=1)


@cache
def found_for(name: str) -> tuple[Findings, Findings]:
    """Return the private and the public findings of a method."""
    rows, schema, method = case(name)
    release = released(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokumei.reports.findings.DRAWN", 4 if name == "pk" else 1)  # which saves time
        evidence = Evidence(now(), "people.csv", {"rows": rows_digest(rows)}, "# a plan")
        private = private_findings(release, {}, evidence, rows, schema, (), method, None, 1)
        return private, public_findings(release, {}, evidence)


PICTURES: dict[str, str] = {}


def drawn_once(chart: Any) -> str:
    """Draw a picture, or return it where another page has the same: half of them are, and they take longest."""
    spec = chart.to_json()
    return PICTURES[spec] if spec in PICTURES else PICTURES.setdefault(spec, svg(chart))


@cache
def page(name: str, language: Any, public: bool) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokumei.reports.charts.svg", drawn_once)
        return _html(found_for(name)[int(public)], Words(language))


def numbers(html: str) -> dict[str, float]:
    """Return every number of a page by what it measures."""
    pairs = re.findall(r'data-measure="([^"]*)" data-value="([^"]*)"', html)
    return {measure: float(value) for measure, value in pairs}


class Reader(HTMLParser):
    """Collects the elements, attributes and text of a page, and checks that every element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", METHODS)
def test_no_value_known_only_from_data_appears(name: str, language: str, public: bool) -> None:
    html = page(name, language, public)
    assert not [canary for canary in CANARIES if canary in html]


def test_the_canaries_would_be_seen() -> None:
    """Where the same values are declared, the dictionary shows them: the test above can fail."""
    rows, schema, method = case("generalization")
    open_schema = tk.Schema(
        tuple(tk.Attribute(a.name, a.role, a.domain) for a in schema)  # declared, not observed
    )
    html = tk.report(tk.anonymize(rows, open_schema, method)).html
    assert {canary for canary in CANARIES if canary in html} >= {"CANARY"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", METHODS)
def test_pages_are_whole_small_and_alone(name: str, language: str) -> None:
    for public in (False, True):
        html = page(name, language, public)
        read = Reader(html)
        assert len(html.encode()) < 1_500_000
        assert not {"script", "link", "iframe", "img", "object", "embed", "use"} & {tag for tag, _ in read.elements}
        assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", html)
        every = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
        assert len(every) == len(set(every))
        ids = [attributes["id"] for tag, attributes in read.elements if tag == "section"]
        targets = {attributes["href"] for tag, attributes in read.elements if tag == "a"}
        assert targets == {f"#{each}" for each in ids}
        assert f'<html lang="{language}">' in html
        wanted = {"verdict", "promise", "ladder", "risk", "questions", "method", "dictionary", "looked", "origin"}
        assert set(ids) == wanted | ({"use"} if public else {"advice", "utility"})


@pytest.mark.parametrize("name", METHODS)
def test_japanese_pages_are_japanese_throughout(name: str) -> None:
    for public in (False, True):
        assert "原文は英語" not in page(name, "ja", public)
        assert "Nobody" not in page(name, "ja", public)


@pytest.mark.parametrize("name", METHODS)
def test_the_public_variant_has_no_number_about_the_original(name: str) -> None:
    private, public = numbers(page(name, "en", False)), numbers(page(name, "en", True))
    assert any(measure.startswith("before.") for measure in private)
    assert all(measure.startswith("after.") for measure in public)
    for word in ("Python", "Advice", "Original", "After reconstruction"):
        assert f">{word}<" not in page(name, "en", True)


def test_every_promise_is_there_with_everything_it_assumes() -> None:
    for name in METHODS:
        release = found_for(name)[0].release
        text = Reader(page(name, "en", True)).text
        for guarantee in release.guarantees:
            assert guarantee.headline in text
            for sentence in guarantee.assumes:
                assert str(sentence) in text


def test_numbers_of_rows_made_alike_are_those_of_the_measures() -> None:
    for name in ("generalization", "microaggregation", "cells, wildcards"):
        rows, schema, _ = case(name)
        release = found_for(name)[0].release
        before = tk.assess(rows, schema)
        after = tk.assess(release)
        used = tk.measure_utility(rows, release, schema)
        shown = numbers(page(name, "ja", False))
        assert shown["before.k"] == before.k
        assert shown["before.unique"] == before.unique
        assert shown["before.highest"] == before.prosecutor.highest
        assert shown["after.k"] == after.k
        assert shown["after.highest"] == after.prosecutor.highest
        assert shown["after.average"] == after.prosecutor.average
        assert shown["after.above"] == after.prosecutor.above_share
        assert used.released is not None
        assert shown["released.marginals"] == used.released.marginal_distance
        assert shown["released.pairs"] == used.released.pair_distance
        assert shown["released.age"] == used.released.marginals["age"].total_variation
        assert shown.get("released.loss") == used.loss
        public = numbers(page(name, "en", True))
        assert public["after.k"] == after.k


def test_the_report_shows_what_the_collation_check_found() -> None:
    people, schema = tk.example_census(rows=300), tk.example_schema()
    release = tk.anonymize(people, schema, tk.Generalization(k=5), seed=1)
    found = tk.disclosure.collation_check(people, release, schema)
    said = f"can resolve {found.resolved:,} of {found.looked_at:,} groups"
    assert said in tk.report(release, people, schema).html
    assert said not in tk.report(release).html  # it is the holder's
    averaged = tk.anonymize(people, schema, tk.Microaggregation(k=5), seed=1)
    assert "groups of rows to one set" not in tk.report(averaged, people, schema).html


def test_numbers_of_perturbed_rows_are_those_of_the_attack() -> None:
    rows, schema, method = case("pk")
    release = found_for("pk")[0].release
    with pytest.warns(tk.errors.ObservedDomainWarning):
        played = tk.attack(rows, method, schema, random_state=1)
    used = tk.measure_utility(rows, release, schema)
    shown = numbers(page("pk", "en", False))
    assert shown["after.highest"] == played.largest_belief
    assert shown["after.average"] == played.expected / played.people
    assert "after.k" not in shown
    assert f"They link {played.linked} of {played.people} people correctly" in page("pk", "en", False)
    assert used.released is not None
    assert used.reconstructed is not None
    assert shown["released.marginals"] == used.released.marginal_distance
    assert shown["reconstructed.marginals"] == used.reconstructed.marginal_distance
    assert shown["reconstructed.sex"] == used.reconstructed.marginals["sex"].total_variation


def test_rows_that_tell_one_thing_each_are_explained() -> None:
    rows, schema, _ = case("pk, one told")
    found = found_for("pk, one told")[0]
    shown, html = numbers(page("pk, one told", "en", False)), page("pk, one told", "en", False)
    used = tk.measure_utility(rows, found.release, schema, reconstruct=False)
    assert used.released is not None
    assert shown["released.marginals"] == used.released.marginal_distance
    assert "Shares of a column are those of the rows that tell it." in html
    for public in (False, True):
        for language, words in (("en", "they say nothing, and are not missing values"), ("ja", "欠測値ではありません")):
            assert words in page("pk, one told", language, public)
    telling = found.release.mechanism.telling
    assert telling is not None
    for cluster in telling.clusters:
        kept = f"{cluster.channel.retention:.3f}"
        assert f">{cluster.columns[0]} 33.3% {cluster.channel.size} {kept}<" in re.sub(
            r"</t[dh]>\s*<t[dh][^>]*>", " ", html
        )


@pytest.mark.parametrize("name", ["pk, one told", "pk, told coarser"])
def test_a_release_that_was_read_keeps_what_was_read_from_the_data_to_itself(name: str, tmp_path: Path) -> None:
    release = tk.read_release(released(name).write(tmp_path / "release", allow_seeded=True))
    assert any(column.original.domain for column in release.mechanism.telling.columns.values())  # type: ignore[union-attr]
    for language in LANGUAGES:
        html = tk.report(release, public=True, language=language).html
        assert not any(canary in html for canary in CANARIES)
    assert not any(canary in release._repr_html_() for canary in CANARIES)


def test_a_large_table_is_attacked_in_part_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokumei.reports.findings.ATTACKED", 50)
    for name in ("pk", "sampling"):
        rows, schema, method = case(name)
        release = released(name)
        found = private_findings(release, {}, Evidence(now()), rows, schema, (), method, None, 1)
        assert found.private is not None
        assert found.private.attack is not None
        assert (found.private.attacked, found.private.attack.people) == (50, 50)
        assert "A release of 50 rows, sampled from its 240" in _html(found, Words("en"))
        alone = private_findings(release, {}, Evidence(now()), rows, schema, (), None, None, 1)
        assert alone.private is not None
        assert alone.private.attack is None
        assert any("more than 50 rows" in note for note in map(str, alone.private.notes))


def test_the_holders_view_is_answered_by_what_the_promise_covers() -> None:
    def answer(method: tk.PkPerturbation) -> str:
        release = tk.anonymize(tk.example_census(rows=100), tk.example_schema(), method)
        return Reader(tk.report(release).html).text

    assert "Perhaps. The guarantee of 1/5 assumes that an attacker learns nothing from 'income'" in answer(
        tk.PkPerturbation(k=5, tells="all")
    )
    assert "Not with a probability over 1/5" in answer(tk.PkPerturbation(k=5, kept="perturb", tells="all"))


def test_names_and_labels_stay_text() -> None:
    evil, label = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'
    rows = pa.table({evil: [label, "b"] * 30, "c": ["x", "y", "z"] * 20, "&lt;d": ["1", "2"] * 30})
    schema = tk.Schema(
        (
            tk.Attribute(evil, "quasi_identifier", tk.Categories((label, "b"))),
            tk.Attribute("c", "quasi_identifier", tk.Categories(("x", "y", "z"))),
            tk.Attribute("&lt;d", "sensitive", tk.Categories(("1", "2"))),
        )
    )
    for method in (tk.PkPerturbation(k=3, tells="all"), tk.Generalization(k=3)):
        release = tk.anonymize(rows, schema, method)
        found = private_findings(release, {}, Evidence(now()), rows, schema, (), None, None, None)
        for language in LANGUAGES:
            read = Reader(_html(found, Words(language)))  # type: ignore[arg-type]
            assert not {"script", "img"} & {tag for tag, _ in read.elements}
            assert not [key for _, attributes in read.elements for key in attributes if key.startswith("on")]
            for text in (evil, label, "&lt;d"):
                assert text in read.text


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tk.report(released("generalization"))
    assert made.write(tmp_path / "r.html") == (tmp_path / "r.html",)
    with pytest.raises(tk.errors.OutputError, match="already exists"):
        made.write(tmp_path / "r.html")
    with pytest.raises(tk.errors.InvalidParameter, match="must end in .html"):
        made.write(tmp_path / "r.txt")
    monkeypatch.setattr(browser, "BROWSERS", ("no-such-browser",))
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    with pytest.raises(tk.errors.MissingDependency, match="A PDF needs Chromium"):
        made.write(tmp_path / "s.html", pdf=True)
    monkeypatch.setenv(browser.VARIABLE, "no-such-browser")
    with pytest.raises(tk.errors.MissingDependency, match="TOKUMEI_BROWSER names no-such-browser"):
        made.write(tmp_path / "s.html", pdf=True)
    monkeypatch.setenv(browser.VARIABLE, "false")
    with pytest.raises(tk.errors.OutputError, match="could not print"):
        made.write(tmp_path / "s.html", pdf=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html"]


PLAN = """
[source]
path = "people.csv"
[schema.age]
role = "quasi_identifier"
domain = {{ kind = "numbers", low = 17, high = 90, step = 1 }}
[schema.sex]
role = "quasi_identifier"
domain = {{ kind = "categories", values = ["Female", "Male"] }}
[schema.income]
role = "sensitive"
domain = {{ kind = "categories", values = ["under 20k", "20k to 50k", "50k to 100k", "over 100k"] }}
[[prepare]]
step = "top_bottom_code"
column = "age"
high = 80
[method]
method = "{method}"
k = {k}
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    tk.example_census(rows=300)[["age", "sex", "income"]].to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "plan.toml").write_text(PLAN.format(method="pk_perturbation", k=4))
    return tmp_path / "plan.toml"


def test_a_plan_without_a_release_draws_one_and_says_so(plan: Path) -> None:
    made = tk.report(plan)
    assert not made.public
    assert made.record is None
    assert "there are no digests" in made.html
    assert "&#x27;age&#x27; top- and bottom-coded (high = 80)" in made.html
    assert not (plan.parent / "release").exists()


def test_a_plan_with_its_release_is_about_that_release(plan: Path, tmp_path: Path) -> None:
    folder = tk.run(plan).write(tmp_path / "release")
    digest = json.loads((folder / "manifest.json").read_text())["data"]["sha256"]
    made = tk.report(plan, approver="A. Name")
    assert digest in made.html
    assert made.record is not None
    assert made.record["release_sha256"]["data.parquet"] == digest
    assert tk.report(plan, public=True).html == tk.report(folder).html
    (plan.parent / "other.toml").write_text(PLAN.format(method="pk_perturbation", k=5))
    assert digest not in tk.report(plan.parent / "other.toml").html


def test_a_report_is_evidence(plan: Path, tmp_path: Path) -> None:
    folder = tk.run(plan).write(tmp_path / "release")
    table = plan.parent / tk.Plan.read(plan).source_path.name
    own = [hashlib.sha256(file.read_bytes()).hexdigest() for file in (table, plan)]
    release = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("manifest.json", "data.parquet")]
    for language in LANGUAGES:
        made = tk.report(plan, approver="A. Name", language=language).html  # type: ignore[arg-type]
        assert all(each in made for each in (*own, *release, table.name, dt.datetime.now(dt.UTC).strftime("%Y-%m-%d")))
        public = tk.report(plan, public=True, language=language).html  # type: ignore[arg-type]
        assert all(each in public for each in release)
        assert not any(each in public for each in (*own, table.name))
    assert "Census of 2020" in tk.report(plan, public=True, name="Census of 2020").html
    record = tk.report(plan, approver="A. Name", name="Census").record
    assert record is not None
    assert (record["table"], record["table_sha256"], record["plan_sha256"]) == ("Census", {table.name: own[0]}, own[1])


def test_a_table_that_changes_while_it_is_read_is_refused(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tokumei.reports import report as reports

    def changing(given: tk.Plan) -> pa.Table:
        rows = read(given)
        with given.source_path.open("a", encoding="utf-8") as file:
            file.write("\n")
        return rows

    read = reports.rows_of
    monkeypatch.setattr(reports, "rows_of", changing)
    with pytest.raises(tk.errors.DataError, match="changed while it was read"):
        tk.report(plan)


def test_the_holders_record_stays_beside_the_report(plan: Path, tmp_path: Path) -> None:
    made = tk.report(plan, approver="山田 花子")
    written = made.write(tmp_path / "out" / "report.html")
    assert [path.name for path in written] == ["report.html", "report.record.json"]
    record = json.loads(written[1].read_text(encoding="utf-8"))
    assert record["approver"] == "山田 花子"
    assert record["plan"] == plan.read_text()
    assert {"date", "plan_sha256", "report_sha256", "guarantees"} <= set(record)
    assert "山田" not in made.html
    with pytest.raises(tk.errors.InvalidParameter, match="only the data holder approves a release"):
        tk.report(plan, public=True, approver="A. Name")


def test_what_does_not_fit_is_refused(plan: Path, tmp_path: Path) -> None:
    rows, release = case("generalization")[0], released("generalization")
    with pytest.raises(tk.errors.InvalidParameter, match="needs the schema"):
        tk.report(release, rows)
    with pytest.raises(tk.errors.InvalidParameter, match="needs the plan"):
        tk.report(release, approver="A. Name")
    with pytest.raises(tk.errors.InvalidParameter, match="give only the plan"):
        tk.report(plan, rows)
    with pytest.raises(tk.errors.PlanError, match="cannot be read"):
        tk.report(tmp_path / "nothing.toml")
    with pytest.raises(tk.errors.ReleaseError, match="is not a release"):
        tk.report(tmp_path)


def test_suppressed_cells_never_look_safer_than_they_are() -> None:
    release = found_for("cells, wildcards")[0].release
    strict, loose = (each.value for each in release.guarantees)
    assert strict < loose
    for public in (False, True):
        html = page("cells, wildcards", "en", public)
        assert numbers(html)["after.k"] == strict
        assert f"every row agrees with at least {loose:g} rows" in html


def test_rows_in_place_of_a_release_are_refused_without_being_quoted() -> None:
    rows = pa.table({"name": ["Quellwasser"] * 3}).to_pandas()
    with pytest.raises(tk.errors.InvalidParameter, match="takes a plan, a release, or the path of one") as caught:
        tk.report(rows, tk.example_schema())  # type: ignore[arg-type]
    assert caught.value.__context__ is None


def test_two_reports_on_one_release_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials are drawn alike each time, of part of a large table too, and pictures have the same names for their parts."""
    rows, schema, method = case("pk")
    for most in (5000, 60):
        monkeypatch.setattr("tokumei.reports.findings.ATTACKED", most)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
            made = [played_attack(rows, released("pk"), schema, (), method, None, []) for _ in range(2)]
        assert made[0] == made[1]
        assert made[0][0] is not None
        assert made[0][0].linked is not None
    drawn = [str(picture(plots.blame(["a", "b"], [0.4, 0.6]), "", Words("en"))) for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_what_chance_has_to_do_with_is_shown_with_its_spread() -> None:
    assert page("pk", "en", False).count("people correctly (95% confidence") == 2
    assert page("pk", "ja", False).count("95% 信頼区間") == 2


def test_no_two_parts_of_a_page_have_one_name() -> None:
    names = re.findall(r'\bid="([^"]+)"', page("pk", "en", False))
    assert len(names) > 10
    assert len(set(names)) == len(names)


def test_shares_of_the_risk_add_up_to_one() -> None:
    found = found_for("pk")[0]
    assert found.private is not None
    told = found.private.before.singling_out.attributes
    assert sum(each.share for each in told) == pytest.approx(1)
    assert sum(each.contribution for each in told) > 1.2  # which would be drawn as more than everything
    for each in told:
        assert not each.share or f"{100 * each.share:.1f}%" in page("pk", "en", False)
