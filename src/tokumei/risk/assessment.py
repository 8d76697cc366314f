"""What was found out about the risk of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from tokumei.arrays import Floats, Integers
from tokumei.messages import Spoken, phrase
from tokumei.results import Result
from tokumei.risk.linking import Linking
from tokumei.risk.notebook import assessment_card
from tokumei.risk.people import PeopleCheck
from tokumei.risk.population import InPopulation
from tokumei.risk.sensitive import SensitiveCheck
from tokumei.risk.singling_out.combinations import SinglingOut, searched
from tokumei.risk.uniqueness.population import PopulationUniqueness
from tokumei.shown import shown
from tokumei.table.sizes import ClassSizes
from tokumei.text import some_names

Meaning = Literal["own_value", "wildcard"]

SHOWN = 10  # columns and combinations in the text
BY_COLUMN = "share of the score  separation  distinction  no longer unique without it"
SUPPRESSED = {
    "own_value": phrase("A suppressed cell counts as a value of its own, which never understates the risk."),
    "wildcard": phrase("A suppressed cell is taken to agree with any value, which never overstates the risk."),
}


@dataclass(frozen=True, repr=False, eq=False)
class RecordRisks(Result):
    """One number for each row of the table, in its order. It is the data holder's: nothing prints or writes it.

    Attributes
    ----------
    class_size
        How many rows agree with the row, itself included.
    prosecutor
        One over that; where people have several rows, the part of the agreeing rows that are the person's.
    journalist
        One over the people of the row's class in the population, if it was given.
    survey
        The risk that follows from the weights, if they were given.
    score
        How much the row is singled out by few columns; zero where it is not unique. Only its order means something.
    """

    class_size: Integers
    prosecutor: Floats
    journalist: Floats | None
    survey: Floats | None
    score: Floats


@dataclass(frozen=True)
class Assessment(Spoken, Result):
    """What `assess` found: counts and shares, and no cell. It is the data holder's all the same: it is about the rows.

    Attributes
    ----------
    columns, rows
        What the attacker may know, and how many rows there are.
    meaning
        What a suppressed cell was taken for.
    sizes
        How many rows are in classes of each size.
    prosecutor, journalist, marketer
        What each attacker can do. Without a population table the journalist's is the prosecutor's, which bounds it, and
        the marketer knows the people of the table.
    survey
        The journalist as estimated from survey weights, if they were given.
    population
        The table in its population, if that was given as a table.
    uniqueness
        How many people of the population are unique, if at least its size was given.
    sensitive
        For each sensitive column how diverse the classes are.
    singling_out
        Which columns, and which together, make people unique.
    records
        The risk of each row.
    people
        How many people there are and the k for them, where a column says whose row each is. The attackers then link rows
        to people, not to rows.
    """

    columns: tuple[str, ...]
    rows: int
    meaning: Meaning
    sizes: ClassSizes
    prosecutor: Linking
    journalist: Linking
    marketer: Linking
    survey: Linking | None
    population: InPopulation | None
    uniqueness: PopulationUniqueness | None
    sensitive: Mapping[str, SensitiveCheck]
    singling_out: SinglingOut
    records: RecordRisks = field(repr=False, compare=False)
    people: PeopleCheck | None = None

    @property
    def k(self) -> int:
        """The fewest rows that agree with any row, itself included."""
        return self.sizes.smallest

    @property
    def unique(self) -> int:
        """How many rows are unique."""
        return self.sizes.unique

    @property
    def unique_share(self) -> float:
        """Sample uniqueness: the share of rows that are unique."""
        return self.sizes.unique / self.rows

    def facts(self) -> dict[str, Any]:
        """Return everything but the risks of single rows as plain names and values."""
        plain = {
            part.name: getattr(self, part.name)
            for part in fields(self)
            if part.name not in {"records", "prosecutor", "journalist", "marketer", "survey"}
        }
        attackers = {
            name: None if each is None else {**asdict(each), "expected": each.expected}
            for name, each in (
                ("prosecutor", self.prosecutor),
                ("journalist", self.journalist),
                ("marketer", self.marketer),
                ("survey", self.survey),
            )
        }
        made = {name: _plain(each) for name, each in plain.items()}
        return {**made, **attackers, "k": self.k, "unique": self.unique}

    def _repr_html_(self) -> str:
        return assessment_card(self)

    def lines(self) -> list[str]:
        """Say what was found."""
        lines: list[str] = [
            phrase(
                "{rows:row|rows}, seen by an attacker who knows {columns}: k = {k:,}.",
                rows=self.rows,
                columns=some_names(self.columns),
                k=self.k,
            ),
            phrase(
                "{unique:row|rows} ({unique_share:.2%}) {unique:|is|are} unique. {suppressed}",
                unique=self.unique,
                unique_share=self.unique_share,
                suppressed=SUPPRESSED[self.meaning],
            ),
            *([] if self.people is None else self.people.lines()),
            *(line for each in (self.prosecutor, self.journalist, self.marketer) for line in each.lines()),
        ]
        if self.survey is not None:
            lines += self.survey.lines()
        if self.population is not None:
            low, high = self.population.presence
            lines.append(
                phrase(
                    "In the population of {people:,}, every row agrees with at least "
                    "{k_map:,} of them (k-map); a person is in the table with a probability from "
                    "{low:.4g} to {high:.4g} (δ-presence).",
                    people=self.population.people,
                    k_map=self.population.k_map,
                    low=low,
                    high=high,
                )
            )
        if self.uniqueness is not None:
            lines.append(_uniqueness_line(self.uniqueness))
        for name, found in self.sensitive.items():
            lines.append(
                phrase(
                    "{name!r} has at least l = {distinct} different values in an equivalence class (as diverse "
                    "as {entropy:.3g} equally frequent ones), is up to t = {t:.3f} away from the whole "
                    "table, and is disclosed for {disclosed:row|rows}.",
                    name=name,
                    distinct=found.distinct,
                    entropy=found.entropy,
                    t=found.t,
                    disclosed=found.disclosed,
                )
            )
        lines += [phrase("How much each column contributes (higher is riskier):"), f"  {BY_COLUMN}  column"]
        for column in self.singling_out.attributes[:SHOWN]:
            numbers = (
                f"{column.share:.1%}",
                f"{column.separation:.4f}",
                f"{column.distinction:.4f}",
                f"{column.spared:,}",
            )
            cells = (number.rjust(len(title)) for number, title in zip(numbers, BY_COLUMN.split("  "), strict=True))
            lines.append(f"  {'  '.join(cells)}  {shown(column.name)}")
        if self.singling_out.minimal:
            lines.append(phrase("Smallest sets of columns that single out the most rows:"))
            for each in self.singling_out.minimal[:SHOWN]:
                lines.append(f"  {each.rows:>9,} {', '.join(map(shown, each.columns))}")
        return lines + searched(self.singling_out.complete, self.singling_out.singled_out)


def _uniqueness_line(found: PopulationUniqueness) -> str:
    models = {
        "Pitman": found.pitman,
        "Zayatz": found.zayatz,
        "slide negative binomial": found.slide_negative_binomial,
    }
    each = ", ".join(f"{name} {'none' if number is None else f'{number:,.0f}'}" for name, number in models.items())
    if found.chosen == "counted":
        return phrase(
            "Counted: {people:,.0f} of {population:,} people ({share:.2%}) are unique ({each}).",
            people=found.people,
            population=found.population,
            share=found.share,
            each=each,
        )
    model = found.chosen.replace("_", " ")
    return phrase(
        "Estimated ({model}): {people:,.0f} of {population:,} people ({share:.2%}) are unique ({each}).",
        model=model,
        people=found.people,
        population=found.population,
        share=found.share,
        each=each,
    )


def _plain(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {name: _plain(each) for name, each in given.items()}
    return asdict(given) if hasattr(given, "__dataclass_fields__") else given
