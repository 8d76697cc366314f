"""A first plan for a file: roles and domains guessed, with comments that say what to check."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import tomlkit
from tomlkit.items import Table

from tokumei.errors import DataError, InvalidParameter, nearest
from tokumei.plan import Source
from tokumei.plan.written import absent_labels, looks_like
from tokumei.shown import escaped
from tokumei.table.domain import Categories, Dates, Domain, Numbers, family
from tokumei.table.schema import DROPPED, Attribute, Role, observed_attribute

IDENTIFIERS = re.compile(
    r"(^|[^a-z])(id|uid|uuid|guid|no|nr|number|name|names|surname|firstname|lastname|fullname|username|login|e-?mail|mail|"
    r"phone|mobile|fax|tel|telephone|ssn|passport|iban|account|address|street|url|ip|plate|patient|customer|person)"
    r"([^a-z]|$)|_id$|氏名|名前|姓名|苗字|名字|氏$|住所|番地|電話|携帯|メール|口座|マイナンバー|個人番号|番号|顧客|患者",
    re.IGNORECASE,
)
SENSITIVE = re.compile(
    r"所得|年収|給与|病|診断|宗教|信条|犯罪|income|salary|wage|disease|diagnos|icd|health|religion|belief|politic|vote|sexual|crime|convict|debt|credit",
    re.I,
)
MANY_LABELS = 1000
LIKE_NAMES = "most rows have a value of their own, as with a name: it is dropped"

WHY = {
    "identifier": "names a person directly: it is dropped",
    "person": "whose row it is, where people have several: it is dropped, and promises are for people",
    "quasi_identifier": "somebody else may know it of a person: it is perturbed",
    "sensitive": "what one would not want to be known: see 'kept' below",
    "insensitive": "harmless: see 'kept' below",
}


def suggest_role(name: str, column: Any) -> Role:
    """Guess the role of an Arrow column from its name, and from whether nearly every row has a value of its own."""
    if _named_like_an_identifier(name):
        return "identifier"
    if SENSITIVE.search(name):
        return "sensitive"
    if family(column.type) == "text" and len(column) > 1:
        different = len(column.unique())
        if different > 0.5 * len(column) or different > MANY_LABELS:
            return "identifier"
    return "quasi_identifier"


def _named_like_an_identifier(name: str) -> bool:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)  # firstName is two words
    return IDENTIFIERS.search(words) is not None


def draft_plan(table: pa.Table, source: Source, output: str, k: float, person: str | None = None) -> str:
    """Return the text of a commented plan for a table; ``person`` is the column that says whose row each is.

    It is the holder's own file and lists the labels that the table holds; it is not part of any release.
    """
    if table.num_rows == 0:
        raise DataError("The table has no rows to draft a plan from.")
    if person is not None and person not in table.column_names:
        raise InvalidParameter(f"There is no column {person!r} in the table.{nearest(person, table.column_names)}")
    document = tomlkit.document()
    for line in (
        "A plan for tokumei. Check roles and domains, then run: tokumei anonymize THIS_FILE",
        "This file stays with you: it lists values that your data hold.",
    ):
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    place = tomlkit.table()
    assert source.path is not None
    place["path"] = source.path
    for name, usual in (("delimiter", ","), ("encoding", "utf-8"), ("decimal", "."), ("dates", None)):
        if getattr(source, name) != usual:
            place[name] = getattr(source, name)
    if not source.path.endswith((".parquet", ".pq")):
        _say(place, "missing", list(source.missing), 'how an absent cell is written, for example ["", "NA", "?"]')
    document["source"] = place
    columns = tomlkit.table(is_super_table=True)
    for name in table.column_names:
        columns[name] = _column(name, table.column(name), "person" if name == person else None)
    document["schema"] = columns
    document["method"] = _method(k)
    target = tomlkit.table()
    target["path"] = output
    _say(target, "format", "parquet", '"parquet" or "csv"')
    document["output"] = target
    return escaped(tomlkit.dumps(document))


def _say(section: Table, key: str, given: Any, comment: str) -> None:
    """Set a key with a comment behind it."""
    section[key] = tomlkit.item(given).comment(comment)


def suggest_attribute(name: str, column: Any, given: Role | None = None) -> tuple[Attribute, str]:
    """Describe an Arrow column by its name and what it holds; say why it has its role."""
    role = given or suggest_role(name, column)
    if role not in DROPPED:
        try:
            return observed_attribute(name, column, role), _with_looks(WHY[role], column)
        except (DataError, InvalidParameter) as error:
            return Attribute(name, "identifier"), f"dropped as it is: {error}"
    guessed_by_cells = given is None and not _named_like_an_identifier(name)
    why = _with_looks(LIKE_NAMES, column) if guessed_by_cells else WHY[role]
    return Attribute(name, role, missing=role == "identifier" and bool(column.null_count)), why


def _with_looks(why: str, column: Any) -> str:
    looks = looks_like(column)
    return why if looks is None else f"{why}; {looks}"


def _column(name: str, column: Any, given: Role | None) -> Table:
    described, why = suggest_attribute(name, column, given)
    section = tomlkit.table()
    _say(section, "role", described.role, why)
    if described.role == "person":
        section.add(
            tomlkit.comment(
                "most = 5  # how many rows nobody has more of; without it the number is counted and published"
            )
        )
        return section
    if described.role == "identifier":
        if described.missing:
            section["missing"] = True
        return section
    assert described.domain is not None
    section["domain"] = _domain(described.domain)
    if absent_labels(described.domain):
        section.add(
            tomlkit.comment(
                "one of its labels often means that there is nothing: if so, list it in missing of [source]"
            )
        )
    if described.observed:
        _say(section, "observed", True, "the domain was read off the data: correct it, then delete this line")
    if described.missing:
        _say(section, "missing", True, "absent cells occur; they are protected like any other value")
    return section


def _domain(domain: Domain) -> Any:
    given: dict[str, Any]
    if isinstance(domain, Categories):
        given = {"kind": "categories", "values": _array(domain.values)}
    elif isinstance(domain, Numbers):
        given = {"kind": "numbers", "low": domain.low, "high": domain.high}
        if domain.step is not None:
            given["step"] = domain.step
    else:
        assert isinstance(domain, Dates)
        given = {"kind": "dates", "low": domain.low, "high": domain.high}
    inline = tomlkit.inline_table()
    inline.update(given)
    return inline


def _array(values: Iterable[Any]) -> Any:
    array = tomlkit.array()
    array.extend(values)
    return array


def _method(k: float) -> Table:
    section = tomlkit.table()
    section["method"] = "pk_perturbation"
    _say(section, "k", k, "nobody links a row to a person with a probability over 1/k")
    _say(section, "split", "even", 'how columns share the noise: "even", "equal_retention", or { age = 2, sex = 1 }')
    _say(
        section,
        "kept",
        "unknown",
        'columns released as they are: "unknown" to attackers, "known", or "perturb" them too',
    )
    return section


def default_output(source: Path) -> str:
    """Name the folder of a release after its source."""
    return f"{source.name.split('.')[0]}-release"
