"""Every promise is computed again from the mechanism beside it, not believed."""

from __future__ import annotations

import math
from fractions import Fraction

from tokumei.mechanism.record import Mechanism
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.sampling import HidingPlace, achieved, partial_risk


def recount(guarantee: Guarantee, mechanism: Mechanism, released: int) -> bool:
    """Say whether a mechanism keeps a promise on so many released rows."""
    if not math.isfinite(guarantee.value) or guarantee.value < (
        0 if guarantee.notion == "local differential privacy" else 1
    ):
        return False
    numbers = {name: int(number) for name, number in guarantee.numbers.items() if float(number).is_integer()}
    if guarantee.notion == "Pk-anonymity":
        place = HidingPlace(numbers["among"] - numbers["inside"], numbers["inside"])
        fits = 1 <= place.inside <= released and 0 <= place.outside <= mechanism.population(released) - released
        return fits and Fraction(guarantee.value) <= achieved(place, mechanism)
    if guarantee.notion == "sampling anonymity":
        population = mechanism.population(released)
        return Fraction(guarantee.value) <= 1 / partial_risk(population, numbers["known"], released)
    each = {name: channel.epsilon for name, channel in mechanism.channels.items()}
    stated = all(guarantee.numbers.get(name, 0.0) >= spent * (1 - 1e-12) for name, spent in each.items())
    return stated and guarantee.value >= math.fsum(each.values()) * (1 - 1e-12)
