"""Where to compute: numpy, or torch or cupy on a GPU, all through the array API."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter, MissingDependency

LIBRARIES = ("numpy", "torch", "cupy", "array_api_strict")


@dataclass(frozen=True)
class Arrays:
    """An array library and the device that its arrays live on."""

    xp: Any
    device: Any
    name: str

    def put(self, values: npt.ArrayLike, kind: str = "float64") -> Any:
        """Bring a numpy array there."""
        return self.xp.asarray(np.ascontiguousarray(values, dtype=kind), device=self.device)

    def get(self, values: Any) -> Floats:
        """Bring an array back, as numpy's doubles."""
        if self.name == "torch":
            values = values.cpu().numpy()
        elif self.name == "cupy":
            values = values.get()
        return np.asarray(values, dtype=np.float64)

    @property
    def on_this_machine(self) -> bool:
        """Whether they are numpy's own arrays, which compiled loops can work on."""
        return self.name == "numpy"


def arrays(name: str) -> Arrays:
    """Find an array library: ``"numpy"``, ``"torch"`` (its GPU if it sees one), ``"torch:cpu"``, ``"cupy"``.

    >>> arrays("numpy").name
    'numpy'
    """
    library, _, device = name.partition(":") if isinstance(name, str) else ("", "", "")
    if library not in LIBRARIES:
        raise InvalidParameter("backend must be 'numpy', 'torch', 'torch:DEVICE' or 'cupy'.")
    try:
        plain = importlib.import_module(library)
    except ImportError:
        raise MissingDependency(
            "backend={name!r} needs {library}, which is not installed; install tokumei[gpu], or use backend='numpy'.",
            name=name,
            library=library,
        ) from None
    if library == "array_api_strict":
        return Arrays(plain, None, library)
    xp = importlib.import_module(f"array_api_compat.{library}")
    if library == "torch":
        wanted = device or ("cuda" if plain.cuda.is_available() else "cpu")
        if wanted.startswith("cuda") and not plain.cuda.is_available():
            raise InvalidParameter("torch finds no GPU here; use backend='torch:cpu' or backend='numpy'.")
        return Arrays(xp, wanted, library)
    return Arrays(xp, None, library)
