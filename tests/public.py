"""Every public name, at the top of the package and in its namespaces."""

from __future__ import annotations

import operator
from typing import Any

import tokumei

NAMESPACES = tuple(name for name, module in tokumei._EXPORTS.items() if module == f"tokumei.{name}")


def public() -> dict[str, Any]:
    """Return what each public name stands for, by the name as it is written after ``tk.``; namespaces are no names."""
    return {name: operator.attrgetter(name)(tokumei) for name in tokumei._EXPORTS if name not in NAMESPACES}
