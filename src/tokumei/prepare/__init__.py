"""Steps before the method: each a frozen value that changes schema and table in the same deterministic way."""

from tokumei.prepare.drop import Drop
from tokumei.prepare.recode import Recode
from tokumei.prepare.top_bottom_code import TopBottomCode

STEPS = (Recode, Drop, TopBottomCode)

__all__ = ["STEPS", "Drop", "Recode", "TopBottomCode"]
