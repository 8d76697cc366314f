"""How diverse a sensitive column is in the classes of a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.privacy import diversity
from tokumei.privacy.class_constraint import counted
from tokumei.progress import stage
from tokumei.results import Result
from tokumei.risk.reading import Reading


@dataclass(frozen=True)
class SensitiveCheck(Result):
    """The least diverse class of a sensitive column.

    Attributes
    ----------
    distinct
        The fewest different values in any class.
    entropy
        The fewest evenly spread values that any class is worth: exp of its entropy.
    t
        The largest distance of any class from the whole table, all values being equally far apart.
    disclosed
        How many rows lie in classes that agree in one value.
    """

    distinct: int
    entropy: float
    t: float
    disclosed: int


def sensitive_check(table: Reading, name: str) -> SensitiveCheck:
    """Look at a sensitive column class by class; those of one row each that agree in its value are looked at once."""
    codes, labels, sizes = table.codes[name], table.labels, table.sizes.copy()
    share = np.bincount(codes) / len(codes)
    alone = np.flatnonzero(sizes[labels] == 1)
    example = np.full(len(share), -1, dtype=np.int64)
    example[codes[alone]] = alone
    example = example[example >= 0]
    looked_at = sizes > 1
    looked_at[labels[example]] = True
    sizes[labels[example]] = np.bincount(codes[alone], minlength=len(share))[codes[example]]
    number, sizes = np.where(looked_at, np.cumsum(looked_at) - 1, -1), sizes[looked_at]
    distinct, entropy, t, disclosed = np.inf, np.inf, 0.0, 0
    with stage("Counting sensitive values", total=len(sizes)) as shown:
        for part, counts in counted(codes, len(share), number[labels], len(sizes)):
            different = diversity.distinct(counts)
            distinct = min(distinct, float(different.min()))
            entropy = min(entropy, float(diversity.effective(counts).min()))
            t = max(t, float(diversity.variation(counts, share).max()))
            disclosed += int(sizes[part][different == 1].sum())
            shown.advance(len(counts))
    return SensitiveCheck(int(distinct), entropy, t, disclosed)
