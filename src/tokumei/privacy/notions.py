"""The notions of privacy that a release may promise: what the number of each is called, and which way is better.

This is the one table of them. A constraint or a method with a notion of its own registers it here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Notion:
    """One notion.

    Attributes
    ----------
    name
        As the literature calls it; it stands in manifests, and the catalogue has it in other languages.
    letter
        What its number is called.
    larger_is_better
        Whether more of it protects better; such a number is rounded down where it is shown, others are rounded up.
    linking
        Whether it bounds the probability of linking a row to a person, by 1 over its number.
    of_classes
        Whether it is about equivalence classes of released rows, and counted on them.
    sensitive
        Whether it is about a sensitive column in every class: what a constraint asks.
    of_population
        Whether it was counted in a population that is not part of the release, so that its rows alone do not tell the number.
    summed
        Whether its number is a sum of shares, which rounds.
    proof
        The name of the page that proves it; see `tokumei.privacy.proofs`. A notion of another package has none there.
    """

    name: str
    letter: str
    larger_is_better: bool
    linking: bool = False
    of_classes: bool = False
    sensitive: bool = False
    of_population: bool = False
    summed: bool = False
    proof: str = ""

    def shown(self, number: float) -> str:
        """Write a number so that no more is said than holds.

        >>> NOTIONS["k-anonymity"].shown(4.99999), NOTIONS["t-closeness"].shown(0.12341)
        ('4.9999', '0.1235')
        """
        return down(number) if self.larger_is_better else up(number)


DECIMALS = 4  # of a number that is promised
NOTIONS: dict[str, Notion] = {}


def register_notion(notion: Notion) -> Notion:
    """Make a notion known; another one of the same name is refused."""
    if NOTIONS.setdefault(notion.name, notion) != notion:
        raise ValueError(f"There is already a notion called {notion.name!r}.")
    return notion


PK = register_notion(Notion("Pk-anonymity", "k", True, linking=True, proof="pk"))
SAMPLING = register_notion(Notion("sampling anonymity", "k", True, linking=True, proof="sampling"))
LOCAL_DP = register_notion(Notion("local differential privacy", "ε", False, proof="epsilon"))
CENTRAL_DP = register_notion(Notion("central differential privacy", "ε", False, proof="central"))
DP = register_notion(Notion("differential privacy", "ε", False, proof="rates"))
K = register_notion(Notion("k-anonymity", "k", True, linking=True, of_classes=True, proof="k"))
WILDCARDS = register_notion(Notion("k-anonymity with wildcards", "k", True, of_classes=True, proof="k"))
L_DIVERSITY = register_notion(
    Notion("l-diversity", "l", True, of_classes=True, sensitive=True, summed=True, proof="diversity")
)
T_CLOSENESS = register_notion(
    Notion("t-closeness", "t", False, of_classes=True, sensitive=True, summed=True, proof="diversity")
)
DELTA_DISCLOSURE = register_notion(
    Notion("delta-disclosure privacy", "δ", False, of_classes=True, sensitive=True, summed=True, proof="diversity")
)
BETA_LIKENESS = register_notion(
    Notion("beta-likeness", "β", False, of_classes=True, sensitive=True, summed=True, proof="diversity")
)

ENHANCED_BETA_LIKENESS = register_notion(
    Notion("enhanced beta-likeness", "β", False, of_classes=True, sensitive=True, summed=True, proof="diversity")
)
ALPHA_K = register_notion(
    Notion("(alpha, k)-anonymity", "α", False, of_classes=True, sensitive=True, summed=True, proof="diversity")
)
K_MAP = register_notion(
    Notion("k-map", "k", True, linking=True, of_classes=True, of_population=True, proof="population")
)
DELTA_PRESENCE = register_notion(
    Notion("delta-presence", "δ", False, of_classes=True, of_population=True, summed=True, proof="population")
)

PROBABILISTIC_K = register_notion(Notion("probabilistic k-anonymity", "k", True, linking=True, proof="swapping"))


def down(number: float) -> str:
    """Write a promise with up to four decimals, rounded down so that no more is said than holds.

    One just above 1 has as many decimals as show that it is not 1.

    >>> down(9.99999), down(10.0), down(1234.5678), down(1.0000029)
    ('9.9999', '10', '1234.5678', '1.000002')
    """
    exact, digits = Fraction(number), DECIMALS
    while 1 < exact < 1 + Fraction(1, 10**digits):
        digits += 1
    return _decimals(math.floor(exact * 10**digits), digits)


def up(number: float) -> str:
    """Write a loss with up to four decimals, rounded up.

    >>> up(0.50001), up(2.0)
    ('0.5001', '2')
    """
    return "infinite" if math.isinf(number) else _decimals(math.ceil(Fraction(number) * 10**DECIMALS), DECIMALS)


def _decimals(units: int, digits: int) -> str:
    whole, rest = divmod(units, 10**digits)
    return f"{whole}.{rest:0{digits}d}".rstrip("0").rstrip(".")
