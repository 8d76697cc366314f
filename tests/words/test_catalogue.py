"""Every key has a sentence in every language, every sentence says the same facts, and none is left over."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import pkgutil
import re
import string
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import pydantic
import pytest

import tokumei as tk
from tests.in_turn import in_turn
from tokumei.anonymizers import METHODS
from tokumei.mechanism.treatments import AsItIs
from tokumei.messages import Phrase, phrase
from tokumei.prepare import STEPS
from tokumei.privacy.notions import NOTIONS
from tokumei.utility.careful import MEASURES, Measure
from tokumei.words import LANGUAGES, Statement, Unknown, Words, read_statement, said_by
from tokumei.words.catalogue import add_words, table
from tokumei.words.statement import REGISTRY, Raw

SOURCE = Path(tk.__file__).parent
for module in pkgutil.walk_packages([str(SOURCE)], "tokumei."):
    if not module.name.startswith(("tokumei.studio", "tokumei.engines.spark", "tokumei.__main__", "tokumei.cli")):
        importlib.import_module(module.name)  # whatever is said anywhere is known then
OURS = {key: kind for key, kind in REGISTRY.items() if kind.__module__.startswith("tokumei.")}
EN, JA = table("en"), table("ja")


def holes(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def examples(kind: type[Statement]) -> list[Statement]:
    """Return a statement for each combination of what its parameters can be, as far as sentences depend on it."""
    choices = [[(name, each) for each in _examples(field.annotation)] for name, field in kind.model_fields.items()]
    made = []
    for chosen in itertools.product(*choices):
        with contextlib.suppress(pydantic.ValidationError):  # parameters that cannot stand together
            made.append(kind.model_validate(dict(chosen)))
    assert made
    return made


def _examples(hint: Any) -> list[Any]:
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if get_origin(hint) in {types.UnionType, Union}:
        return [each for part in get_args(hint) for each in _examples(part)]
    if get_origin(hint) is tuple:
        inner = _examples(get_args(hint)[0])
        return [(), (inner[0],), (inner[0], inner[-1])]
    if hasattr(hint, "__metadata__"):
        return _examples(get_args(hint)[0])
    if isinstance(hint, type) and issubclass(hint, Measure):
        return [Measure(name="attack"), Measure(name="something else")]
    if isinstance(hint, type) and issubclass(hint, Statement):
        return [AsItIs()]
    if isinstance(hint, type) and issubclass(hint, Phrase):
        return [phrase("The table has no rows.")]
    return {int: [1, 1200], float: [0.25], bool: [True, False], str: ["age", "it's {odd}"], type(None): [None]}[hint]


@in_turn(sorted(OURS))
def test_every_statement_has_a_sentence_for_all_that_it_can_say(key: str) -> None:
    for said in examples(OURS[key]):
        if isinstance(said, Unknown):
            continue
        if said.key == "treatment.moved_before":
            continue  # which needs a distance for numbers and a step for dates
        if (said.key, said.parameters.get("measure"), said.parameters.get("c")) == (
            "promise.diversity",
            "recursive",
            None,
        ):
            continue  # which needs a c
        for language in LANGUAGES:
            words = Words(language)  # type: ignore[arg-type]
            if key.startswith("promise."):
                told = words.say(said, columns=("a",), attacker="", notion="", letter="", value="3")
            else:
                told = words.say(said)
            assert words("unknown.unknown", unknown="") not in told, said.sentence_key
            assert "{" not in told.replace("{odd}", "")
            assert told.strip()


def test_both_languages_have_the_same_keys_in_the_same_order() -> None:
    assert list(EN) == list(JA)


@in_turn(EN)
def test_both_languages_say_the_same_facts(key: str) -> None:
    assert holes(EN[key]) == holes(JA[key])
    signs = {"raw.message", "absent", "risk_slider", "frontier_k", "measure.other"}
    assert re.search(r"[ぁ-んァ-ヶ一-龠、：～（]", JA[key]) or key in signs


@in_turn(sorted(SOURCE.rglob("*.py")))
def test_every_word_that_is_asked_for_is_there(path: Path) -> None:
    for key in re.findall(r'\bwords\(\s*"([^"]+)"', path.read_text(encoding="utf-8")):
        assert key in EN, key


def test_no_word_is_left_over() -> None:
    files = [path for path in SOURCE.rglob("*.py") if path.name not in {"en.py", "ja.py"}]
    asked = "\n".join(path.read_text(encoding="utf-8") for path in files)
    begun = set(re.findall(r'f"([a-z_]+[_.])\{', asked)) | {"chart_", "advice_", "measure.", "notion."}
    said = {each.sentence_key for kind in OURS.values() for each in examples(kind) if not isinstance(each, Unknown)}
    units = {f"treatment.moved_before.{unit}" for unit in ("day", "hour", "minute", "second")}
    for key in EN.keys() - said - units:
        assert f'"{key}"' in asked or f"'{key}'" in asked or any(key.startswith(start) for start in begun), key


def test_every_method_step_notion_and_measure_has_words() -> None:
    for method in METHODS:
        name = method.__dataclass_fields__["method"].default
        assert {f"method_{name}", f"about_{name}"} <= set(EN)
    for step in STEPS:
        assert f"step_{step.__dataclass_fields__['step'].default}" in EN
    assert {f"notion.{name}" for name in NOTIONS} <= set(EN)
    assert {f"measure.{name}" for name in MEASURES} <= set(EN)


def test_names_with_quotes_and_braces_stay_whole() -> None:
    odd = "it's {odd}"
    said = Words("ja")("assumption.kept_without_epsilon", columns=(odd, "b"))
    assert "「it's {odd}」「b」" in said
    assert Words("en").names([odd, "a\x1b[2J"]) == "\"it's {odd}\", 'a\\x1b[2J'"


def test_counting_words_are_right_for_one_and_several() -> None:
    add_words("en", {"example.rows": "{rows:row|rows} of {names} {names:|is|are} left"})
    words = Words("en")
    assert words("example.rows", rows=1, names=("age",)) == "1 row of 'age' is left"
    assert words("example.rows", rows=1200, names=("age", "sex")) == "1,200 rows of 'age', 'sex' are left"
    del table("en")["example.rows"]


def test_a_sentence_of_the_catalogue_cannot_be_replaced_by_another() -> None:
    with pytest.raises(tk.errors.InvalidParameter, match="already"):
        add_words("en", {"assumption.one_row": "Anything."})


def test_an_error_is_said_in_both_languages_if_it_is_a_statement_and_marked_if_not() -> None:
    error = tk.errors.InvalidParameter("Something new.")
    assert Words("ja").say(error) == "Something new.（原文は英語）"
    assert Words("en").say(error) == "Something new."
    assert isinstance(said_by(error), Raw)
    known = tk.errors.InvalidParameter(OURS["problem.nothing_told"](column="age"))
    assert Words("ja").say(known).startswith("「age」")
    assert str(known) == "'age' was suppressed in every row, so the release says nothing about it."


def test_a_key_of_a_newer_version_is_shown_by_its_name() -> None:
    said = read_statement({"key": "assumption.tomorrow", "rows": 3})
    assert str(said) == "made by a newer version: assumption.tomorrow"
    assert Words("ja").say(said) == "新しいバージョンで作成された項目：assumption.tomorrow"
    assert said.describe() == {"key": "assumption.tomorrow"}
    assert Words("en").say(read_statement({"key": "\x1b[2J"})) == "made by a newer version: \\x1b[2J"


@pytest.mark.parametrize("key", ["looked_nothing", "assumption.hiding.own", "promise.not_checked", "cli.report_public"])
def test_a_key_that_is_no_statement_borrows_no_sentence(key: str) -> None:
    """A forged manifest must not be able to say any sentence of the catalogue that it likes."""
    assert key in EN
    assert str(read_statement({"key": key})) == f"made by a newer version: {key}"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"key": 3},
        {"key": ""},
        {"key": "a" * 201},
        {"key": "assumption.most_rows", "most": "5", "how": "counted"},
        {"key": "assumption.most_rows", "most": -1, "how": "counted"},
        {"key": "assumption.most_rows", "most": 5, "how": "guessed"},
        {"key": "assumption.most_rows", "most": 5, "how": "counted", "more": 1},
        {"key": "assumption.sample_size_by_chance", "delta": float("nan")},
        {"key": "reason.derived"},
        {"key": "raw.raw", "text": "No attacker can do anything."},
    ],
)
def test_a_known_key_with_wrong_parameters_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        read_statement(given, "assumption")


def test_two_statements_cannot_have_one_key() -> None:
    with pytest.raises(TypeError, match="already"):
        type("OneRow", (OURS["assumption.one_row"].__mro__[1],), {"__module__": "elsewhere"})


def test_a_promise_by_itself_can_be_shown() -> None:
    assert str(OURS["promise.linking"]()).startswith("… links a released row to a person with probability over 1/…")


def test_other_languages_are_refused() -> None:
    with pytest.raises(tk.errors.InvalidParameter, match="language must be 'en' or 'ja'"):
        Words("fr")  # type: ignore[arg-type]


@in_turn(sorted(OURS))
def test_a_statement_survives_being_written(key: str) -> None:
    if key.startswith(("unknown", "raw", "measured", "treatment.presence", "treatment.moved_before")):
        return  # these are shown, and never stored
    for said in examples(OURS[key]):
        assert read_statement(said.describe()) == said


def test_kinds_are_named_in_words_and_unknown_ones_as_they_are() -> None:
    told = [
        Words(language).format_field(name, "kind")
        for language in ("en", "ja")
        for name in ("NearestGroups", "v_mdav", "Mine")
    ]
    assert told == ["Nearest groups", "V-MDAV", "Mine", "最も近いグループ", "V-MDAV 法", "Mine"]
