"""Schemas: which columns a table has, what each is for, and which values it may take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import pyarrow.compute as pc
import pydantic
from pydantic import StrictBool, StrictInt

from tokumei.diagnostics import warn
from tokumei.errors import DataError, InvalidParameter, ObservedDomainWarning
from tokumei.table.codebook import Codebook, Variable, labelled
from tokumei.table.codebook_files import read_codebook_file
from tokumei.table.domain import AnyDomain, Categories, Domain, family
from tokumei.table.hierarchy import AnyHierarchy
from tokumei.table.levels import check_levels
from tokumei.table.notebook import attribute_card, schema_card
from tokumei.table.observed import FEW, observe
from tokumei.table.people import Unit
from tokumei.text import names, nearest
from tokumei.values import value

Role = Literal["identifier", "person", "quasi_identifier", "sensitive", "insensitive"]
MOST = 10**15  # rows of one person, so that every number of them is one of a manifest
DROPPED: tuple[Role, ...] = ("identifier", "person")  # roles of columns that are never released


@value
class Attribute:
    """One column: its name, its role, its domain, and whether cells may be missing.

    Parameters
    ----------
    name
        The column's name.
    role
        ``identifier`` (dropped), ``person`` (dropped too; it says whose row each is, where people or households have
        several, and promises are then stated for them), ``quasi_identifier`` (could be known to an attacker; this is what
        methods protect), ``sensitive`` or ``insensitive`` (what is done with these depends on the method).
    domain
        The values the column may take. A quasi-identifier needs one.
    hierarchy
        How its values may be made coarser.
    missing
        Whether cells may be missing. If so, being missing is one more value, and is protected like the others.
    observed
        Whether the domain was read from the data. It then is part of what the release discloses. A hierarchy that was
        learned from rows makes the column an observed one.
    most
        Of a person column: the most rows that any person has. A table in which a person has more is refused. Without it the
        number is counted, and disclosed where a guarantee follows from it.
    unit
        Of a person column: ``"household"`` where it numbers households, so that guarantees and reports say so.
    label
        What the column is, in words. It is released with the column, shown in reports, and has no other effect.
    codes
        The codes that labels have in files of SPSS, Stata and SAS, used where a release is written as such a file.
    """

    name: str
    role: Role = "quasi_identifier"
    domain: AnyDomain | None = None
    hierarchy: AnyHierarchy | None = None
    missing: StrictBool = False
    observed: StrictBool = False
    most: StrictInt | None = None
    unit: Unit = "person"
    label: str | None = field(default=None, compare=False, repr=False)
    codes: Mapping[str, StrictInt | float | str] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidParameter("a column needs a name.")
        if self.most is not None and self.role != "person":
            raise InvalidParameter(
                "most is for a column of role 'person', and {name!r} has the role {role!r}.",
                name=self.name,
                role=self.role,
            )
        if self.most is not None and not 1 <= self.most <= MOST:
            raise InvalidParameter(
                "the most rows of one person must be at least 1, and at most {limit:,}. Got {most}.",
                limit=MOST,
                most=self.most,
            )
        if self.unit != "person" and self.role != "person":
            raise InvalidParameter(
                "unit is for a column of role 'person', and {name!r} has the role {role!r}.",
                name=self.name,
                role=self.role,
            )
        if self.role == "person" and self.missing:
            raise InvalidParameter(
                "the person column {name!r} cannot have missing cells: every row belongs to a person.", name=self.name
            )
        if self.role == "quasi_identifier" and self.domain is None:
            raise InvalidParameter("the quasi-identifier {name!r} needs a domain.", name=self.name)
        if self.hierarchy is not None:
            if self.hierarchy.learned:
                object.__setattr__(self, "observed", True)
            if self.domain is None:
                raise InvalidParameter("{name!r} has a hierarchy but no domain.", name=self.name)
            check_levels(self.domain.size, self.hierarchy.depth)
            lacking = self.hierarchy.uncovered(self.domain)
            if lacking:
                if self.observed:
                    raise InvalidParameter(
                        "the hierarchy of {name!r} lacks {values:value|values} of its domain.",
                        name=self.name,
                        values=len(lacking),
                    )
                raise InvalidParameter(
                    "the hierarchy of {name!r} lacks {values:value|values} of its domain: {lacking}{more}.",
                    name=self.name,
                    values=len(lacking),
                    lacking=names(lacking[:5]),
                    more=", …" if len(lacking) > 5 else "",
                )

    @property
    def states(self) -> int:
        """How many different cells there can be: the values, and missing where that is allowed."""
        if self.domain is None:
            raise InvalidParameter("{name!r} has no declared domain; declare one in the schema.", name=self.name)
        return self.domain.size + int(self.missing)

    def _repr_html_(self) -> str:
        return attribute_card(self)


@value
class Schema:
    """The columns of a table, in order.

    >>> from tokumei import Attribute, Categories, Numbers, Schema
    >>> schema = Schema([
    ...     Attribute("age", "quasi_identifier", Numbers(17, 90, step=1)),
    ...     Attribute("sex", "quasi_identifier", Categories(["Female", "Male"])),
    ...     Attribute("income", "sensitive", Categories(["<=50K", ">50K"])),
    ... ])
    >>> schema.names("quasi_identifier")
    ('age', 'sex')
    """

    attributes: tuple[Attribute, ...]

    def __post_init__(self) -> None:
        if not self.attributes:
            raise InvalidParameter("a schema needs at least one column.")
        seen: set[str] = set()
        for attribute in self.attributes:
            if attribute.name in seen:
                raise InvalidParameter("the column {column!r} is described twice.", column=attribute.name)
            seen.add(attribute.name)
        people = self.names("person")
        if len(people) > 1:
            raise InvalidParameter(
                "a schema has at most one column of role 'person'. Got {people}.", people=names(people)
            )

    def __iter__(self) -> Iterator[Attribute]:  # a schema is its columns
        return iter(self.attributes)

    def __getitem__(self, name: str) -> Attribute:
        found = self._by_name.get(name)
        if found is None:
            raise InvalidParameter(
                "There is no column {name!r} in the schema.{hint}", name=name, hint=nearest(name, self.names())
            )
        return found

    @cached_property
    def _by_name(self) -> Mapping[str, Attribute]:
        return {attribute.name: attribute for attribute in self.attributes}

    def _repr_html_(self) -> str:
        return schema_card(self.attributes)

    def names(self, *roles: Role) -> tuple[str, ...]:
        """Return the names of the columns, of all roles or of the given ones."""
        for role in roles:
            if role not in get_args(Role):
                raise InvalidParameter(
                    "There is no role {role!r}.{hint}", role=role, hint=nearest(str(role), get_args(Role))
                )
        return tuple(a.name for a in self.attributes if not roles or a.role in roles)

    def replacing(self, changed: Attribute) -> Schema:
        """Return the schema with one column described anew."""
        return Schema(tuple(changed if a.name == changed.name else a for a in self.attributes))

    def without(self, *dropped: str) -> Schema:
        """Return the schema less some columns."""
        gone = {self[name].name for name in dropped}
        return Schema(tuple(a for a in self.attributes if a.name not in gone))

    @classmethod
    def observe(cls, frame: Any, roles: Mapping[str, Role] | None = None) -> Schema:
        """Infer a schema from a table; the domains then come from the data, and every release will say so.

        Columns that ``roles`` does not name are taken as quasi-identifiers, the safest guess. Observed bounds and
        rare categories are themselves some people's values: declare domains yourself wherever you can. Few different whole
        numbers become categories, since they may be codes; other numbers are no declared quantity, so that no method
        releases means of them. `Schema.replacing` puts in what you know better.
        """
        from tokumei.table.frames import to_arrow

        roles = dict(roles or {})
        table, _ = to_arrow(frame)
        for name, role in roles.items():
            if name not in table.column_names:
                raise InvalidParameter(
                    "roles names {name!r}, which is not a column.{hint}",
                    name=name,
                    hint=nearest(name, table.column_names),
                )
            if role not in get_args(Role):
                raise InvalidParameter(
                    "the role of {name!r} must be one of {roles}. Got {role!r}.{hint}",
                    name=name,
                    roles=names(get_args(Role)),
                    role=role,
                    hint=nearest(str(role), get_args(Role)),
                )
        if table.num_rows == 0:
            raise DataError("The table has no rows, so no domain can be read from it.")
        found = cls(
            tuple(observed_attribute(n, table.column(n), roles.get(n, "quasi_identifier")) for n in table.column_names)
        )
        _tell_observed(found)
        return found

    @classmethod
    def from_codebook(
        cls, codebook: Codebook | str | Path, frame: Any = None, roles: Mapping[str, Role] | None = None
    ) -> Schema:
        """Make a schema from a codebook: labels become categories, ranges numbers, and what columns are in words is kept.

        Parameters
        ----------
        codebook
            A `Codebook` (`tokumei.read_codebook` reads one, also from a file of SPSS, Stata or SAS), or the path of a CSV or DDI codebook.
        frame
            The table. Its columns are then those of the schema, and domains that the codebook leaves open are read from it; every
            release will say so. Without it the codebook must have all of them.
        roles
            The roles of columns, over those that the codebook states; all others are quasi-identifiers, the safest guess.

        Examples
        --------
        >>> from tokumei.table.codebook import Codebook, Variable
        >>> book = Codebook((Variable("sex", "Sex", ((1, "male"), (2, "female"))), Variable("age", low=0, high=99, step=1)))
        >>> schema = Schema.from_codebook(book)
        >>> schema["sex"].domain, schema["sex"].label
        (Categories(values=('male', 'female'), ordered=False), 'Sex')
        """
        from tokumei.table.frames import to_arrow

        book = codebook if isinstance(codebook, Codebook) else read_codebook_file(Path(codebook))
        table = None if frame is None else labelled(to_arrow(frame)[0], book)
        present = tuple(book) if table is None else tuple(table.column_names)
        stated: dict[str, Any] = {each.name: each.role for each in book.values() if each.role is not None}
        stated |= roles or {}
        for name in roles or ():
            if name not in present:
                raise InvalidParameter(
                    "roles names {name!r}, which is not a column.{hint}", name=name, hint=nearest(name, present)
                )
        made = cls(tuple(_from_codebook(n, book.get(n), table, stated.get(n, "quasi_identifier")) for n in present))
        _tell_observed(made)
        return made


def _from_codebook(name: str, variable: Variable | None, table: Any, role: Role) -> Attribute:
    """Describe a column by its codebook, or where that leaves its domain open by what it holds."""
    label = None if variable is None else variable.label
    domain = None if variable is None else variable.domain
    column = None if table is None else table.column(name)
    if isinstance(domain, Categories) and column is not None and family(column.type) == "numbers":
        domain = None  # some of its numbers have no label: these are numbers with a few labelled ones among them
    if role in DROPPED:
        return Attribute(
            name, role, missing=column is not None and role != "person" and bool(column.null_count), label=label
        )
    if domain is not None and variable is not None:
        absent = bool(variable.missing) if column is None else bool(column.null_count)
        codes = {text: code for code, text in variable.labels.items()} if variable.labels else None
        return Attribute(name, role, domain, missing=absent, label=label, codes=codes)
    if column is None:
        raise InvalidParameter(
            "the codebook gives neither values nor a range (low and high) for {name!r}; add them, name its role as identifier, or give the table.",
            name=name,
        )
    return replace(observed_attribute(name, column, role), label=label)


def _tell_observed(found: Schema) -> None:
    looked_at = [a.name for a in found if a.observed]
    if looked_at:
        warn(
            "The domains of {looked_at} were read from the data; the release will disclose them. "
            "Declare domains to avoid this.",
            ObservedDomainWarning,
            looked_at=names(looked_at),
        )


def observed_attribute(name: str, column: Any, role: Role, few: int = FEW) -> Attribute:
    """Describe one Arrow column by what it holds, including whether cells are missing. Dropped columns need no domain.

    Whole numbers are taken for codes where there are at most ``few`` different ones.
    """
    missing = bool(pc.any(pc.is_null(column, nan_is_null=True)).as_py()) if len(column) else False
    if role in DROPPED:
        return Attribute(name, role, missing=missing and role != "person")  # a missing person is refused with the rows
    try:
        domain: Domain = observe(column, few)
    except DataError as error:
        raise DataError("Column {name!r} {error}.", name=name, error=error) from None
    return Attribute(name, role, domain, missing=missing, observed=True)


_DOMAINS: Any = pydantic.TypeAdapter(AnyDomain)
_HIERARCHIES: Any = pydantic.TypeAdapter(AnyHierarchy)


def describe_attribute(attribute: Attribute) -> dict[str, Any]:
    """Return a column's domain, whether cells may be missing, and its hierarchy, as they stand in a manifest."""
    part: dict[str, Any] = {"domain": domain_json(attribute.domain), "missing": attribute.missing}
    if attribute.hierarchy is not None:
        part["hierarchy"] = _HIERARCHIES.dump_python(attribute.hierarchy, mode="json")
    return part


def domain_json(domain: Domain | None) -> Any:
    """Return a domain as it appears in a manifest."""
    return None if domain is None else _DOMAINS.dump_python(domain, mode="json")


def attribute_from(described: Mapping[str, Any]) -> Attribute:
    """Make a column again from its name and what `describe_attribute` gave."""
    found: Attribute = pydantic.TypeAdapter(Attribute).validate_python(dict(described))
    return found


def require_schema(given: Any) -> None:
    """Refuse what is no schema, and say how to get one."""
    if not isinstance(given, Schema):
        raise InvalidParameter("schema must be a Schema; create one, or use Schema.observe(frame, roles=...).")
