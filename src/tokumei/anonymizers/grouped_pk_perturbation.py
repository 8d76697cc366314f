"""Grouped Pk-perturbation: rows are put into groups, and noise moves cells inside their group's own box."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Survey, register_method, table_of
from tokumei.anonymizers.class_promises import tell_suppressed
from tokumei.anonymizers.group_boxes import Company, boxes_of, noise_ratios
from tokumei.anonymizers.group_channels import solve_groups
from tokumei.anonymizers.group_tells import notes_of_groups, solve_telling_in_groups
from tokumei.anonymizers.notes import PerturbedGroups
from tokumei.anonymizers.promises import (
    assumed_by_pk,
    facts_of_people,
    refuse_joining,
    split_columns,
)
from tokumei.anonymizers.sample import check_sample
from tokumei.anonymizers.tells import Subsets, describe_tells
from tokumei.arrays import Integers, Labels
from tokumei.diagnostics import warn
from tokumei.errors import InvalidParameter, MergedGroupsWarning
from tokumei.mechanism.grouping import Group, Grouping
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.telling import LABEL as TELLS
from tokumei.messages import phrase
from tokumei.partition import AnyPartition, NoiseAware
from tokumei.partition.groups import merge_failing
from tokumei.partition.notes import Note
from tokumei.partition.rows import problem_of
from tokumei.privacy.asked import Asked
from tokumei.privacy.assumptions import GroupedByRows, GroupShowsKept, HidingInGroup, LeftOutDoNotCount, boxes_told
from tokumei.privacy.attackers import Kept, Linking, Membership, pk_attacker
from tokumei.privacy.groups import achieved_by, place_in
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.privacy.pk import check_feasible, check_k
from tokumei.privacy.sampling import HidingPlace, share_of
from tokumei.privacy.split import Split
from tokumei.progress import stage
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import GroupBoxes
from tokumei.table.classes import smallest_within
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, Dates, Numbers
from tokumei.table.schema import Attribute, Schema
from tokumei.text import free_name, nearest
from tokumei.values import described, value

LABEL = "group"


@register_method
@value
class GroupedPkPerturbation(Anonymizer):
    """Put the rows into groups, and perturb each group inside its own box so that the release is Pk-anonymous.

    A narrow box needs less noise and a small group more, so groups pay where rows lie close together. Every column of a
    group shares the group's budget ``0.5 ln((n_g - 1)/(k - 1))``, or with up to m_g rows of a person in the group
    ``0.5 ln((n_g - m_g)/((k - 1) m_g))``; the guarantee is the smallest over all groups. The boxes
    are published, and the rows' groups where boxes overlap, since nobody could take the noise out without them. With ``tells``
    each row tells some columns only, inside its group's box, with the group's whole budget: for `tokumei.reconstruct`, a large k and large groups.
    With ``sample`` only some rows of each group are released: as long as it stays secret who was drawn, people also hide among those
    who were not, and the rows need less noise: k = 1 + (n_g - m_g) a_g + (m_g - 1) b_g in a group.

    Parameters
    ----------
    k
        A real number above 1: no attacker links a row to a person with a probability over 1/k.
    partition
        How rows are grouped: `NoiseAware`, which looks for the least noise, `Mondrian`, `DBSCAN`, or any other partition
        into groups. Groups too small for k are merged with others, and a warning says so.
    split
        How the columns of a group share its budget: ``"even"``, ``"equal_retention"``, or a weight for each column. A column
        that does not vary in a group costs nothing there.
    kept
        What to think of columns that are not quasi-identifiers: ``"unknown"``, ``"known"`` (a person then hides among the
        rows of their group that agree with them in all of them) or ``"perturb"``, as for `PkPerturbation`.
    edges
        Round the ends of boxes outward, so that they are nobody's values: how wide the steps are, for columns of
        numbers in their own unit, of dates in steps of their grid, counted from the low end of the domain.
    boxes
        What is published of a column of categories without an order: ``"sets"``, the labels that occur in each group, which needs
        less noise; or ``"stretches"``, as for numbers and ordered categories: all labels below the one of the hierarchy that covers
        the group's, or of the whole domain.
    tells
        What each row tells: ``"all"``, every column; a number, that many of the columns that vary in its group; or several
        `tokumei.tells.Subsets`, without ``cells``. The rest is blank, and the guarantee is the same. A column with one value in the
        box of a group is told by all of its rows.
    sample
        Release only this share of the rows of each group, drawn at random once the groups and their boxes are made. The release
        states what holds if it stays secret who was drawn, for which the noise is solved, and what holds if it does not.

    Examples
    --------
    >>> GroupedPkPerturbation(k=5, boxes="stretches")
    GroupedPkPerturbation(k=5, partition=NoiseAware(search='auto', min_size=None, grid=48, measure='distance'), split='even', kept='unknown', edges=None, boxes='stretches', tells='all', sample=None)
    """

    k: StrictInt | StrictFloat
    partition: AnyPartition = NoiseAware()
    split: Split = "even"
    kept: Kept = "unknown"
    edges: dict[str, StrictInt | StrictFloat] | None = None
    boxes: Literal["sets", "stretches"] = "sets"
    tells: Literal["all"] | Annotated[StrictInt, Field(ge=1)] | tuple[Subsets, ...] = "all"
    sample: StrictFloat | None = None
    method: Literal["grouped_pk_perturbation"] = field(default="grouped_pk_perturbation", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_k(self.k)
        if self.tells != "all" and self.split != "even":
            raise InvalidParameter(
                "split shares the budget among columns that every row tells; say tells='all' too, or leave it out."
            )
        if self.tells == ():
            raise InvalidParameter("tells must have at least one part.")
        check_sample(self.sample)

    def sampling(self) -> None:
        """Return nothing: rows are drawn group by group, once there are groups."""

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Group the rows, solve for the channels of each group, and state what they achieve."""
        table = table_of(survey)
        perturbed, kept = split_columns(schema, self.kept, None)
        if not perturbed:
            raise InvalidParameter("There is nothing to perturb: the schema has no quasi-identifier.")
        widths = self._widths(schema, perturbed)
        people = survey.people
        if people is not None and people.most > 1 and self.kept == "known" and kept:
            raise InvalidParameter(
                "groups of people with several rows cannot also count on equivalence classes of known columns; "
                "perturb the kept columns (kept='perturb'), drop them, or use PkPerturbation."
            )
        refuse_joining(people, kept, self.kept)
        if self.sample is not None and self.kept == "known" and kept:
            raise InvalidParameter(
                "a sample of groups cannot also count on equivalence classes of known columns, since how many rows of a class are "
                "drawn is chance; perturb the kept columns (kept='perturb'), drop them, or use PkPerturbation."
            )
        company = Company(table.class_of(kept if self.kept == "known" else ()), self.k, people)
        most = 1 if people is None else people.counted
        smallest = int(np.bincount(company.classes).min())
        hiding = None
        if self.kept == "known" and kept:
            hiding = phrase("the smallest equivalence class of the kept columns has {rows:row|rows}", rows=smallest)
        check_feasible(smallest, self.k, hiding, most)
        found, merged = self._grouped(table, perturbed, company)
        if merged:
            warn(
                "{merged:group|groups} with too few rows for k = {k:g} merged into others.",
                MergedGroupsWarning,
                merged=merged,
                k=self.k,
            )
        attributes = [schema[name] for name in perturbed]
        grouping, labels = self._solved(table, attributes, widths, found, company)
        gone = labels < 0
        left_out = int(np.count_nonzero(gone))
        of = grouping.people if grouping.sampled else None
        mechanism = Mechanism({}, kept, of, left_out=left_out, grouping=grouping)
        facts, _ = tell_suppressed(0, left_out)
        told = boxes_told(perturbed, grouping.sets, widths)

        def guarantee(membership: Membership | None) -> Guarantee:
            value, worst = achieved_by(grouping, membership or "secret")
            place = place_in(worst, membership or "secret")
            assumes = (
                *assumed_by_pk(schema, kept, self.kept, people=people),
                GroupedByRows(**told),
                *([GroupShowsKept()] if kept else []),
                HidingInGroup(
                    rows=place.among,
                    classes=self.kept == "known" and bool(kept),
                    own=None if people is None else place.most,
                    not_drawn=place.outside or None,
                ),
                *([LeftOutDoNotCount(rows=left_out)] if left_out else []),
            )
            return Guarantee(
                "Pk-anonymity",
                float_below(value),
                Linking(),
                pk_attacker(kept, self.kept, membership),
                assumes,
                {"among": place.among, "inside": place.inside} | ({} if people is None else {"most": place.most}),
            )

        memberships: tuple[Membership | None, ...] = ("secret", "known") if grouping.sampled else (None,)
        return Design(
            mechanism,
            tuple(map(guarantee, memberships)),
            (
                Fact("groups", len(grouping.groups), GroupBoxes(**told)),
                *facts,
                *facts_of_people(people),
            ),
            _released_schema(grouping, schema),
            left_out=gone if left_out else None,
            notes=self._notes(grouping, attributes, table.rows, merged, most),
            groups=labels,
        )

    def _widths(self, schema: Schema, perturbed: Sequence[str]) -> dict[str, int]:
        """Return how many grid steps the ends of a column's boxes are rounded to."""
        found = {}
        for name, width in (self.edges or {}).items():
            if name not in perturbed:
                raise InvalidParameter(
                    "edges names {name!r}, which is not perturbed.{hint}", name=name, hint=nearest(name, perturbed)
                )
            domain = schema[name].domain
            if not isinstance(domain, Numbers | Dates):
                raise InvalidParameter(
                    "edges are rounded only for numbers and dates, and {name!r} has categories.", name=name
                )
            if not 0 < width < math.inf:
                raise InvalidParameter(
                    "the step of {name!r} in edges must be a number above 0. Got {width:g}.", name=name, width=width
                )
            grid = (
                (float(domain.high) - float(domain.low)) / max(1, domain.size - 1) if isinstance(domain, Numbers) else 1
            )
            steps = width / grid if grid else math.inf
            wide = math.ceil(min(steps, domain.size) * (1 - 1e-9))  # a step of the grid more rather than less
            if wide < min(2, domain.size):
                raise InvalidParameter(
                    "the step of {name!r} in edges is no wider than the grid of its domain, so it would round "
                    "nothing; use a wider one.",
                    name=name,
                )
            found[name] = wide
        return found

    def _sets(self, *attributes: Attribute) -> tuple[str, ...]:
        """Name the columns whose boxes are the labels that occur: categories without an order."""
        return tuple(
            a.name
            for a in attributes
            if self.boxes == "sets" and isinstance(a.domain, Categories) and not a.domain.ordered
        )

    def _grouped(self, table: CodedTable, perturbed: Sequence[str], company: Company) -> tuple[Labels, int]:
        """Return the group of each row, and how many groups were merged because they were too small."""
        problem = problem_of(table, perturbed, math.ceil(self.k), [company])
        problem = replace(problem, sets=frozenset(self._sets(*(table.schema[name] for name in perturbed))))
        labels = self.partition.chosen(problem).group(problem)
        stays = np.flatnonzero(labels >= 0)
        left, stayed = np.bincount(company.classes[stays]), company.among(stays)
        smallest = int(left[left > 0].min(initial=len(stays)))
        check_feasible(
            smallest,
            self.k,
            phrase("of the rows that are not left out, some equivalence class has {rows:row|rows}", rows=smallest),
            int(stayed.most_within(np.zeros(len(stays), dtype=np.int32), 1)[0]) or 1,
        )
        inside = replace(problem, rows=problem.rows[stays], constraints=[stayed])
        found = labels.copy()
        found[stays] = merge_failing(inside, labels[stays])
        return found, int(labels.max()) - int(found.max())

    def _solved(
        self,
        table: CodedTable,
        attributes: Sequence[Attribute],
        widths: Mapping[str, int],
        labels: Labels,
        company: Company,
    ) -> tuple[Grouping, Integers]:
        """Solve every group; return the grouping, its groups in the order of their boxes, and each row's."""
        stays = np.flatnonzero(labels >= 0)
        groups = int(labels.max()) + 1
        fitted = [
            boxes_of(
                a, table.codes(a.name)[stays], labels[stays], groups, widths.get(a.name, 1), a.name in self._sets(a)
            )
            for a in attributes
        ]
        among, most = smallest_within(labels, groups, company.classes), company.most_within(labels, groups)
        rows = np.bincount(labels[stays], minlength=groups)
        drawn = rows if self.sample is None else np.array([share_of(self.sample, n) for n in rows.tolist()])
        outside = (rows - drawn).tolist()  # of a sample a person hides among all rows of the group
        places = [
            HidingPlace(away, n - away, own)
            for away, n, own in zip(outside, among.tolist(), most.tolist(), strict=True)
        ]
        columns, sizes, missing = zip(*fitted, strict=True)
        channels: Sequence[tuple[Mapping[str, Any], ...]] = [()] * groups
        if self.tells == "all":
            with stage("Solving for every group"):
                channels = solve_groups(
                    attributes, np.stack(sizes, axis=1), np.stack(missing, axis=1), places, self.k, self.split
                )
        made = [
            Group(count, place.among, boxes, solved, place.most, None if self.sample is None else place.among)
            for count, place, boxes, solved in zip(
                drawn.tolist(), places, zip(*columns, strict=True), channels, strict=True
            )
        ]
        order = sorted(range(groups), key=lambda group: made[group].boxes)
        number = np.empty(groups + 1, dtype=np.int64)
        number[order], number[groups] = np.arange(groups), -1  # the last is for rows left out
        grouping = Grouping(tuple(a.name for a in attributes), tuple(made[group] for group in order), None)
        if self.tells != "all":
            parts = (Subsets(self.tells),) if isinstance(self.tells, int) else self.tells
            label = free_name(LABEL, table.schema.names())
            names = (*table.schema.names(), label)
            told = solve_telling_in_groups(
                parts,
                attributes,
                np.stack(sizes, axis=1)[order],
                [places[group] for group in order],
                self.k,
                free_name(TELLS, names),
            )
            return replace(grouping, label=label, telling=told), number[labels]
        if not grouping.apart:
            grouping = replace(grouping, label=free_name(LABEL, table.schema.names()))
        return grouping, number[labels]

    def _notes(
        self, grouping: Grouping, attributes: Sequence[Attribute], rows: int, merged: int, most: int
    ) -> tuple[Note, ...]:
        if grouping.telling is not None:
            return notes_of_groups(grouping, grouping.telling, merged)
        ratio = noise_ratios(grouping, attributes, rows, self.k, self.split, most)
        weights = np.array([group.rows for group in grouping.groups], dtype=np.float64)
        noted = PerturbedGroups(
            groups=len(grouping.groups),
            fewest=int(weights.min()),
            most=int(weights.max()),
            merged=merged,
            noise=float(np.average(ratio.mean(axis=1), weights=weights)),
        )
        return (noted,)

    def asked(self) -> tuple[Asked, ...]:
        """Return k."""
        return (Asked("Pk-anonymity", self.k),)

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        return {
            "method": self.method,
            "k": self.k,
            "partition": described(self.partition),
            "split": self.split,
            "kept": self.kept,
            "edges": self.edges,
            "boxes": self.boxes,
            "tells": describe_tells(self.tells),
            "sample": self.sample,
        }


def _released_schema(grouping: Grouping, schema: Schema) -> Schema:
    """Add the columns that say which group a row is in, and what it tells; any cell may then be blank."""
    added = []
    if grouping.label is not None:
        numbers = Categories(tuple(range(1, len(grouping.groups) + 1)))
        added.append(Attribute(grouping.label, "insensitive", numbers, observed=True))
    if grouping.telling is not None:
        added.append(grouping.telling.attribute)
        for name in grouping.columns:
            schema = schema.replacing(replace(schema[name], missing=True))
    return Schema((*schema, *added))
