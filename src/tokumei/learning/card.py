"""The card of complete rows: what they are, what is guaranteed, what they are good for, and what was assumed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import tokumei
from tokumei.learning import said
from tokumei.markup.card import card as framed
from tokumei.markup.card import said as paragraph
from tokumei.markup.pieces import bullets, tag
from tokumei.privacy.guarantee import Guarantee, headline
from tokumei.reconstruction._told import never_together
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release
from tokumei.words import Statement, Words, spoken

PAIRS = 12  # that are named
SECTIONS = ("what", "guarantees", "good_for", "not_for", "assumed", "pooling")
Sections = dict[str, tuple[Statement, ...]]


@dataclass(frozen=True)
class Card:
    """What has to be known about complete rows; ``str`` and `markdown` put it into words.

    Attributes
    ----------
    sections
        Statements by section: ``what``, ``guarantees``, ``good_for``, ``not_for``, ``assumed`` and ``pooling``.
    guarantees
        The guarantees of the release, which hold for the rows as well.
    method
        The method of the release, as its manifest describes it.
    seeded
        Whether the release was drawn with a seed, so that nothing is guaranteed against anyone who knows it.
    """

    sections: Mapping[str, tuple[Statement, ...]]
    guarantees: tuple[Guarantee, ...]
    method: Mapping[str, Any]
    seeded: bool

    def lines(self, words: Words) -> Iterator[tuple[str, list[str]]]:
        """Yield the title of each section, and its sentences."""
        for name in SECTIONS:
            sentences = [words.say(each) for each in self.sections.get(name, ())]
            if name == "guarantees":
                sentences += [headline(each, words) for each in self.guarantees] or [words("card.nothing")]
                sentences += [words("cli.seeded")] if self.seeded else []
            if sentences:
                yield words(f"complete_{name}"), sentences

    def markdown(self, words: Words | None = None) -> str:
        """Write the card as a page, in English or the language of ``words``."""
        words = words or Words("en")
        parts = [f"# {words('complete_title')}"]
        for title, sentences in self.lines(words):
            parts += [f"## {title}", "\n".join(f"* {_plain(each)}" for each in sentences)]
        return "\n\n".join(parts) + "\n"

    def describe(self) -> dict[str, Any]:
        """Return the card as data: keys and numbers, and no sentence but the title."""
        return {
            "title": Words("en")("complete_title"),
            "tokumei": tokumei.__version__,
            "imputed": not any(isinstance(each, said.RowsAsReleased) for each in self.sections["what"]),
            **{name: [each.describe() for each in self.sections.get(name, ())] for name in SECTIONS},
            "release": {
                "method": dict(self.method),
                "guarantees": [each.describe() for each in self.guarantees],
                "seeded": self.seeded,
            },
        }

    def __str__(self) -> str:
        return self.markdown(spoken())

    def _repr_html_(self) -> str:
        words, parts = spoken(), []
        for title, sentences in self.lines(words):
            parts += [paragraph(title, loud=True), bullets(sentences)]
        return framed(words("complete_title"), *(str(tag("div", part)) for part in parts))


def _plain(sentence: str) -> str:
    """Write a sentence so that no name of a column is taken for a tag."""
    return sentence.replace("&", "&amp;").replace("<", "&lt;")


def card_of(
    release: Release, model: ReleaseModel, rows: int | None, copies: int, target: str | None, weights: str | None
) -> Card:
    """Say what there is to say about rows of a model; ``rows`` is how many were drawn, or nothing where they were imputed."""
    several, modelled = copies > 1, model.n_components_ > 0
    whose: Statement = said.NobodysRows() if modelled else said.RowsAsReleased()
    if rows is None:
        kept = tuple(name for name in release.types.names if _kept(model, name))
        what = [said.ImputedRows(rows=release.rows, copies=copies), whose]
        what += [said.KeptCells(columns=kept)] if kept and modelled else []
    else:
        what = [said.DrawnRows(rows=rows, copies=copies, released=release.rows), whose]
    not_for: list[Statement] = [said.NotForPeople()]
    if modelled:
        not_for += [said.NotForDetail()] + ([] if model.determined_ else [said.NotDetermined()])
        not_for += [] if several else [said.NotForOneCopy()]
        not_for += [said.CoefficientsShrink() if target is None else said.OthersShrink(target=target)]
    pooling: list[Statement] = []
    if several:
        pooling = [said.PoolImputed(copies=copies) if rows is None else said.DrawnRowsSayNothing()]
    sections: Sections = {
        "what": tuple(what),
        "guarantees": (said.PostProcessing(),),
        "good_for": (
            said.GoodForTables(),
            said.GoodForModels(copies="several" if several else "one"),
            said.GoodForCode(),
        ),
        "not_for": tuple(not_for),
        "assumed": tuple(_assumed(release, model, rows, several, target, weights)),
        "pooling": tuple(pooling),
    }
    return Card(sections, release.guarantees, release.method, release.seeded)


def _kept(model: ReleaseModel, name: str) -> bool:
    """Whether imputed rows have the cells of the release in a column."""
    column = model._columns.get(name)
    return column.kept if column is not None else name not in model._release.mechanism.made_up


def _coarser(release: Release, model: ReleaseModel) -> Iterator[Statement]:
    """Say what cells were taken to say that leave several values open."""
    if release.mechanism.grouping is not None or (model.boxed_ and not model.even_):
        yield said.TightBoxes()
    elif model.even_:
        if model.hides_:
            yield said.SuppressedEvenly() if model.suppressed_ else said.LabelsEvenly()
    elif release.mechanism.recoding is not None:
        yield said.CoarsenedAtRandom()


def _assumed(
    release: Release, model: ReleaseModel, rows: int | None, several: bool, target: str | None, weights: str | None
) -> Iterator[Statement]:
    if model.n_components_ and not model.even_:
        yield said.MixtureAssumed(classes=model.n_components_)
        if target is not None:
            yield said.GivenTarget(target=target)
        if several:
            yield said.FittedAgain()
    coarse = tuple(each.name for each in model._columns.values() if not each.kept and each.size < each.attribute.states)
    if coarse:
        yield said.SpreadEvenly(columns=coarse)
    telling, mechanism = release.mechanism.telling, release.mechanism
    apart = [] if telling is None else never_together(telling, tuple(telling.columns))
    if apart:
        named = tuple(f"{one} × {other}" for one, other in apart[:PAIRS])
        yield said.NeverTogether(pairs=named, count=len(apart))
    yield from _coarser(release, model)
    if mechanism.averaging is not None:
        yield said.AveragedCells(columns=tuple(mechanism.averaging.columns))
    if mechanism.swapping is not None:
        yield said.SwappedCells(columns=mechanism.swapping.columns)
    if mechanism.left_out:
        yield said.RowsLeftOut(rows=mechanism.left_out)
    if mechanism.of is not None:
        yield said.SampledRows(rows=release.rows, of=mechanism.of)
    sample = release.method.get("sample")
    if rows is None and isinstance(sample, Mapping) and sample.get("design") == "stratified":
        yield said.WeighRows(column=sample["column"])
    if weights is not None:
        yield said.WeightedBy(column=weights) if rows is not None else said.WeighRows(column=weights)
