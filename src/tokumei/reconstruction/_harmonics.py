"""The logistic function as a sum of waves.

``1 / (1 + exp(-t)) - 1/2`` is odd and smooth, so over ``|t| <= reach`` a few sines are as good as exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Floats
from tokumei.reconstruction._waves import Waves

FASTEST = 4.0  # waves beyond this frequency have heights below exp(-4 pi) or so
BESIDE = 1.3  # a periodic function has to come back, so half its period is longer than the reach by this factor ...
AT_LEAST = 4.0  # ... and by at least what the logistic function itself bends within
SMALLEST = 1e-7  # directions that so little of the waves' spread lies in only serve heights that cancel


@dataclass(frozen=True)
class Harmonics:
    """``1 / (1 + exp(-t))`` as ``1/2 + sum(heights * sin(frequencies * t))``, for ``|t| <= reach``.

    >>> found = Harmonics.over(6.0)
    >>> t = np.linspace(-6, 6, 101)
    >>> bool(np.abs(found.centred(t) + 0.5 - 1 / (1 + np.exp(-t))).max() < 1e-6)
    True
    """

    reach: float
    frequencies: Floats
    heights: Floats

    @classmethod
    def over(cls, reach: float) -> Harmonics:
        """Fit the waves by least squares."""
        period = max(BESIDE * reach, reach + AT_LEAST)
        frequencies: Floats = math.pi / period * np.arange(1.0, math.ceil(FASTEST * period / math.pi) + 1)
        points = reach * np.cos(np.linspace(0, math.pi / 2, max(200, 8 * len(frequencies))))
        waves = np.sin(np.outer(points, frequencies))
        heights = np.linalg.lstsq(waves, np.tanh(points / 2) / 2, rcond=SMALLEST)[0]
        return cls(reach, frequencies, np.asarray(heights, dtype=np.float64))

    @property
    def centred(self) -> Waves:
        """``sigma(t) - 1/2``."""
        return Waves(self.frequencies, -1j * self.heights.astype(np.complex128))

    @property
    def derivative(self) -> Waves:
        """``sigma'(t)``."""
        return Waves(self.frequencies, (self.heights * self.frequencies).astype(np.complex128))

    @property
    def integral(self) -> Waves:
        """``log(1 + exp(t)) - t / 2``."""
        depths = self.heights / self.frequencies
        rest = math.log(2) + float(depths.sum())  # it is log(2) at zero
        return Waves(np.append(0.0, self.frequencies), np.append(rest, -depths).astype(np.complex128))
