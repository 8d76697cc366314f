"""Every error and warning speaks both languages: English where it is raised, Japanese by the English template."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tests.in_turn import in_turn
from tests.said import SOURCE, Said, holes, others, templates
from tokumei import errors
from tokumei.diagnostics import warn
from tokumei.messages import (
    Joined,
    Listed,
    Phrase,
    add_messages,
    message_of,
    packed,
    phrase,
    said_in,
    unpacked,
    with_text,
)
from tokumei.messages.ja import MESSAGES, system
from tokumei.messages.phrase import translations
from tokumei.text import names, nearest
from tokumei.words import Words

FILES = sorted(path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "messages")

# What is said by something else than a template, by file, and why it still speaks both languages.
PASSED_ON = {
    "anonymizers/generalization.py": ["*arranged.warning"],  # a phrase of a partition
    "diagnostics.py": ["made"],  # what `warn` was given
    "engines/spark/choice.py": ["UNSTABLE"],  # a phrase
    "engines/spark/problems.py": ["problem"],  # a phrase, unpacked
    "engines/spark/rows.py": ["UNSTABLE"] * 3,  # a phrase
    "engines/spark/session.py": ["JAVA"],  # a phrase
    "engines/spark/source.py": ["problem"],  # a phrase
    "errors.py": ["str(message)"],  # what the error was given
    "files.py": [
        "(within.group(1) if within else text).lower()"
    ],  # the system's words; those known are in ja/system.py
    "learning/pooled.py": ["self.reason"],  # a statement of the catalogue, as below
    "learning/regression.py": ["self.reasons[0]"],
    "mechanism/averaging.py": ["AveragedOverGroups(column=name)"],
    "mechanism/swapping.py": ["SwappedInGroups(column=name)"],
    "mechanism/grouping.py": ["ToldBySome(column=name)"],
    "mechanism/telling.py": ["ToldBySome(column=name)"],
    "utility/regressions.py": ["ToldBySome(column=release.mechanism.partly_told[0])"],
    "plan/__init__.py": ["_readable(error, content)"],  # a phrase
    "reconstruction/_ascent.py": ["IMPOSSIBLE"],  # a phrase
    "reconstruction/_columns.py": ["LeftOutRows(gone=release.mechanism.left_out)"],
    "reconstruction/_em.py": ["IMPOSSIBLE"],
    "reconstruction/_inference.py": ["TOO_NOISY"],  # a phrase
    "reconstruction/_recoded.py": [
        "OverlappingGroups()",
        "SuppressedRows(gone=gone, left=int(np.count_nonzero(used)))",
    ],
    "reconstruction/_told_columns.py": ["ToldByNone(column=name)"],
    "reconstruction/corrected_logistic.py": ["TOO_NOISY"],
    "reconstruction/iterative_bayes.py": [
        "NothingTold(column=name)",
        "StoppedEarly(steps=self.n_iter_, gap=self.gap_, limit='max_iter', tolerance='tol')",
        "reason",  # for which there is no interval, a statement
    ],
    "registry.py": ["self.broken"],  # a phrase
    "release/artifact.py": ["UnweightedStrata()"],
    "release/originals.py": ["self._explained(problem, table, schema)"],  # a phrase
    "risk/attack.py": ["AttackNeedsPeople()"],
    "risk/links.py": ["GroupsNotTold()"],
    "risk/collation.py": ["CollationNeedsOneRow()"],
    "risk/releases.py": ["WILDCARDS"],  # a phrase
    "studio/session/opening.py": ["problem"],  # a phrase
    "table/coded.py": ["problem"],  # a phrase
    "table/reading.py": ["problem"],  # a phrase
    "utility/careful.py": ["note"],  # a statement
    "utility/tables.py": ["PartlyBlank()", "ToldByNone(column=line.name)"],
    "values.py": [  # pydantic's words; those known are in ja/system.py
        "problem['msg'].removeprefix('Value error, ').removeprefix('Input should be ')"
    ],
}


@cache
def every_template() -> list[Said]:
    return [
        said for path in FILES for said in templates(path.read_text(encoding="utf-8"), str(path.relative_to(SOURCE)))
    ]


def test_every_message_is_a_template_where_it_is_raised() -> None:
    assert len(every_template()) > 800
    found = {str(path.relative_to(SOURCE)): sorted(others(path.read_text(encoding="utf-8"))) for path in FILES}
    assert {place: said for place, said in found.items() if said} == PASSED_ON


@pytest.mark.parametrize(
    "source",
    [
        "raise DataError(f'There is no column {name!r}.')",
        "raise InvalidParameter('There is no ' + name)",
        "raise tokumei.errors.PlanError('{} is missing.'.format(name))",
        "warn(f'{rows} rows were lost.', TokumeiWarning)",
        "raise OutputError(text)",
        "raise ReleaseError()",
        "phrase(f'{rows} rows')",
    ],
)
def test_a_planted_message_without_a_template_is_found(source: str) -> None:
    assert others(source)
    assert not list(templates(source, "planted"))


@in_turn(every_template, name=lambda said: said.place)
def test_a_template_gets_its_fields_and_has_japanese_with_the_same(said: Said) -> None:
    if said.fields:
        assert said.fields == holes(said.template)
    else:
        assert not re.search(r"\{[a-z_]+(![rs])?(:[^{}]*)?\}", said.template), "a field is not given"
    japanese = MESSAGES.get(said.template)
    assert japanese is not None, f"no Japanese for: {said.template}"
    if said.fields:
        assert holes(japanese) == said.fields
    if said.template != "{error} {left}":  # two sentences
        assert re.search(r"[ぁ-んァ-ヶ一-龠、。：]", japanese)


def test_no_japanese_is_left_over() -> None:
    assert MESSAGES.keys() - {said.template for said in every_template()} - system.MESSAGES.keys() == set()
    assert not system.MESSAGES.keys() & {said.template for said in every_template()}


def test_every_template_can_be_filled_in_both_languages() -> None:
    for said in every_template():
        if said.fields:
            numeric = set(numbers(said.template)) | set(numbers(MESSAGES[said.template]))
            made = phrase(said.template, **{name: 3 if name in numeric else f"<{name}>" for name in said.fields})
            for name in said.fields - numeric:
                assert f"<{name}>" in made.in_language("ja"), said.place
            assert not re.search(r"\{[a-z_]+", made.in_language("ja")), said.place


def numbers(template: str) -> Iterator[str]:
    for _, name, spec, _ in Formatter().parse(template):
        if name and spec:
            yield name


def test_japanese_ends_as_english_does() -> None:
    """A sentence ends in a full stop, and a part of one does not: it would stand in the middle of another."""
    for template, japanese in MESSAGES.items():
        ends = re.sub(r"\{(hint|zeros|inside|left|problem|error)\}$", "", template).rstrip()
        if ends.endswith(("?", ".")) and template not in OPEN:
            assert re.search(r"(。|\{(hint|zeros|inside|left|problem|error|kind)\}|')$", japanese), japanese
        elif not re.search(r"\{(problem|error|text)\}$", template) and "pip install" not in template:
            assert not japanese.endswith("。"), japanese


OPEN = {"{path}: {problem}"}


def test_an_error_follows_the_spoken_language_and_its_argument_stays_english(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = tk.example_schema()
    with pytest.raises(tk.errors.InvalidParameter) as caught:
        schema["agee"]
    english = "There is no column 'agee' in the schema. Did you mean 'age'?"
    assert str(caught.value) == english
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
    assert str(caught.value) == "スキーマに列「agee」はありません。「age」のことでしょうか。"
    assert caught.value.args[0] == english
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "fr")  # which commands refuse; an error about it must still be readable
    assert str(caught.value) == english


def test_a_constant_message_with_braces_is_not_filled() -> None:
    error = errors.InvalidParameter("bins must name columns, such as {'age': 10}.")
    assert str(error) == "bins must name columns, such as {'age': 10}."
    assert said_in(error, "ja") == "bins には、{'age': 10} のように列を指定してください。"


def test_a_field_with_braces_is_not_filled_again() -> None:
    odd = "{0.__class__} {rows} it's"
    error = errors.DataError("There is no column {name!r} in the table.{hint}", name=odd, hint="")
    assert str(error) == f"There is no column {odd!r} in the table."
    assert said_in(error, "ja") == f"表に列「{odd}」はありません。"


def test_control_characters_are_shown_as_escapes_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    error = errors.DataError("There is no column {name!r} in the table.{hint}", name="a\x1b[2J", hint="")
    assert "\x1b" not in str(error)
    assert "\x1b" not in Words("ja").say(error)
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
    assert str(error) == "表に列「a\\x1b[2J」はありません。"


EXAMPLES: list[Any] = [
    phrase("The table has no rows."),
    phrase("There is no column {name!r} in the table.{hint}", name="agee", hint=nearest("agee", ["age"])),
    phrase("the section {lacking} is missing.", lacking=names(["method", "it's"])),
    phrase("{path} does not exist.", path=Path("/there/people.csv")),
    phrase("k = {k:g} is not possible: {hiding}, so the largest k is {among}.", k=np.float64(7), hiding="x", among=5),
    phrase("ks must be a list such as [2, 5, 10]. Got {ks!r}.", ks={"a": [1, 2]}),
    phrase("These matrices guarantee nothing (k = 1).{zeros}", zeros=Joined([nearest("agee", ["age"])] * 2)),
]


@pytest.mark.parametrize("said", EXAMPLES)
def test_messages_survive_pickling_and_copying(said: Phrase) -> None:
    for again in (pickle.loads(pickle.dumps(said)), copy.copy(said), copy.deepcopy(said)):
        assert again == said
        assert again.in_language("ja") == said.in_language("ja")
    for kind in (errors.DataError, errors.OutputError, errors.MissingDependency, errors.NotEnoughMemory):
        error = pickle.loads(pickle.dumps(kind(said)))
        assert type(error) is kind
        assert str(error) == said
        assert said_in(error, "ja") == said.in_language("ja") != said


@pytest.mark.parametrize("said", EXAMPLES)
def test_messages_survive_being_sent_as_text(said: Phrase) -> None:
    again = unpacked(packed(said))
    assert again == said
    assert said_in(again, "ja") == said.in_language("ja")


@pytest.mark.parametrize(
    "text",
    [
        "anything",
        '{"template": "{x.__class__}", "fields": {"x": 1}}',
        '{"template": 3, "fields": {}}',
        '{"parts": [{"template": "No attacker can do anything.", "fields": {}}]}',
        "[[[",
        "7",
        "[1]",
    ],
)
def test_text_of_others_does_not_become_a_message(text: str) -> None:
    assert unpacked(text) == text
    told = unpacked(f"What a log shows. | message: {text}")
    assert told == "What a log shows."
    assert type(told) is type(unpacked(text)) is str


def test_a_field_holds_no_more_than_what_is_shown() -> None:
    class Secret:
        cells = ("Ada", "HIV")

        def __str__(self) -> str:
            return "a table"

    said = phrase("{path} does not exist.", path=Secret())
    assert said == "a table does not exist."
    assert b"Ada" not in pickle.dumps(said)
    assert all(isinstance(each, str) for each in said.fields.values())


def test_an_error_within_another_is_said_in_the_same_language() -> None:
    inner = errors.InvalidParameter("a transition matrix must have rows of one length.")
    outer = errors.InvalidParameter("The matrix of {name!r} cannot be used: {error}", name="sex", error=inner)
    assert str(outer) == "The matrix of 'sex' cannot be used: a transition matrix must have rows of one length."
    assert said_in(outer, "ja") == "「sex」の行列は使えません。遷移行列の行は、すべて同じ長さでなければなりません。"
    assert message_of(ValueError("of another library")) == "of another library"


def test_a_message_of_another_package_is_marked_where_it_has_no_japanese() -> None:
    error = errors.InvalidParameter("{name!r} is not mine.", name="age")
    assert Words("en").say(error) == "'age' is not mine."
    assert Words("ja").say(error) == "'age' is not mine.（原文は英語）"
    assert said_in(error, "ja") == "'age' is not mine."


def test_a_package_may_add_its_japanese_and_change_none_of_ours() -> None:
    add_messages("ja", {"{name!r} is yours.": "{name!r}はあなたのものです。", "The table has no rows.": "別の文"})
    try:
        assert Words("ja").say(errors.DataError("{name!r} is yours.", name="age")) == "「age」はあなたのものです。"
        assert said_in("The table has no rows.", "ja") == "表に行がありません。"
    finally:
        del translations("ja")["{name!r} is yours."]


def test_warnings_speak_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn(
            "{merged:group|groups} with too few rows for k = {k:g} merged into others.",
            errors.MergedGroupsWarning,
            merged=1200,
            k=3,
        )
    assert str(caught[0].message) == "k = 3 には行が少なすぎた 1,200 個のグループを、ほかのグループと統合しました。"


def test_names_and_texts() -> None:
    assert names(["age", "sex"]) == "'age', 'sex'"
    assert isinstance(names(["age"]), Listed)
    inner = phrase(
        "{path}: {problem}", path="/tmp/x/a.csv", problem=phrase("{path} does not exist.", path=Path("/tmp/x/a.csv"))
    )
    assert with_text(inner, "/tmp/x/a.csv", "a.csv") == "a.csv: a.csv does not exist."
    assert said_in(with_text(inner, "/tmp/x/a.csv", "a.csv"), "ja") == "a.csv：a.csv は存在しません。"


@pytest.mark.parametrize(
    "wrong, known",
    [
        ("nope", ["age", "income"]),
        ("name", ["age", "sex"]),
        ("outcome", ["income"]),
        ("xyzzy", ["age", "sex"]),
        ("occupation", ["education"]),
    ],
)
def test_a_far_name_is_not_suggested(wrong: str, known: list[str]) -> None:
    assert nearest(wrong, known) == ""


@pytest.mark.parametrize(
    "wrong, right",
    [
        ("agee", "age"),
        ("ago", "age"),
        ("aeg", "age"),
        ("il", "ill"),
        ("sauce", "source"),
        ("educ", "education"),
        ("marital", "marital-status"),
        ("Age", "age"),
        ("plaze", "place"),
        ("pkperturbation", "pk_perturbation"),
        ("anonymise", "anonymize"),
        ("weight", "end weight"),
        ("年", "年齢"),
    ],
)
def test_a_near_name_is_suggested(wrong: str, right: str) -> None:
    assert nearest(wrong, ["income", right, "zzz"]) == f" Did you mean {right!r}?"


def test_bad_values_are_refused_in_both_languages() -> None:
    told = Counter[str]()
    for make in (
        lambda: tk.PkPerturbation(k="much", tells="all"),  # type: ignore[arg-type]
        lambda: tk.PkPerturbation(kk=3, tells="all"),  # type: ignore[call-arg]
        lambda: tk.PkPerturbation(tells="all"),  # type: ignore[call-arg]
        lambda: tk.PkPerturbation(k=3, kept="known?", tells="all"),  # type: ignore[arg-type]
        lambda: tk.Generalization(k=3, partition="mondrain"),  # type: ignore[arg-type]
        lambda: tk.Numbers(3, 1),
    ):
        with pytest.raises(errors.InvalidParameter) as caught:
            make()
        japanese = Words("ja").say(caught.value)
        assert re.search(r"[ぁ-ん]", japanese)
        assert "原文は英語" not in japanese
        assert not re.search(r" (must|is|are|not) ", japanese), japanese
        told[japanese] += 1
    assert len(told) == 6
