"""How many classes a mixture has, and several fits of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.reconstruction._mixture import STRENGTH, Fitted, Observed, fit, marginals, started

SIZES = (3, 6, 12, 24, 48, 96)
HELD_OUT = 0.2  # of the rows
SHORT = 80  # steps where sizes are compared


def best_size(observed: Observed, rng: np.random.Generator, shown: Any) -> int:
    """Return the number of classes under which held-out rows are likeliest; more are tried as long as they help."""
    out = rng.random(len(observed.which)) < HELD_OUT
    held = observed.counted(observed.weights * out)
    counts = observed.counted(observed.weights * ~out)
    alone = marginals(observed, counts)
    prior = [STRENGTH * each for each in alone]
    best, most = 1, -np.inf
    for size in SIZES:
        found = max(
            fit(observed, started(size, alone, rng), prior, counts, held, steps=SHORT).held_out for _ in range(2)
        )
        shown.advance(note=f"{size} classes, log-likelihood of held-out rows {found:.3f}")
        if found <= most:
            break
        best, most = size, found
    return best


def fitted_together(observed: Observed, size: int, starts: int, rng: np.random.Generator, shown: Any) -> list[Fitted]:
    """Fit a mixture several times, from different starts."""
    counts = observed.counted(observed.weights)
    alone = marginals(observed, counts)
    prior = [STRENGTH * each for each in alone]
    found = []
    for _ in range(starts):
        found.append(fit(observed, started(size, alone, rng), prior, counts))
        shown.advance(note=f"log-likelihood {found[-1].log_likelihood:.3f} after {found[-1].steps} steps")
    return found
