"""How inner loops are compiled: in `_kernels.py` files, arrays in, numbers out, nothing allocated.

Where a loop allocates no array, and returns none, numba need not count references to arrays. Leaving that out halves what is
handed to the compiler. Loops that make arrays are decorated by `maker`, or by ``numba.njit(nogil=True, cache=True)`` as usual, which adds an
entry for code in C. In all, what numba takes long to compile is left out: assigning one array to a slice of another (2 s, for the message about shapes that do not match),
`np.sort` and `np.argsort` (1.5 s each; for the first see `partition/_sorting_kernels.py`), drawing from numpy's generators.

A number that is first a constant and counted up later is compiled twice for each loop that it is handed to, once as the constant: ``np.int64(0)``
is not. A loop with ``fastmath`` is not put into its caller by ``inline="always"``: sums would be added up in another order, and other rows released.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core import event
from numba.core.cpu import CPUTargetOptions

from tokumei.progress import tell_everybody

UNCOUNTED = {"_nrt": False} if hasattr(CPUTargetOptions, "_nrt") else {}
UNPOINTED = {"no_cfunc_wrapper": True}  # no code in C calls loops
UNCALLED = {"no_cpython_wrapper": True, **UNPOINTED}


def loop(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a loop that neither makes nor returns an array; what it is given stays alive with its caller."""
    made: Callable[[Callable[..., Any]], Any] = njit(nogil=True, cache=True, **UNPOINTED, **UNCOUNTED, **options)
    return made


def maker(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a loop that makes arrays."""
    made: Callable[[Callable[..., Any]], Any] = njit(nogil=True, cache=True, **UNPOINTED, **options)
    return made


def inner(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a part of a loop that only other loops call: what Python would need to call it is left out."""
    made: Callable[[Callable[..., Any]], Any] = njit(nogil=True, **UNCALLED, **UNCOUNTED, **options)
    return made


class _Compiling(event.Listener):  # type: ignore[misc]
    """Tells that loops are being compiled, while the outermost of them is.

    Meanwhile Python looks for no garbage: the compiler makes objects by the million, and keeps most of them to its end.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.collects = False

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            self.collects = gc.isenabled()
            gc.disable()
            tell_everybody("compiling, once")

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            if self.collects:
                gc.enable()
            tell_everybody("")


event.register("numba:compile", _Compiling())
