"""What would be enough, where the noise of a release leaves coefficients open: how many rows, or which k."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from tokumei.errors import TooNoisy
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.record import channel_for
from tokumei.reconstruction._views import marginal
from tokumei.reconstruction._worth import told
from tokumei.release.artifact import Release

MOST = 2_000  # values of a column whose channel is looked at
SCALES = np.geomspace(1.02, 40, 60)  # of what each column may spend


def enough(error: TooNoisy, release: Release, names: Sequence[str]) -> TooNoisy:
    """Return the error with what would be enough, as far as that is known.

    With the same noise, what is uncertain falls with the root of the number of rows. Another k changes the noise: as much as a true
    value tells, a released one tells a share of (`told`), and the shares of all columns multiply.
    """
    times = error.times
    if times is None or not math.isfinite(times) or times > 1e6:
        return TooNoisy(
            "The noise leaves these coefficients open, and no number of rows that is in reach would change that. Ask for a release "
            "that tells these columns alone, or explain the target by fewer columns."
        )
    rows = _rounded(release.rows * max(times, 1.0))
    k = _k_for(release, names, times)
    if k is None:
        return TooNoisy(
            "The noise leaves these coefficients open. About {needed:,} rows with the same noise would determine them; there are "
            "{rows:,}. Or explain the target by fewer columns.",
            needed=rows,
            rows=release.rows,
        )
    return TooNoisy(
        "The noise leaves these coefficients open. About {needed:,} rows with the same noise would determine them (there are "
        "{rows:,}), or a release of these rows with k = {k:g}. Or explain the target by fewer columns.",
        needed=rows,
        rows=release.rows,
        k=k,
    )


def _rounded(number: float) -> int:
    """Round up to two digits.

    >>> _rounded(12345)
    13000
    """
    unit = 10 ** max(math.floor(math.log10(number)) - 1, 0)
    return int(math.ceil(number / unit) * unit)


def _k_for(release: Release, names: Sequence[str], times: float) -> float | None:
    """Return the k with which the columns would tell this many times as much; nothing where no k above 1.1 would."""
    promised = [each for each in release.guarantees if each.notion == "Pk-anonymity"]
    channels = {name: release.mechanism.channels[name] for name in names if name in release.mechanism.channels}
    if not promised or not channels or any(each.size > MOST for each in channels.values()):
        return None
    among = release.mechanism.hiding(release.rows)
    k = promised[0].value
    if k <= 1 or among <= k:
        return None
    shares = np.ones(release.rows)
    likely = {name: marginal(release, release.schema[name], shares) for name in channels}

    def worth(scale: float) -> float:
        return math.prod(_told(release, name, channel, likely[name], scale) for name, channel in channels.items())

    now = worth(1.0)
    for scale in SCALES:
        if worth(float(scale)) >= times * now:
            found = 1 + (among - 1) * ((k - 1) / (among - 1)) ** float(scale)
            return None if found < 1.1 else float(f"{found:.3g}")
    return None


def _told(release: Release, name: str, channel: Channel, p: np.ndarray, scale: float) -> float:
    attribute = release.schema[name]
    if scale != 1.0:
        channel = channel_for(attribute, Fraction(math.exp(scale * math.log(max(float(channel.swap), 1e-300)))))
    place = np.arange(len(p), dtype=np.float64)[:, None]
    wanted = place if attribute.states > 2 and not hasattr(attribute.domain, "values") else np.eye(len(p))
    return told(channel.matrix(), p, wanted)
