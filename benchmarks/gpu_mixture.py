"""The mixture of `tk.reconstruct` on a GPU against the CPU: the same steps, the same numbers.

    python -m benchmarks.gpu_mixture [torch|cupy|numpy] [rows …]

Needs numpy and the array library only (with array_api_compat, or the copy of it inside scikit-learn or scipy), so that it runs on a
machine where tokumei's other dependencies are not installed. Rows have ten columns, invented from eight kinds of people and seen
through noise, as a release of `PkPerturbation(k, tells="all")` shows them. A step is one EM step of six starts of 48 classes
at once. The CPU is measured in three ways where they can be: the compiled loops that `backend="numpy"` uses (with numba; starts
side by side on all cores), torch on all cores, and numpy by the code of the GPU.
"""

from __future__ import annotations

import importlib
import itertools
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np

SIZES = (74, 9, 7, 15, 6, 2, 16, 99, 41, 2)
KEPT = (0.35, 0.5, 0.5, 0.45, 0.5, 0.6, 0.4, 0.3, 0.35, 0.9)  # the probability that a cell is kept
KINDS, CLASSES, STARTS, STEPS, ROWS = 8, 48, 6, 20, (16_281, 200_000)
TOLERANCE = 0.0  # all steps are taken


def bundled() -> None:
    """Take array_api_compat from inside another library where it is not installed by itself."""
    for name in ("array_api_compat", "sklearn.externals.array_api_compat", "scipy._lib.array_api_compat"):
        try:
            found = importlib.import_module(name)
        except ImportError:
            continue
        if name != "array_api_compat":
            sys.modules["array_api_compat"] = found
            for library in ("numpy", "torch", "cupy"):
                try:
                    sys.modules[f"array_api_compat.{library}"] = importlib.import_module(f"{name}.{library}")
                except ImportError:
                    continue
        return
    raise SystemExit("array_api_compat is not installed, neither by itself nor inside scikit-learn or scipy.")


def shown_rows(rows: int) -> Any:
    """Invent what a release of so many rows shows."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, KINDS, rows)
    likelihoods, ids, place = [], [], 0
    for size, kept in zip(SIZES, KEPT, strict=True):
        of_kind = rng.dirichlet(np.full(size, 0.3), KINDS)
        true = (of_kind.cumsum(axis=1)[kind] < rng.random((rows, 1))).sum(axis=1).clip(0, size - 1)
        seen = np.where(rng.random(rows) < kept, true, rng.integers(0, size, rows))
        likelihoods.append(kept * np.eye(size) + (1 - kept) / size)
        ids.append(place + seen)
        place += size
    every = np.arange(place)
    first = SimpleNamespace(factors=np.ones(place), starts=np.arange(place + 1), entries=every)
    second = SimpleNamespace(factors=np.zeros(place), starts=np.zeros(place + 1, dtype=np.int64), entries=every[:0])
    ends = np.cumsum([0, *SIZES])
    return SimpleNamespace(
        likelihoods=tuple(likelihoods),
        first=first,
        second=second,
        rows=np.stack(ids, axis=1),
        places=[slice(int(low), int(high)) for low, high in itertools.pairwise(ends)],
        tight=False,
        hulls=(),
    )


def begun() -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """Draw starts; return their shares, the distributions of their classes, and imagined rows."""
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.full(CLASSES, 5.0), STARTS)
    thetas = [rng.dirichlet(np.ones(size), (STARTS, CLASSES)) for size in SIZES]
    return shares, thetas, [np.full(size, 4 / size) for size in SIZES]


def away(observed: Any, library: str) -> tuple[float, float, list[float]]:
    """Take steps through the array API; return the seconds of setting up, of a step, and the log-likelihoods reached."""
    from tokumei.reconstruction._arrays import arrays
    from tokumei.reconstruction._mixture_arrays import Away

    begin = time.perf_counter()
    made = Away(observed, arrays(library))
    shares, thetas, prior = begun()
    counts = np.ones(len(observed.rows))
    made.climb(shares, thetas, prior, counts, 2, TOLERANCE)  # the first call compiles and takes memory
    set_up = time.perf_counter() - begin
    begin = time.perf_counter()
    found = made.climb(shares, thetas, prior, counts, STEPS, TOLERANCE)
    return set_up, (time.perf_counter() - begin) / STEPS, [each[2] for each in found]


def compiled(observed: Any) -> tuple[float, float, list[float]]:
    """Take the same steps with the compiled loops, starts side by side; as `away`."""
    from dataclasses import replace

    from threadpoolctl import threadpool_limits

    from tokumei.reconstruction import _mixture
    from tokumei.reconstruction._mixture import Mixture, Observed, Products, fit

    begin = time.perf_counter()
    first, second = (Products(each.factors, each.starts, each.entries) for each in (observed.first, observed.second))
    count = len(observed.rows)
    made = Observed(observed.likelihoods, first, second, observed.rows, np.arange(count), np.ones(count))
    shares, thetas, prior = begun()
    starts = [Mixture(shares[at], tuple(each[at] for each in thetas)) for at in range(STARTS)]
    _mixture.TOLERANCE = TOLERANCE
    some = replace(made, rows=made.rows[:100], which=np.arange(100), weights=np.ones(100))
    fit(some, starts[0], prior, np.ones(100), 2)
    set_up = time.perf_counter() - begin
    begin = time.perf_counter()
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda start: fit(made, start, prior, np.ones(count), STEPS), starts))
    return set_up, (time.perf_counter() - begin) / STEPS, [each.log_likelihood for each in found]


def ways(library: str) -> dict[str, Any]:
    """Return how a step can be taken here, the GPU first."""
    found: dict[str, Any] = {} if library == "numpy" else {library: lambda seen: away(seen, library)}
    try:
        import numba  # noqa: F401
        import threadpoolctl  # noqa: F401

        found["compiled loops"] = compiled
    except ImportError:
        print("numba is not installed here, so the compiled loops of backend='numpy' are not measured")
    if library == "torch":
        found["torch:cpu"] = lambda seen: away(seen, "torch:cpu")
    return found | {"numpy, same code": lambda seen: away(seen, "numpy")}


def main() -> None:
    library = sys.argv[1] if len(sys.argv) > 1 else "torch"
    asked = [int(each) for each in sys.argv[2:]] or list(ROWS)
    bundled()
    print(
        f"{library}, {os.cpu_count()} CPU cores; {STARTS} starts of {CLASSES} classes, {len(SIZES)} columns, {STEPS} steps"
    )
    for rows in asked:
        observed, first = shown_rows(rows), None
        for name, measure in ways(library).items():
            set_up, step, reached = measure(observed)
            first = first or (step, reached)
            apart = max(abs(a / b - 1) for a, b in zip(reached, first[1], strict=True))
            said = f"{step / first[0]:8.1f} times the first; log-likelihoods differ by {apart:.1e}"
            print(
                f"  {rows:>9,} rows  {name:<17} set-up {set_up:6.2f} s, a step {1000 * step:9.2f} ms {said}", flush=True
            )


if __name__ == "__main__":
    main()
