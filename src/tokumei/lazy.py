"""Public names that are imported when they are first used, at the top and in the namespaces."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazily(module: str, exports: Mapping[str, str]) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` for the package or for one of its namespaces.

    ``exports`` has for every public name the module that it comes from. A name in a namespace has the namespace before it,
    and a name that is a module of the package is this module.

    >>> names, find, _ = lazily("tokumei.prepare", {"prepare": "tokumei.prepare", "prepare.Drop": "tokumei.prepare.drop"})
    >>> names, find("Drop").__name__
    (['Drop'], 'Drop')
    """
    package, _, space = module.partition(".")
    names = {name.removeprefix(f"{space}."): name for name in exports if name.rpartition(".")[0] == space}

    def find(name: str) -> Any:
        if name not in names:
            raise _unknown(module, name, names, exports)
        found = importlib.import_module(exports[names[name]])
        return found if found.__name__ == f"{package}.{name}" else getattr(found, name)

    facts = [] if space else ["__version__"]
    return [*names, *facts], find, lambda: sorted([*names, *facts])


def _unknown(module: str, name: str, names: Mapping[str, str], exports: Mapping[str, str]) -> AttributeError:
    from tokumei.text import nearest

    elsewhere = [full for full in exports if full.rpartition(".")[2] == name]
    hint = "" if name.startswith("_") else nearest(elsewhere[0], elsewhere) if elsewhere else nearest(name, names)
    # A name of its own keeps Python from adding a second guess to the sentence.
    return AttributeError(f"module {module!r} has no attribute {name!r}.{hint}".removesuffix("."), name=name)
