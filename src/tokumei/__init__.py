"""tokumei (匿名, "anonymous"): release personal microdata safely, and still get the right answers out of it.

A mechanism is the conditional distribution of the released record given the true record, and everyone may know it.
Anonymize = draw from it. Risk = what an attacker who knows it can believe. Reconstruct = invert it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# One line for each name. Nothing is imported before it is used, so that `import tokumei` stays quick.
_EXPORTS = {
    "Attribute": "tokumei.table.schema",
    "Categories": "tokumei.table.domain",
    "Dates": "tokumei.table.domain",
    "Drop": "tokumei.prepare.drop",
    "Guarantee": "tokumei.privacy.guarantee",
    "Hierarchy": "tokumei.table.hierarchy",
    "IterativeBayes": "tokumei.reconstruction.iterative_bayes",
    "Numbers": "tokumei.table.domain",
    "PkPerturbation": "tokumei.anonymizers.pk_perturbation",
    "Plan": "tokumei.plan",
    "Recode": "tokumei.prepare.recode",
    "Release": "tokumei.release.artifact",
    "Schema": "tokumei.table.schema",
    "anonymize": "tokumei.engines.local",
    "errors": "tokumei.errors",
    "example_census": "tokumei.examples",
    "example_schema": "tokumei.examples",
    "read_release": "tokumei.release.files",
    "run": "tokumei.runner",
}

if TYPE_CHECKING:
    from tokumei import errors as errors
    from tokumei.anonymizers.pk_perturbation import PkPerturbation as PkPerturbation
    from tokumei.engines.local import anonymize as anonymize
    from tokumei.examples import example_census as example_census
    from tokumei.examples import example_schema as example_schema
    from tokumei.plan import Plan as Plan
    from tokumei.prepare.drop import Drop as Drop
    from tokumei.prepare.recode import Recode as Recode
    from tokumei.privacy.guarantee import Guarantee as Guarantee
    from tokumei.reconstruction.iterative_bayes import IterativeBayes as IterativeBayes
    from tokumei.release.artifact import Release as Release
    from tokumei.release.files import read_release as read_release
    from tokumei.runner import run as run
    from tokumei.table.domain import Categories as Categories
    from tokumei.table.domain import Dates as Dates
    from tokumei.table.domain import Numbers as Numbers
    from tokumei.table.hierarchy import Hierarchy as Hierarchy
    from tokumei.table.schema import Attribute as Attribute
    from tokumei.table.schema import Schema as Schema

__all__ = [*_EXPORTS, "__version__"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'tokumei' has no attribute {name!r}")
    module = importlib.import_module(_EXPORTS[name])
    return module if name == "errors" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
