"""Draws that repeat: the same people in release after release, under a key that the data holder keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from tokumei.anonymizers.notes import RepeatsAnyway, RepeatsFromHere
from tokumei.anonymizers.sample import Sample
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.prepare.keys import check_reference, read_key
from tokumei.prepare.person_tags import PersonTags, check_person, key_name
from tokumei.privacy.attackers import Kept
from tokumei.privacy.guarantee import float_below
from tokumei.privacy.notions import down
from tokumei.privacy.sampling import HidingPlace, least_achieved
from tokumei.release.artifact import Release
from tokumei.release.files import read_made
from tokumei.table.schema import Schema
from tokumei.values import value
from tokumei.words import Statement


@value
class Repeat:
    """Draw by person and value under a key, so that an unchanged value is released unchanged in every release.

    **Anyone who has the key can take out the noise** of every release under it: keep it apart from the releases, and never give it away. If
    it is lost, the next release draws everything anew, which counts against all earlier ones that it can be joined with.

    Parameters
    ----------
    key
        Where the key is: ``"env:NAME"`` (an environment variable) or ``"file:PATH"`` (a file that only its owner may read). ``tokumei key
        FILE`` makes one.
    person
        The column that identifies people, of the role ``identifier``: one row each. It is dropped.
    like
        An earlier release under the same key, or its folder: its noise is used again, so that its draws are repeated. Without it the
        noise is solved for this table. A table of another size then has other noise and other draws, and every cell counts as changed.

    Examples
    --------
    >>> Repeat(key="file:people.key", person="person_id")
    Repeat(person='person_id', like=None)
    """

    key: str = field(repr=False)
    person: str
    # It stays out of manifests, which name no files.
    like: Annotated[Any, Field(exclude=True), WithJsonSchema({"type": "string"})] = None

    def __post_init__(self) -> None:
        check_reference(self.key)
        if self.like is not None and not (isinstance(self.like, str | Path | Release) and str(self.like)):
            raise InvalidParameter("like takes an earlier release, or the path of its folder.")

    def tags(self, schema: Schema) -> PersonTags:
        """Return what tags rows with their people, the key in hand."""
        check_person(schema, self.person)
        return PersonTags.of(read_key(self.key, self.person), self.person)

    def named(self, mechanism: Mechanism) -> Mechanism:
        """Return a mechanism that says under which key its draws repeat."""
        return replace(mechanism, repeat=key_name(self.key, self.person))

    def earlier(
        self, asked: Mapping[str, Any], perturbed: Sequence[str], kept: tuple[str, ...], schema: Schema
    ) -> Mechanism:
        """Return the noise of the earlier release for these columns; refuse where its draws would not be repeated."""
        mechanism, released, method = _made(self.like)
        if mechanism.repeat != key_name(self.key, self.person):
            raise InvalidParameter(
                "The earlier release was not made under this key, so its draws cannot be repeated; leave like out, or "
                "give the key that it was made under."
            )
        for name in ("method", "split", "tells"):
            if asked.get(name) != method.get(name):
                raise InvalidParameter(
                    "The earlier release was made with another {name}; leave it as it was there, or leave like out.",
                    name=name,
                )
        if sorted(perturbed) != sorted(mechanism.perturbed):
            raise InvalidParameter(
                "The earlier release perturbs other columns; perturb the same ones, or leave like out."
            )
        for name in perturbed:
            before, now = mechanism.original(released[name]), schema[name]
            told = mechanism.telling is not None
            if (before.domain, before.missing) != (now.domain, now.missing) or (
                told and before.hierarchy != now.hierarchy
            ):
                raise InvalidParameter(
                    "The earlier release describes {name!r} otherwise; describe it as there, or leave like out.",
                    name=name,
                )
        if mechanism.telling is not None and mechanism.telling.label in schema.names():
            raise InvalidParameter(
                "The earlier release says in its column {label!r} what rows tell; rename the table's own.",
                label=mechanism.telling.label,
            )
        telling = mechanism.telling
        if (
            telling is not None
        ):  # the columns are the same; their roles, and whether they were observed, are those of this table
            columns = {name: replace(column, original=schema[name]) for name, column in telling.columns.items()}
            telling = replace(telling, columns=columns)
        return Mechanism(mechanism.channels, kept, telling=telling)

    def describe(self) -> dict[str, Any]:
        """Return what a manifest says of it: whether the noise is that of an earlier release."""
        return {"like": self.like is not None}


def _made(like: Any) -> tuple[Mechanism, Schema, Mapping[str, Any]]:
    if isinstance(like, Release):
        return like.mechanism, like.schema, like.method
    made = read_made(Path(like))
    return made["mechanism"], made["schema"], made["method"]


def check_repeat(repeat: Repeat | None, sample: Sample | None) -> None:
    """Refuse a sample of people whose draws repeat: those who are drawn for one release and not for another stand out."""
    if repeat is not None and sample is not None:
        raise InvalidParameter(
            "repeat is for releases of whole tables: who is sampled once and not the next time would stand out; leave sample out."
        )


def refuse_less_noise(mechanism: Mechanism, places: Sequence[HidingPlace], k: float) -> None:
    """Refuse the noise of an earlier release where people hide among fewer rows than it was made for, and k does not hold."""
    found = float_below(least_achieved(places, mechanism))
    if found < k:
        raise InfeasiblePromise(
            "k = {k:g} does not hold: the noise of the earlier release guarantees k = {guaranteed} for this table. Ask for "
            "that, or leave like out and draw anew; next time ask the first release for a larger k than its successors.",
            k=k,
            guaranteed=down(found),
        )


def less_than_asked(epsilon: float) -> InfeasiblePromise:
    """Return the error for the noise of an earlier release that does not keep an epsilon of central differential privacy here."""
    return InfeasiblePromise(
        "epsilon = {epsilon:g} does not hold: the noise of the earlier release does not keep it for this table. Ask for a larger "
        "one, or leave like out and draw anew.",
        epsilon=epsilon,
    )


def notes_on(
    repeat: Repeat | None, kept: Sequence[str], kept_is: Kept, *, solved: bool = True
) -> tuple[Statement, ...]:
    """Tell the data holder where draws need not repeat, since nothing else joins the rows of two releases; and to keep the noise."""
    if repeat is None:
        return ()
    anyway = () if kept and kept_is == "unknown" else (RepeatsAnyway(),)
    return (*anyway, *((RepeatsFromHere(),) if solved and repeat.like is None else ()))
