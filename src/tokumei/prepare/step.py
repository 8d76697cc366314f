"""What every step before the method offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any

from tokumei.privacy.assumptions import Assumption
from tokumei.registry import Registry
from tokumei.table.coded import CodedTable
from tokumei.table.schema import Attribute


class Step(ABC):
    """A deterministic change of a column of the table that depends on declared facts only, never on the rows."""

    column: str
    step: str
    public: bool = True  # whether a manifest names it

    @abstractmethod
    def apply(self, table: CodedTable) -> CodedTable:
        """Return the changed table, with the changed schema in it."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the step as it appears in a manifest."""

    def opened(self) -> Step:
        """Return the step with everything in hand that it needs from elsewhere, such as a key."""
        return self

    def learned(self, attribute: Attribute) -> bool:
        """Whether the step follows a hierarchy that was learned from rows, given the column before any step."""
        return False

    def assumes(self) -> tuple[Assumption, ...]:
        """Say what every guarantee of a release assumes because of this step."""
        return ()


# The steps that a plan may name.
STEPS: Registry[Step] = Registry("step", strict=True)
register_step = STEPS.register
AnyStep = Annotated[Step, STEPS]
