"""Whose draws each row has, where draws repeat: a keyed hash of the person, who has one row."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.arrays import Integers, Unsigned64
from tokumei.errors import DataError, InvalidParameter
from tokumei.prepare.keyed import CHUNK
from tokumei.prepare.keys import read_key
from tokumei.prepare.step import Step
from tokumei.prepare.texts import different_texts
from tokumei.progress import stage
from tokumei.randomness import TaskKey
from tokumei.table.coded import CodedTable
from tokumei.table.schema import Schema
from tokumei.text import nearest


@dataclass(frozen=True, repr=False)
class PersonTags(Step):
    """Give each row the tag of its person under a key: 128 bits of keyed BLAKE2b. No release shows it or says anything of it.

    It can be pickled, since the machines of a cluster draw too: anyone who can read what a cluster sends to them can read the key.
    """

    column: str
    people: bytes
    draws: TaskKey
    public = False

    @classmethod
    def of(cls, secret: bytes, column: str) -> PersonTags:
        """Derive from a key what hashes people and what draws; neither tells of the other, nor of pseudonyms under the same key."""
        return cls(column, _derived(secret, b"people"), TaskKey(_derived(secret, b"draws"), True))

    def apply(self, table: CodedTable) -> CodedTable:
        """Return the table: its rows were tagged before."""
        return table

    def tagged(self, table: CodedTable, rows: pa.Table) -> CodedTable:
        """Return the table with the tags of its rows' people."""
        texts, which = people_of(rows, self.column)
        return replace(table, tags=hashed_people(self.people, texts)[which])

    def describe(self) -> dict[str, Any]:
        """Return nothing: no manifest has it."""
        return {}

    def __repr__(self) -> str:
        return f"PersonTags(column={self.column!r})"


def hashed_people(key: bytes, texts: Any) -> Unsigned64:
    """Return two words for each of some different people: BLAKE2b under a key of its own (three times as quick as HMAC-SHA256)."""
    made = bytearray()
    with stage("Finding each person's draws", len(texts)) as shown:
        for at in range(0, len(texts), CHUNK):
            part = texts.slice(at, CHUNK).to_pylist()
            made += b"".join([hashlib.blake2b(text.encode(), key=key, digest_size=16).digest() for text in part])
            shown.advance(len(part))
    return np.frombuffer(made, dtype="<u8").reshape(len(texts), 2).astype(np.uint64)


def count_tags(tags: Unsigned64) -> int:
    """Count the different tags; where all first words differ, which is nearly always, these are enough."""
    first = len(np.unique(tags[:, 0]))
    return first if first == len(tags) else len(np.unique(tags, axis=0))


def _derived(secret: bytes, purpose: bytes) -> bytes:
    return hmac.digest(secret, b"tokumei repeat " + purpose, "sha256")


def key_name(reference: str, column: str) -> str:
    """Return the public name of a key: 128 bits that follow from it, and from which it cannot be found."""
    return _derived(read_key(reference, column), b"name")[:16].hex()


def people_of(rows: pa.Table, column: str) -> tuple[Any, Integers]:
    """Return the different people of some rows as texts, and which of them each row is of; nobody's row may lack a name."""
    if column not in rows.column_names:
        raise DataError(
            "The table has no column {column!r}, which says whose draws are repeated.{hint}",
            column=column,
            hint=nearest(column, rows.column_names),
        )
    texts, which = different_texts(rows.column(column), column)
    blank = pc.equal(pc.utf8_trim_whitespace(texts), "")
    which = pc.take(pc.if_else(blank, None, pa.array(np.arange(len(texts)))), which)
    if which.null_count:
        raise DataError(
            "Column {column!r} says whose draws are repeated, and {lost:cell|cells} of it {lost:|is|are} missing; fill them in.",
            column=column,
            lost=which.null_count,
        )
    same = texts.dictionary_encode()  # texts that differed only in how their letters are composed
    number: Integers = same.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return same.dictionary, number[which.to_numpy(zero_copy_only=False)]


def check_one_row(rows: int, people: int, column: str) -> None:
    """Refuse people with several rows."""
    if people < rows:
        raise DataError(
            "Draws repeat for people with one row each, and {column!r} has {people:person|people} for {rows:row|rows}; "
            "release one row per person, or leave repeat out.",
            column=column,
            people=people,
            rows=rows,
        )


def check_person(schema: Schema, column: str) -> None:
    """Refuse a person column that is not an identifier of people with one row each."""
    role = schema[column].role
    if role == "person":
        raise InvalidParameter(
            "Draws repeat for people with one row each, and {column!r} has the role 'person', for people with several; give it the "
            "role 'identifier' if everyone has one row.",
            column=column,
        )
    if role != "identifier":
        raise InvalidParameter(
            "repeat needs a column that identifies people, and {column!r} has the role {role!r}; give it the role 'identifier', "
            "which is dropped.",
            column=column,
            role=role,
        )
    if schema.names("person"):
        raise InvalidParameter(
            "Draws repeat for people with one row each, and the schema has a column of role 'person'; make it an identifier if no "
            "two rows belong to one person."
        )
