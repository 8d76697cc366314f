"""What `recommend` found, in words of either language, as a table, as data, and as files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import StrictStr

from tokumei.engines.local import anonymize
from tokumei.errors import InvalidParameter
from tokumei.files import atomic_files, check_free
from tokumei.markup.card import card, grid, said
from tokumei.plan import Output, Plan, Run, Source
from tokumei.plan.chosen import Chosen
from tokumei.prepare.step import Step
from tokumei.privacy.duties import written
from tokumei.privacy.rungs import RUNGS, RungName, number_of
from tokumei.release.artifact import Release
from tokumei.release.ladder import written_table
from tokumei.reports.recommending.purpose import Purpose, Served
from tokumei.reports.recommending.trial import Tried
from tokumei.results import Result
from tokumei.shown import shown
from tokumei.table.schema import Schema
from tokumei.utility.careful import Noted
from tokumei.words import Language, Statement, Words, spoken
from tokumei.words.statement import Count, Names, Number

NEXT_TO_NOTHING = 0.3  # of what could be lost: from here on little is left, which is said


class Reason(Statement, kind="recommend"):
    """Why a method is recommended, or what to know about it."""


class LosesLeast(Reason):
    """Of the methods that meet the duties it loses least."""

    method: StrictStr
    meeting: Count
    tried: Count


class OnlyOne(Reason):
    """No other method meets the duties."""

    method: StrictStr
    tried: Count


class Costs(Reason):
    """What it loses, in its best view; of a model its score and that of one from the original."""

    purpose: Literal["tables", "model", "records"]
    side: Literal["released", "reconstructed", "expected"]
    lost: Number
    score: Number = 0.0

    @property
    def sentence_key(self) -> str:
        """One sentence for each purpose; what is expected from public numbers is an error of tables for all."""
        return f"{self.key}.{self.side if self.side == 'expected' else self.purpose}"


class NoWorse(Reason):
    """A model from the release scores no less than one from the original."""

    score: Number
    more: Number


class NextIs(Reason):
    """The runner-up, and how much more it loses."""

    method: StrictStr
    more: Number


class NextToNothing(Reason):
    """The best is not good."""


class HardlyLeft(Reason):
    """Columns that the recommended method suppresses in nearly every row."""

    columns: Names


class PromisesNothing(Reason):
    """Against which attackers, that the duties do not name, the recommended method promises nothing."""

    rungs: Names


class NoneMeets(Reason):
    """No method that was tried meets the duties."""

    tried: Count


class NearestMet(Reason):
    """What could be met instead, and by which method."""

    duties: StrictStr
    method: StrictStr


class NothingNear(Reason):
    """No method comes near."""


class Looked(Reason):
    """How the rows were looked at for the choice, and what that means."""

    rows: Count
    of: Count

    @property
    def sentence_key(self) -> str:
        """One sentence where all rows were looked at, one where a sample was."""
        return f"{self.key}.{'all' if self.rows == self.of else 'sample'}"


class NotLooked(Reason):
    """The choice follows from public numbers."""


class Confirmed(Reason):
    """The chosen method was drawn on all rows, and the duties hold there."""

    rows: Count


class Enforced(Reason):
    """The duties are part of what the method is asked for."""


class CompiledFor(Reason):
    """Compiling loops took some of the time, and counts as no method's cost."""

    seconds: Number


