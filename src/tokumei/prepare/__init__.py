"""Steps before the method: each a frozen value that changes schema and table in the same deterministic way."""

from tokumei.prepare.drop import Drop
from tokumei.prepare.recode import Recode

STEPS = (Recode, Drop)

__all__ = ["STEPS", "Drop", "Recode"]
