"""Complete rows with their card: as frames, as one frame, or written to a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa

from tokumei.errors import InvalidParameter
from tokumei.files import atomic_files, check_free, sibling
from tokumei.learning.card import Card
from tokumei.learning.limits import Limits, Of
from tokumei.learning.pool import fitted, listed, pool
from tokumei.learning.pooled import Pooled
from tokumei.messages import Language
from tokumei.progress import stage
from tokumei.release.files import WRITERS, check_form
from tokumei.release.formulas import Formulas
from tokumei.results import json_text
from tokumei.shown import shown
from tokumei.table.frames import Origin, from_arrow, to_arrow
from tokumei.text import free_name, plural
from tokumei.words import Words, spoken

METADATA = b"tokumei"  # the key under which a Parquet file has its card


@dataclass(frozen=True, repr=False)
class Synthesized:
    """Complete rows that were drawn from what a release leaves open.

    Attributes
    ----------
    frames
        The copies, each a frame of the kind that the release came from.
    card
        What has to be known about the rows.
    drawn
        How many rows were drawn for each released one; nothing where one was imputed for each.
    limits
        Where intervals from the copies would not be honest, and why.
    """

    frames: tuple[Any, ...]
    card: Card
    drawn: float | None
    limits: Limits
    origin: Origin
    labels: Mapping[str, Sequence[Any]]

    @cached_property
    def frame(self) -> Any:
        """The rows as one frame; of several copies all rows, with a column ``copy`` that counts from 1."""
        return self.frames[0] if len(self.frames) == 1 else from_arrow(self._table(), self.origin, self.labels)

    def pool(
        self,
        estimates: Sequence[Any],
        variances: Sequence[Any] | Callable[[Any], Any] | None = None,
        *,
        about: Literal["population", "table"] | None = None,
        of: Of | None = None,
        degrees_of_freedom: float | None = None,
    ) -> Pooled:
        """Combine estimates from the copies by the rules that suit them, as `tokumei.pool` does.

        Where the rows of such a release were not found to give intervals that hold, there is the estimate alone, and ``reason`` says why.

        Parameters
        ----------
        estimates, variances, about, degrees_of_freedom
            As in `tokumei.pool`.
        of
            What the estimates are: ``"shares"``, ``"means"`` or ``"coefficients"``. Fitted models have coefficients, and need not be told. Numbers
            do not say what they are, and have no interval without this where intervals hold for some of the three only.
        """
        if of not in {None, *get_args(Of)}:
            raise InvalidParameter("of must be 'shares', 'means' or 'coefficients'.")
        if len(listed(estimates)) != len(self.frames):
            raise InvalidParameter(
                "There are {copies} copies and {estimates} estimates; give one estimate for each copy.",
                copies=len(self.frames),
                estimates=len(estimates),
            )
        found = pool(estimates, variances, about=about, degrees_of_freedom=degrees_of_freedom)
        reason = self.limits.reason(found.about, "coefficients" if any(map(fitted, estimates)) else of)
        return found if reason is None else found.without_interval(reason)

    @stage("Writing")
    def write(
        self,
        path: str | Path,
        *,
        overwrite: bool = False,
        formulas: Formulas = "keep",
        language: Language | None = None,
    ) -> list[Path]:
        """Write the rows to a CSV or Parquet file, and the card beside it, whole or not at all; return the paths.

        Several copies stand behind each other, with a column ``copy``. A Parquet file has the card in its metadata as well, under
        the key ``tokumei``.

        Parameters
        ----------
        path
            The file of rows, which ends in ``.csv`` or ``.parquet``. The card is in ``NAME-card.json``, for programs, and
            ``NAME-card.md``, for people.
        overwrite
            Whether files that are there may be replaced.
        formulas
            As in `Release.write`.
        language
            Of the card for people, ``"en"`` or ``"ja"``; else the language that ``TOKUMEI_LANGUAGE`` names.
        """
        place, for_programs, for_people = check_places(Path(path), overwrite=overwrite, formulas=formulas)
        words = spoken() if language is None else Words(language)
        described = json_text(self.card.describe(), indent=1)
        table = self._table().replace_schema_metadata({METADATA: described.encode()})
        with atomic_files([place, for_programs, for_people], overwrite=overwrite) as (rows, data, page):
            data.write_text(described + "\n", encoding="utf-8")
            page.write_text(shown(self.card.markdown(words), lines=True), encoding="utf-8")
            WRITERS[_kind(place)](iter([table]), table.schema, rows, formulas)
        return [place, for_programs, for_people]

    def _table(self) -> pa.Table:
        tables = [to_arrow(each)[0] for each in self.frames]
        if len(tables) == 1:
            return tables[0]
        title = free_name("copy", tables[0].column_names)
        numbers = np.repeat(np.arange(1, len(tables) + 1), [each.num_rows for each in tables])
        whole = pa.concat_tables(tables).unify_dictionaries()
        return whole.add_column(0, title, pa.array(numbers, pa.int32()))

    def __repr__(self) -> str:
        rows, columns = to_arrow(self.frames[0])[0].shape
        how = "imputed" if self.drawn is None else "drawn"
        copies = "" if len(self.frames) == 1 else f"{len(self.frames):,} copies of "
        return shown(f"<Synthesized: {copies}{plural(rows, f'{how} row')} with {plural(columns, 'column')}>")

    def _repr_html_(self) -> str:
        return self.card._repr_html_()


def check_places(path: Path, *, overwrite: bool, formulas: Formulas) -> tuple[Path, Path, Path]:
    """Return where the rows and both forms of their card go; refuse a form of file that there is not, and places that are taken."""
    if _kind(path) not in WRITERS:
        raise InvalidParameter("{path} must end in .csv or .parquet.", path=path)
    check_form(_kind(path), formulas)
    places = (path, sibling(path, f"{path.stem}-card.json"), sibling(path, f"{path.stem}-card.md"))
    for each in places:
        check_free(each, overwrite=overwrite)
    return places


def _kind(path: Path) -> str:
    return path.suffix.lower().lstrip(".")