@dataclass(frozen=True)
class Recommendation(Result):
    """Which method to take, and why. It is the data holder's: it says things about the original, and enters no release.

    Attributes
    ----------
    duties, purpose
        What was asked.
    rows, looked_at
        How many rows the table has, and on how many of them methods were tried; none where public numbers decided.
    ranking
        Every method: those that meet the duties first, the one that loses least at the top; then the others.
    chosen, runner_up
        The first two of them, where they meet the duties.
    whole
        The chosen method on all rows, where methods were tried on a sample.
    nearest
        Where no method meets the duties: what could be met instead.
    nearest_by
        By which method.
    compiled
        The CPU time that went into compiling loops.
    """

    duties: Mapping[RungName, float]
    purpose: Purpose
    rows: int
    looked_at: int
    ranking: tuple[Tried, ...]
    chosen: Tried | None
    runner_up: Tried | None
    whole: Tried | None = None
    nearest: Mapping[RungName, float] | None = None
    nearest_by: Tried | None = None
    compiled: float = 0.0
    schema: Schema | None = field(default=None, repr=False)
    prepare: tuple[Step, ...] = field(default=(), repr=False)
    source: Source | None = field(default=None, repr=False)
    output: Output = field(default_factory=Output, repr=False)
    folder: Path = field(default=Path(), repr=False)
    run: Run = field(default_factory=Run, repr=False)

    @property
    def choice(self) -> Chosen | None:
        """What the release has to disclose of the choice; nothing where it follows from public numbers."""
        if not self.looked_at:
            return None
        tried = sum(bool(each.values) for each in self.ranking)
        return Chosen(max(1, tried), str(self.purpose), written(self.duties))

    @property
    def method(self) -> Any:
        """The recommended method."""
        if self.chosen is None:
            raise InvalidParameter("no method meets the duties, so none is recommended; see what is nearest.")
        return (self.whole or self.chosen).method

    @property
    def plan(self) -> Plan:
        """The plan to run: it says how the method was chosen, so that the release says so too."""
        assert self.schema is not None
        if self.source is None:
            raise InvalidParameter(
                "a plan needs the file of the rows; recommend(path, ...) knows it, or use anonymize()."
            )
        return Plan(
            self.source, self.schema, self.method, self.prepare, self.output, self.folder, self.run, self.choice
        )

    def anonymize(self, frame: Any, seed: int | None = None) -> Release:
        """Make a release of the table by the recommended method, which says how it was chosen."""
        assert self.schema is not None
        release = anonymize(frame, self.schema, self.method, self.prepare, seed)
        return release if self.choice is None else self.choice.disclosed(release)

    @property
    def unpromised(self) -> tuple[RungName, ...]:
        """The rungs on which nothing was asked, and the recommended method promises nothing."""
        best = self.whole or self.chosen
        if best is None:
            return ()
        return tuple(name for name in RUNGS if name not in self.duties and best.how[name] == "nothing")

    @property
    def reasons(self) -> tuple[Statement, ...]:
        """Why, as statements that either language can say."""
        released = [each for each in self.ranking if each.values]
        meeting = [each for each in released if each.meets]
        made: list[Statement] = []
        if self.chosen is None:
            made.append(NoneMeets(tried=len(released)))
            if self.nearest is not None and self.nearest_by is not None:
                made.append(NearestMet(duties=written(self.nearest), method=self.nearest_by.name))
            else:
                made.append(NothingNear())
        else:
            best = self.chosen
            if len(meeting) > 1:
                made.append(LosesLeast(method=best.name, meeting=len(meeting), tried=len(released)))
            else:
                made.append(OnlyOne(method=best.name, tried=len(released)))
            made += [PromisesNothing(rungs=self.unpromised)] if self.unpromised else []
            if best.best is not None:
                made.append(self.costs(best.best))
            if self.runner_up is not None and self.runner_up.lost is not None and best.lost is not None:
                made.append(NextIs(method=self.runner_up.name, more=self.runner_up.lost - best.lost))
            gone = (self.whole or best).gone
            made += [HardlyLeft(columns=gone)] if gone else []
            if best.lost is not None and best.lost >= NEXT_TO_NOTHING:
                made.append(NextToNothing())
        made.append(Looked(rows=self.looked_at, of=self.rows) if self.looked_at else NotLooked())
        if self.whole is not None:
            made.append(Confirmed(rows=self.rows))
        elif self.chosen is not None and 0 < self.looked_at < self.rows:
            made.append(Enforced())
        if self.compiled >= 0.5:
            made.append(CompiledFor(seconds=round(self.compiled, 1)))
        return tuple(made)

    def costs(self, served: Served) -> Costs | NoWorse:
        """Say what a method loses in one view."""
        if self.purpose.kind == "model" and served.side != "expected" and served.lost < 0:
            return NoWorse(score=served.score or 0.0, more=-served.lost)
        return Costs(purpose=self.purpose.kind, side=served.side, lost=served.lost, score=served.score or 0.0)

    def table(self, words: Words | None = None, *, every: bool = True) -> list[tuple[str, ...]]:
        """Return a line of titles and one per method: its place, its name, what it loses in each view, its rungs, and its cost.

        ``every`` is whether all rungs are shown, or only those of the duties.
        """
        words = words or Words("en")
        rungs = [name for name in RUNGS if every or name in self.duties]
        sides = [side for side in ("released", "reconstructed", "expected") if any(t.side(side) for t in self.ranking)]
        head = (
            "",
            words("recommend.method"),
            *(words(f"recommend_side.{side}") for side in sides),
            *(words(f"ladder.name.{name}") for name in rungs),
            words("recommend.seconds"),
        )
        lines = [head]
        place = 0
        for each in self.ranking:
            place += each.meets
            if not each.values:
                continue
            losses = [each.side(side) for side in sides]
            numbers = [words("absent") if one is None else f"{one.lost:.3f}" for one in losses]
            allowed = {kept.name: kept.holds for kept in each.duties}
            bounds = [
                number_of(name, each.values[name], words)
                + ("" if name not in allowed else " ✓" if allowed[name] else " ✗")
                for name in rungs
            ]
            rank = f"{place}." if each.meets else words("absent")
            lines.append((rank, title(each.name, words), *numbers, *bounds, f"{each.seconds:.1f}"))
        return lines

    def impossible(self, words: Words) -> list[str]:
        """Say of each method without a release why there is none."""
        return [
            f"{title(each.name, words)}{words('colon')}{words.say(each.why.why if isinstance(each.why, Noted) else each.why)}"
            for each in self.ranking
            if not each.values and each.why is not None
        ]

    def summary(self, words: Words | None = None, *, lasting: bool = False) -> list[str]:
        """Say what is recommended and why, a sentence each; with ``lasting``, without what only this run was like."""
        words = words or Words("en")
        return [self._say(each, words) for each in self.reasons if not (lasting and isinstance(each, CompiledFor))]

    def _say(self, reason: Statement, words: Words) -> str:
        if isinstance(reason, PromisesNothing):
            named = [words(f"ladder.name.{name}") for name in reason.rungs]
            return words.say(reason, rungs=words("list_semicolon").join(named))
        name = getattr(reason, "method", None)
        return words.say(reason, **({} if name is None else {"method": title(name, words)}))

    def paragraph(self, language: Language = "en") -> str:
        """Return the paragraph for the approval file: what was asked, what was tried, what is chosen and why, and what that means."""
        words = Words(language)
        duties = words("list_semicolon").join(
            words("recommend.duty", name=words(f"ladder.name.{name}"), allowed=number_of(name, value, words))
            for name, value in self.duties.items()
        )
        purpose = words(f"recommend_purpose.{self.purpose.kind}", target=self.purpose.target or "")
        parts = [words("recommend.asked", duties=duties, purpose=purpose), *self.summary(words, lasting=True)]
        if self.chosen is not None:
            best = self.whole or self.chosen
            rungs = words("list_semicolon").join(
                f"{words(f'ladder.name.{name}')} {words('in_brackets', text=number_of(name, best.values[name], words), aside=words(f'ladder.{best.how[name]}'))}"
                for name in RUNGS
            )
            parts.append(words("recommend.promises", rungs=rungs))
            parts.append(self.meaning(words))
        return words.join(parts)

    def meaning(self, words: Words) -> str:
        """Say what looking at the rows for the choice means for the guarantees."""
        chosen = self.choice
        return words("recommend.covers") if chosen is None else words("recommend.survives", tried=chosen.tried)

    def html(self, language: Language = "en") -> str:
        """Return the comparison as one page without a program or a network."""
        from tokumei.reports.recommending.page import recommendation_page

        return recommendation_page(self, Words(language))

    def write(
        self, folder: str | Path = ".", *, name: str = "recommended", overwrite: bool = False, language: Language = "en"
    ) -> tuple[Path, ...]:
        """Write the plan, the comparison as a page, and the paragraph for the approval file in both languages: all of them, or none.

        Where no method meets the duties there is no plan, and none is written.
        """
        place = Path(folder)
        texts = {place / f"{name}.html": self.html(language)}
        for each in get_args(Language):
            texts[place / f"{name}.approval.{each}.txt"] = f"{self.paragraph(each)}\n"
        if self.chosen is not None and self.source is not None:
            texts[place / f"{name}.toml"] = self.plan_text(place)
        for path in texts:
            check_free(path, overwrite=overwrite)
        with atomic_files(list(texts), overwrite=overwrite, private=True) as places:
            for target, text in zip(places, texts.values(), strict=True):
                target.write_text(text, encoding="utf-8")
        return tuple(sorted(texts))

    def plan_text(self, folder: str | Path | None = None) -> str:
        """Return the plan as a file in some folder, with what was recommended and why above it."""
        plan = self.plan
        if folder is not None and plan.source.path is not None:
            place = Path(os.path.relpath(plan.source_path, folder)).as_posix()
            plan = replace(plan, source=replace(plan.source, path=place), folder=Path(folder))
        said_first = "".join(f"# {shown(line)}\n" for line in self.summary(lasting=True))
        return f"{said_first}\n{plan.to_toml()}"

    def describe(self) -> dict[str, Any]:
        """Return it as data, for JSON."""
        return {
            "duties": dict(self.duties),
            "purpose": str(self.purpose),
            "rows": self.rows,
            "looked_at": self.looked_at,
            "chosen": None if self.chosen is None else self.chosen.name,
            "runner_up": None if self.runner_up is None else self.runner_up.name,
            "nearest": None if self.nearest is None else dict(self.nearest),
            "nearest_by": None if self.nearest_by is None else self.nearest_by.name,
            "ranking": [each.describe() for each in self.ranking],
            "whole": None if self.whole is None else self.whole.describe(),
            "reasons": [each.describe() for each in self.reasons],
            "paragraph": {"en": self.paragraph("en"), "ja": self.paragraph("ja")},
            "compiled": self.compiled,
        }

    def __str__(self) -> str:
        return "\n".join(map(shown, [*self.summary(), *written_table(self.table())]))

    def _repr_html_(self) -> str:
        words = spoken()
        head, *rows = self.table(words)
        return card(words("recommend.title"), *(said(line) for line in self.summary(words)), grid(head, rows))


def title(name: str, words: Words) -> str:
    """Write the name of a method in words, and what is special about it."""
    method, *special = name.split(":")
    known = f"method_{method}"
    told = words(known) if words.knows(known) else method
    return words.join([told, *(_special(each, words) for each in special)])


def _special(name: str, words: Words) -> str:
    key = f"recommend_special.{name}"
    return words(key) if words.knows(key) else words("recommend.special", special=name)
