"""Show a few characters of an identifier and hide the others."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import StrictInt

from tokumei.errors import InvalidParameter
from tokumei.prepare.identifier_step import IdentifierStep
from tokumei.prepare.step import register_step
from tokumei.prepare.texts import TEXT
from tokumei.privacy.assumptions import Assumption, ShownCharacters
from tokumei.values import value

MOST = 2**16  # characters to be shown


@register_step
@value
class Mask(IdentifierStep):
    """Release the first or last characters of an identifier, and one mark for all the others.

    The mark is the same however many characters it hides, so that it does not tell the length. A cell that has no more
    characters than are shown is hidden as a whole; a missing cell stays missing.

    Parameters
    ----------
    column
        A column of the role ``identifier``.
    show
        How many characters are shown.
    side
        Which ones: those at the ``"start"`` or at the ``"end"``.
    fill
        What stands for the hidden ones.

    Examples
    --------
    >>> import pyarrow as pa
    >>> Mask("card", show=2).changed(pa.array(["4711", "12"])).to_pylist()
    ['*11', '*']
    """

    column: str
    show: StrictInt = 4
    side: Literal["start", "end"] = "end"
    fill: str = "*"
    step: Literal["mask"] = field(default="mask", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not 1 <= self.show <= MOST:
            raise InvalidParameter(
                "show must be a whole number from 1 to {limit:,}; to show nothing, drop the column.", limit=MOST
            )
        if not self.fill:
            raise InvalidParameter("fill must be at least one character.")

    def changed(self, texts: Any) -> Any:
        """Return some different cells with most of their characters hidden."""
        fill = pa.scalar(self.fill, TEXT)
        texts = texts.cast(TEXT)
        if self.side == "start":
            shown = pc.utf8_slice_codeunits(texts, 0, self.show)
            masked = pc.binary_join_element_wise(shown, fill, pa.scalar("", TEXT))
        else:
            shown = pc.utf8_slice_codeunits(texts, -self.show)
            masked = pc.binary_join_element_wise(fill, shown, pa.scalar("", TEXT))
        return pc.if_else(pc.greater(pc.utf8_length(texts), self.show), masked, fill)

    def describe(self) -> dict[str, Any]:
        """Return the step as it appears in a manifest."""
        return {"step": self.step, "column": self.column, "show": self.show, "side": self.side, "fill": self.fill}

    def assumes(self) -> tuple[Assumption, ...]:
        """Say what shown characters mean for every guarantee."""
        return (ShownCharacters(column=self.column),)
