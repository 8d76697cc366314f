"""Whether the data holder can resolve groups of a release to original rows, and which rows that discloses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import numpy as np

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.arrays import Booleans, Integers
from tokumei.diagnostics import ignoring
from tokumei.engines.local import make_release
from tokumei.errors import InvalidParameter, ObservedDomainWarning
from tokumei.mechanism.likelihood import distinct
from tokumei.messages import Spoken, phrase
from tokumei.parallel import in_chunks
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.privacy.guarantee import several_rows
from tokumei.progress import stage
from tokumei.randomness import Key, generator
from tokumei.release.artifact import Release
from tokumei.risk.said import CollationNeedsOneRow
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.table.frames import to_arrow
from tokumei.table.laid import ABOVE, BLOCK, Laid
from tokumei.table.schema import Attribute, Schema

Statistics = Literal["rates", "counts", "moments"]

EFFORT = 20_000  # steps of the search in one group
AT_ONCE, PARTS = 16, 512  # groups at least, and parts at most

PUBLISHED = {
    "rates": phrase("the released rows, with or without value rates of the whole table"),
    "counts": phrase("how often each value occurs in each group"),
    "moments": phrase("how often each category occurs in each group, and the mean and variance of each number"),
}


@dataclass(frozen=True)
class Collation(Spoken):
    """What `collation_check` found: counts only. It is the data holder's, and about the original rows.

    Attributes
    ----------
    statistics
        What is taken to be published with the released rows.
    columns
        The columns that are compared.
    groups, looked_at, rows
        How many groups of rows that are alike the release has, how many were looked at, and how many rows are in these.
    resolved
        Groups that only one multiset of original records fits.
    whole
        Those of them of whose records no row lies elsewhere: one set of original rows, and no other, is the group.
    ambiguous
        Groups that at least two multisets of records fit.
    undecided
        Groups of which the search did not find out within its effort.
    pinned, pinned_groups
        Rows that alone hold a value counted once in a resolved group, and are alone with their record in the original:
        what is published about that value is about one person. And how many groups have such rows.
    effort
        How many steps the search took at most in one group.
    """

    statistics: Statistics
    columns: tuple[str, ...]
    groups: int
    looked_at: int
    rows: int
    resolved: int
    whole: int
    ambiguous: int
    undecided: int
    pinned: int
    pinned_groups: int
    effort: int

    def lines(self) -> list[str]:
        """Say what was found."""
        looked = (
            phrase(
                "Looked at {looked_at:,} of {groups:group|groups} with {rows:row|rows}.",
                looked_at=self.looked_at,
                groups=self.groups,
                rows=self.rows,
            )
            if self.looked_at < self.groups
            else phrase("Looked at {groups:group|groups} with {rows:row|rows}.", groups=self.groups, rows=self.rows)
        )
        lines: list[str] = [
            phrase("Published: {published}.", published=PUBLISHED[self.statistics]),
            looked,
            phrase(
                "{resolved:,} can be resolved: one multiset of original records fits, and no other. For {whole:,} of "
                "them that is one set of original rows.",
                resolved=self.resolved,
                whole=self.whole,
            ),
            phrase("{ambiguous:,} cannot: two or more multisets fit.", ambiguous=self.ambiguous),
        ]
        if self.undecided:
            lines.append(
                phrase(
                    "{undecided:,} are undecided after {effort:,} steps of the search; a larger effort may decide them.",
                    undecided=self.undecided,
                    effort=self.effort,
                )
            )
        if self.pinned:
            lines.append(
                phrase(
                    "{pinned:row|rows} in {pinned_groups:group|groups} can be pinned: a value "
                    "that is counted once belongs to them and to nobody else. Do not publish these statistics by "
                    "group.",
                    pinned=self.pinned,
                    pinned_groups=self.pinned_groups,
                )
            )
        elif self.undecided:
            lines.append(phrase("No row was pinned in the decided groups."))
        else:
            lines.append(phrase("No row was pinned."))
        return lines


@stage("Collating the groups")
def collation_check(
    frame: Any,
    subject: Anonymizer | Release,
    schema: Schema | None = None,
    prepare: Sequence[Step] = (),
    statistics: Statistics = "rates",
    kept: bool = False,
    groups: int | None = None,
    effort: int = EFFORT,
    random_state: int | None = None,
) -> Collation:
    """Count the groups of a release that the data holder can resolve to the original rows, and the rows pinned thereby.

    For each group the multisets of original records in its box that fit what is published are counted, up to two.

    Parameters
    ----------
    frame
        The original table.
    subject
        A method that forms equivalence classes: a release is made by it for the occasion, and which rows are in which group is
        known. Or a release: it is then known only where no box holds rows of another group.
    schema
        The schema of the original; for a release that was made without steps it is not needed.
    prepare
        The steps that are taken before the method.
    statistics
        What is published with the rows. ``"rates"``: nothing about single groups; rates of the whole table are no
        news to anyone who has it. ``"counts"``: how often each value occurs in each group. ``"moments"``: counts of
        categories, and mean and variance of columns of numbers.
    kept
        Whether columns released unchanged, which are published row by row, are compared too.
    groups
        Look at only this many groups, drawn at random.
    effort
        How many steps the search takes in one group before it says that it does not know.
    random_state
        Makes a drawn release, and the groups that are looked at, repeatable.

    Examples
    --------
    >>> import tokumei as tk
    >>> frame, schema = tk.example_census(rows=1000), tk.example_schema()
    >>> found = tk.disclosure.collation_check(frame, tk.Generalization(k=10), schema, random_state=1)
    >>> found.pinned
    0
    """
    _check(statistics, groups, effort)
    table, release, order = _made(frame, subject, schema, prepare, random_state)
    view = _View(table, release, order, statistics, kept)
    chosen = np.arange(view.groups)
    if groups is not None and groups < view.groups:
        chosen = np.sort(
            generator(0 if random_state is None else random_state).choice(view.groups, groups, replace=False)
        )
    solutions, complete, inside = _searched(view, chosen, effort)
    if np.any(complete & (solutions == 0)):
        raise InvalidParameter("The release is not one of this table, prepared in this way.")
    resolved = np.zeros(view.groups, dtype=np.bool_)
    resolved[chosen[complete & (solutions == 1)]] = True
    view.inside[chosen] = inside
    pinned = view.pinned(resolved)
    return Collation(
        statistics=statistics,
        columns=view.columns,
        groups=view.groups,
        looked_at=len(chosen),
        rows=int(view.sizes[chosen].sum()),
        resolved=int(np.count_nonzero(resolved)),
        whole=int(np.count_nonzero(resolved & view.whole(resolved))),
        ambiguous=int(np.count_nonzero(solutions >= 2)),
        undecided=int(np.count_nonzero(~complete)),
        pinned=int(pinned.sum()),
        pinned_groups=int(np.count_nonzero(pinned)),
        effort=effort,
    )


def _check(statistics: Any, groups: int | None, effort: int) -> None:
    if statistics not in get_args(Statistics):
        raise InvalidParameter(
            "statistics must be 'rates', 'counts' or 'moments'. Got {statistics!r}.", statistics=statistics
        )
    for name, number in (("groups", groups), ("effort", effort)):
        if number is not None and (not isinstance(number, int | np.integer) or number < 1):
            raise InvalidParameter(
                "{name} must be at least 1, and a whole number. Got {number}.", name=name, number=number
            )


def _made(
    frame: Any, subject: Any, schema: Schema | None, prepare: Sequence[Step], random_state: int | None
) -> tuple[CodedTable, Release, Integers | None]:
    """Return the original rows as they were before they were generalized, the release, and which row is which if known."""
    if (schema is not None and schema.names("person")) or (
        isinstance(subject, Release) and several_rows(subject.guarantees)
    ):
        raise InvalidParameter(CollationNeedsOneRow())
    arrow, origin = to_arrow(frame)
    if isinstance(subject, Anonymizer):
        if schema is None:
            raise InvalidParameter("collation_check needs the schema of the original.")
        key = Key.fresh() if random_state is None else Key.seeded(random_state)
        with ignoring(ObservedDomainWarning):  # nothing is published here
            made = make_release(arrow, origin, schema, subject, prepare, key)
        _recoded(made.release)
        return made.table, made.release, made.order
    if not isinstance(subject, Release):
        raise InvalidParameter("collation_check needs a method or a release.")
    before = {name: column.original for name, column in _recoded(subject).items()}
    if schema is None:
        if subject.prepare:
            raise InvalidParameter("The release was prepared in steps; give the schema of the original and the steps.")
        schema = Schema(tuple(before.get(attribute.name, attribute) for attribute in subject.schema))
        arrow = arrow.select([name for name in arrow.column_names if name in schema.names()])
    table = prepared_rows(arrow, schema, prepare)
    alike = all(name in table.schema.names() and table.schema[name].domain == a.domain for name, a in before.items())
    if not alike or table.rows != subject.rows + subject.mechanism.left_out:
        raise InvalidParameter("The release is not one of this table, prepared in this way.")
    return table, subject, None


def _recoded(release: Release) -> Any:
    if release.mechanism.recoding is None:
        raise InvalidParameter(
            "collation_check looks at rows generalized to labels, as by Generalization; the attack (tk.attack, "
            "tokumei attack) plays against perturbed or sampled releases."
        )
    return release.mechanism.recoding.columns


def _as_numbers(attribute: Attribute) -> Integers | None:
    """Return a number for each code where a column has a mean: its value, or its place on an even grid.

    A missing cell has none, so a column that may have some is counted.
    """
    domain = attribute.domain
    if domain is None or attribute.missing:
        return None
    if not isinstance(domain, Categories):
        return np.arange(domain.size)
    whole = all(isinstance(each, int) and not isinstance(each, bool) for each in domain.values)
    return np.array(domain.values, dtype=np.int64) if whole else None


class _View:
    """The records of the original, the groups of the release, and what is published about each."""

    def __init__(
        self, table: CodedTable, release: Release, order: Integers | None, statistics: Statistics, kept: bool
    ) -> None:
        recoded = _recoded(release)
        as_they_are = [name for name in release.mechanism.kept if name in table.columns] if kept else []
        self.columns = (*recoded, *as_they_are)
        self._numbers = [
            place
            for place, column in enumerate(recoded.values())
            if statistics == "moments" and _as_numbers(column.original) is not None
        ]
        self._counted = [p for p in range(len(recoded)) if statistics != "rates" and p not in self._numbers]
        places = [column.axis.place[table.codes(name)] for name, column in recoded.items()]  # one place for each code
        records, self._record_of, many = distinct([*places, table.class_of(tuple(as_they_are))], table.rows)
        self.places = records[:, : len(recoded)].astype(np.int32)
        backs = (np.argsort(column.axis.place) for column in recoded.values())
        self.codes = np.stack([back[own] for back, own in zip(backs, self.places.T, strict=True)], axis=1)
        self.spare = many.astype(np.int64)
        chosen = [self.codes[:, p] for p in self._counted] + [records[:, -1]] * bool(as_they_are)
        self.values = np.stack(chosen, axis=1) if chosen else np.zeros((len(records), 0), dtype=np.int64)
        originals = [column.original for column in recoded.values()]
        scaled = [cast(Integers, _as_numbers(originals[p]))[self.codes[:, p]] for p in self._numbers]
        self.numbers = np.stack(scaled, axis=1) if scaled else np.zeros((len(records), 0), dtype=np.int64)
        self._check_numbers(table.rows)
        self._boxes(release, recoded)
        self.inside = np.zeros(self.groups, dtype=np.int64)  # the rows in each box, of groups that were looked at
        self.first = np.zeros(self.groups + 1, dtype=np.int64)
        self.column = self.value = self.count = np.zeros(0, dtype=np.int64)
        self.sums = np.zeros((self.groups, len(self._numbers)), dtype=np.int64)
        self.squares = self.sums.copy()
        self._members: tuple[Integers, Integers] | None = None  # the record and the group of each released row
        if statistics != "rates" or kept:
            self._members = self._memberships(order)
            self._publish()
        elif order is not None:
            self._members = self._record_of[order], self._group_of

    def _check_numbers(self, rows: int) -> None:
        if self.numbers.size and float(np.abs(self.numbers).max()) ** 2 * rows >= 2**62:
            raise InvalidParameter("A column's numbers are on too fine a grid to sum their squares; give it a step.")

    def _boxes(self, release: Release, recoded: Any) -> None:
        codes = [release.coded.codes(name).astype(np.int64) for name in recoded]
        boxes, self._group_of, sizes = distinct(codes, release.rows)
        spans = [column.spans[boxes[:, place]] for place, column in enumerate(recoded.values())]
        self.low, self.high = (np.stack([span[:, end] for span in spans], axis=1) for end in (0, 1))
        self.sizes = sizes.astype(np.int64)
        self.groups = len(boxes)

    def _memberships(self, order: Integers | None) -> tuple[Integers, Integers]:
        """Return the record and the group of each released row; of a release they follow where boxes hold just their rows."""
        if order is not None:
            return self._record_of[order], self._group_of
        records, groups = [], []
        for g in range(self.groups):
            inside = np.flatnonzero(((self.places >= self.low[g]) & (self.places <= self.high[g])).all(axis=1))
            if self.spare[inside].sum() != self.sizes[g]:
                raise InvalidParameter(
                    "Boxes of the release overlap, so it does not determine which original rows are in which "
                    "group; give the method instead of the release."
                )
            records.append(np.repeat(inside, self.spare[inside]))
            groups.append(np.full(len(records[-1]), g, dtype=np.int64))
        return np.concatenate(records), np.concatenate(groups)

    def _publish(self) -> None:
        """Count values and add up numbers in each group."""
        assert self._members is not None
        record, group = self._members
        parts = []
        for j in range(self.values.shape[1]):
            values = self.values[record, j]
            size = int(self.values[:, j].max()) + 1
            keys, count = np.unique(group * size + values, return_counts=True)
            parts.append(np.stack([keys // size, np.full(len(keys), j), keys % size, count], axis=1))
        if parts:
            cells = np.concatenate(parts)
            cells = cells[np.argsort(cells[:, 0], kind="stable")]
            self.column, self.value, self.count = (np.ascontiguousarray(cells[:, at]) for at in (1, 2, 3))
            self.first = np.searchsorted(cells[:, 0], np.arange(self.groups + 1)).astype(np.int64)
        for j in range(self.numbers.shape[1]):
            np.add.at(self.sums[:, j], group, self.numbers[record, j])
            np.add.at(self.squares[:, j], group, self.numbers[record, j] ** 2)

    @property
    def starts(self) -> Integers:
        """Where the values of each counted column begin when all are numbered through."""
        return np.concatenate([[0], np.cumsum(self.values.max(axis=0, initial=0) + 1)]).astype(np.int64)

    def whole(self, resolved: Booleans) -> Booleans:
        """Say of each resolved group whether it holds every original row of its records."""
        if self._members is None:  # every record in the box is needed, or there is one record only
            return resolved & (self.inside == self.sizes)
        record, group = self._members
        pairs, taken = np.unique(group * len(self.spare) + record, return_counts=True)
        short = self.spare[pairs % len(self.spare)] > taken
        found = resolved.copy()
        found[(pairs // len(self.spare))[short]] = False
        return found

    def pinned(self, resolved: Booleans) -> Integers:
        """Count the pinned rows of each group."""
        made = np.zeros(self.groups, dtype=np.int64)
        made[resolved & (self.sizes == 1) & self.whole(resolved)] = 1  # the group itself is counted once
        if self._members is None or not self.values.shape[1]:
            return made
        record, group = self._members
        alone = np.zeros(len(record), dtype=np.bool_)
        for j in range(self.values.shape[1]):
            kinds = class_of([group, self.values[record, j]], len(record))
            alone |= np.bincount(kinds)[kinds] == 1
        alone &= (self.spare[record] == 1) & resolved[group]
        return np.maximum(made, np.bincount(group[alone], minlength=self.groups))


def _searched(view: _View, chosen: Integers, effort: int) -> tuple[Integers, Booleans, Integers]:
    """Search in each of the chosen groups; return how many solutions it has, up to two, whether that is sure, and the rows in its box."""
    from tokumei.risk._collation_kernels import collate

    solutions, complete = np.zeros(len(chosen), dtype=np.int64), np.zeros(len(chosen), dtype=np.bool_)
    inside, laid = np.zeros(len(chosen), dtype=np.int64), Laid.of(view.places)
    with stage("Resolving groups", total=len(chosen)) as shown:

        def part(start: int, stop: int) -> None:
            these = chosen[start:stop]
            ranges = [np.arange(view.first[g], view.first[g + 1]) for g in these]
            cells = np.concatenate(ranges) if ranges else np.zeros(0, dtype=np.int64)
            first = np.concatenate([[0], np.cumsum([len(each) for each in ranges])]).astype(np.int64)
            collate(
                laid.order, laid.rows, laid.low, laid.high, laid.lowest, laid.highest, BLOCK, ABOVE, view.values,
                view.numbers, view.spare, view.low[these], view.high[these], view.sizes[these], first,
                view.column[cells], view.value[cells], view.count[cells], view.sums[these], view.squares[these],
                view.starts, effort, solutions[start:stop], complete[start:stop], inside[start:stop],
            )  # fmt: skip
            shown.advance(stop - start, note=f"{int(np.count_nonzero(solutions == 1)):,} resolved")

        in_chunks(len(chosen), part, max(AT_ONCE, len(chosen) // PARTS))
    return solutions, complete, inside
