"""What follows from exchanging the origins of two released rows, beside linking: rows that are alike, inference, membership.

**Rows that are alike.** Released rows are shuffled uniformly and secretly, after everything else was done. Exchanging the places of two
released rows that are the same in every column changes nothing that anybody sees, so each of c such rows is equally likely to be the row
of any person, whatever is known about the original table, the method and its choices. A person has at most m of the rows, hence

    P(row j is the person's | everything but the shuffle)  <=  m / c

and k is the smallest c / m. It needs no property of the method.

**Inference from a column that is released unchanged, beside perturbed ones.** A share s of the released rows has a value v. Of an
attacker to whom the column tells nothing about whose row it is, every assignment of rows to people is as likely as the perturbed cells make
it, and exchanging a person's row with any other changes its likelihood by the factor b (`Mechanism.swap`) at worst. So with W(j) the weight
of all assignments that give the person row j, W(j') >= b W(j) for any two rows, and summing over the rows with v and those without

    odds(v | release)  <=  s / (1 - s) / b

**Inference from a perturbed column.** Whatever else is known, another true value changes the likelihood of the whole release by the
`ratio` of its channel at worst, so odds grow by at most 1 / ratio, which is exp(epsilon) of the column.

**Who was drawn.** m of n rows are drawn. Exchange a person who was drawn with one of the n - m who were not: the likelihood changes by the
factor a (`ratio` of the whole row) at worst. Every assignment without the person is reached from m assignments with them, so

    odds(drawn | release)  <=  m / (n - m) / a
"""

from __future__ import annotations

import math
from fractions import Fraction


def alike(rows: int, most: int = 1) -> Fraction:
    """Return k where released rows are the same as at least ``rows - 1`` others, and nobody has more than ``most`` rows.

    >>> alike(5), alike(5, 2), alike(1, 3)
    (Fraction(5, 1), Fraction(5, 2), Fraction(1, 1))
    """
    return max(Fraction(1), Fraction(rows, most))


def after_odds(prior: Fraction, factor: Fraction) -> Fraction:
    """Return the belief that a belief of ``prior`` becomes at most where odds grow by at most ``factor``.

    >>> after_odds(Fraction(1, 2), Fraction(3)), after_odds(Fraction(1), Fraction(2))
    (Fraction(3, 4), Fraction(1, 1))
    """
    if prior == 1:
        return prior
    return prior * factor / (1 - prior + prior * factor)


def from_share(share: Fraction, swap: Fraction) -> Fraction:
    """Return how strongly a person is believed to have a value that a share of the rows has, at most.

    >>> from_share(Fraction(1, 4), Fraction(1, 3))
    Fraction(1, 2)
    """
    return after_odds(share, 1 / swap) if swap else Fraction(1)


def drawn(sample: int, rows: int, ratio: Fraction) -> Fraction:
    """Return how strongly a person is believed to have been drawn, at most, where ``sample`` of ``rows`` rows were.

    >>> drawn(1, 4, Fraction(1)), drawn(1, 4, Fraction(1, 3))
    (Fraction(1, 4), Fraction(1, 2))
    """
    return after_odds(Fraction(sample, rows), 1 / ratio) if ratio else Fraction(1)


def float_above(number: Fraction) -> float:
    """Return the smallest double that is not below ``number``.

    >>> float_above(Fraction(1, 3)) >= Fraction(1, 3)
    True
    """
    near = float(number)
    return near if Fraction(near) >= number else math.nextafter(near, math.inf)
