"""Steps before the method: each a frozen value that changes schema and table in the same deterministic way."""

from tokumei.prepare.drop import Drop
from tokumei.prepare.mask import Mask
from tokumei.prepare.pseudonymize import Pseudonymize
from tokumei.prepare.recode import Recode
from tokumei.prepare.step import STEPS, AnyStep
from tokumei.prepare.top_bottom_code import TopBottomCode

__all__ = ["STEPS", "AnyStep", "Drop", "Mask", "Pseudonymize", "Recode", "TopBottomCode"]


def __dir__() -> list[str]:
    return sorted(step.__name__ for step in STEPS)
