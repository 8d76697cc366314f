"""Published bounds on what shuffling adds, worked out anew from their formulas, beside ours: figures of docs/promises/central.md.

    python -m benchmarks.amplification

* *EFMRTT*: Erlingsson, Feldman, Mironov, Raghunathan, Talwar and Thakurta (2019): ``12 eps0 sqrt(ln(1/delta)/n)``.
* *Hoeffding*, *Bennett*: Balle, Bell, Gascón and Nissim (2019), the bounds that their figures show. Figures of the authors' program
  (github.com/BorjaBalle/amplification-by-shuffling, "Bounds on Privacy Amplification by Shuffling", as stored there with its outputs)
  for n = 5,000, a local epsilon of .4 and delta = 1e-6 are `PUBLISHED`.
* *k-ary response*: a theorem there on responses with k values: with ``gamma = max(14 k ln(2/delta)/((n-1) eps^2), 27 k/((n-1) eps))`` below 1, replacing each of
  n rows by one of k values with probability gamma is (eps, delta)-private after a shuffle, for eps up to 1.
* *closed form* and *clones*: Feldman, McMillan and Talwar (2021), their closed form and the two laws behind it; the second is summed up here without their program.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import stats

from benchmarks.stored import Table, store
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.privacy.central import Shuffled
from tokumei.privacy.shuffling import closed_form

ROWS, LOCAL, DELTA = 5_000, 0.4, 1e-6
PUBLISHED = {  # epsilon after shuffling, as the authors' notebook prints it
    "EFMRTT": 0.2523130449483328,
    "Hoeffding, any mechanism": 0.05746164784348143,
    "Bennett, any mechanism": 0.11301679081207759,
    "Hoeffding, 2 values": 0.02397882347116631,
    "Bennett, 2 values": 0.02428301504607527,
    "Hoeffding, 100 values": 0.026881289729458715,
    "Bennett, 100 values": 0.0035207898339832183,
}


@dataclass(frozen=True)
class Amplified:
    """The privacy amplification variable L of a mechanism: its blanket's mass, largest value, range and second moment."""

    mass: float
    largest: float
    range: float
    moment: float


def response(values: int, local: float, epsilon: float) -> Amplified:
    """L of randomized response with so many values: gamma (S - e T) with S and T one or h."""
    h, e = math.exp(local), math.exp(epsilon)
    mass = values / (h + values - 1)
    squares = ((h - e) ** 2 + (1 - e * h) ** 2 + (values - 2) * (1 - e) ** 2) / values
    return Amplified(mass, mass * (h - e), mass * (h - 1) * (1 + e), mass**2 * squares)


def any_mechanism(local: float, epsilon: float) -> Amplified:
    """What holds of L for every mechanism with a local epsilon."""
    h, e = math.exp(local), math.exp(epsilon)
    mass, reach = 1 / h, h * (1 - e / h**2)
    moment = h * (e**2 + 1) - 2 * e / h**3
    return Amplified(mass, reach, reach + h * e - 1 / h, moment)


def hoeffding(variable: Amplified, rows: int, epsilon: float) -> float:
    """Bound delta by Hoeffding's inequality."""
    a, b, mass = math.expm1(epsilon), variable.range, variable.mass
    return b**2 / (4 * a * mass * rows) * (1 - mass * -math.expm1(-2 * a**2 / b**2)) ** rows


def bennett(variable: Amplified, rows: int, epsilon: float) -> float:
    """Bound delta by Bennett's inequality; the mean over the number of rows in the blanket in closed form."""
    a, b, c = math.expm1(epsilon), variable.largest, variable.moment
    beta = a * b / c
    rate = c / b**2 * ((1 + beta) * math.log1p(beta) - beta)
    mass = variable.mass
    mean = (1 - mass + mass * math.exp(-rate)) ** rows - (1 - mass) ** rows
    return b / (mass * rows * math.log1p(beta)) * mean


def smallest(delta_of: Callable[[float], float], most: float, delta: float = DELTA) -> float:
    """Return the smallest epsilon for which a bound is delta."""
    low, high = 1e-9, most
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(middle) <= delta else (middle, high)
    return high


def clones(rows: int, local: float, epsilon: float) -> float:
    """Return delta of the two multinomials of Feldman, McMillan and Talwar, summed over the number of clones, half of which are of either kind."""
    e, p = math.exp(epsilon), math.exp(local)
    alpha, rate = p / (p + 1), 1 / p
    few, many = (int(each) for each in stats.binom.interval(1 - 1e-13, rows - 1, rate))
    counts = np.arange(max(0, few - 2), min(rows - 1, many + 2) + 1)
    # Given c clones, the first kind is seen A or A + 1 times; the likelihood ratio rises with that number x:
    # (alpha x + (1 - alpha)(c + 1 - x)) / ((1 - alpha) x + alpha (c + 1 - x)) > e
    least = np.floor((counts + 1) * (e * alpha - (1 - alpha)) / ((2 * alpha - 1) * (1 + e))) + 1
    at, over = stats.binom.sf(least - 2, counts, 0.5), stats.binom.sf(least - 1, counts, 0.5)
    first, second = alpha * at + (1 - alpha) * over, (1 - alpha) * at + alpha * over
    found = stats.binom.pmf(counts, rows - 1, rate) * np.maximum(0.0, first - e * second)
    return float(found.sum()) + 1e-13


def ours(values: int, local: float, rows: int, delta: float = DELTA) -> float:
    """Return the epsilon that this library states for one column with so many values."""
    swap = Fraction(math.exp(-2 * local)).limit_denominator(10**12)
    return Shuffled(Mechanism({"a": Retention.solve(values, swap)}), rows).epsilon(delta)


def reproduced() -> dict[str, float]:
    """Work out the published figures."""
    found = {"EFMRTT": 12 * LOCAL * math.sqrt(math.log(1 / DELTA) / ROWS)}
    of = {
        "any mechanism": lambda epsilon: any_mechanism(LOCAL, epsilon),
        "2 values": lambda epsilon: response(2, LOCAL, epsilon),
        "100 values": lambda epsilon: response(100, LOCAL, epsilon),
    }
    for name, variable in of.items():
        for bound in (hoeffding, bennett):
            called = f"{bound.__name__.capitalize()}, {name}"
            found[called] = smallest(lambda each, v=variable, b=bound: b(v(each), ROWS, each), LOCAL)  # type: ignore[misc]
    return found


def published() -> Table:
    mine = {"2 values": ours(2, LOCAL, ROWS), "100 values": ours(100, LOCAL, ROWS)}
    rows = [[name, PUBLISHED[name], again, mine.get(name.partition(", ")[2])] for name, again in reproduced().items()]
    return Table(["bound", "published", "here", "ours"], rows, dict.fromkeys(["published", "here", "ours"], ".5f"))


def against_clones() -> Table:
    rows: list[list[object]] = []
    for count, local in ((1_000, 1.0), (10_000, 1.0), (10_000, 3.0), (100_000, 1.0), (100_000, 4.0)):
        closed = closed_form(count, local, DELTA)
        summed = smallest(lambda each, n=count, of=local: clones(n, of, each), local)  # type: ignore[misc]
        stated = [ours(values, local, count) for values in (2, 10, 100)]
        rows.append([f"{count:,}", f"{local:g}", None if math.isinf(closed) else closed, summed, *stated])
    titles = ["rows", "local ε", "closed form", "clones", "2 values", "10 values", "100 values"]
    return Table(titles, rows, dict.fromkeys(titles[2:], ".4f"))


def k_ary(rows: int, values: int, epsilon: float, delta: float = DELTA) -> float:
    """Return the share of replaced rows that the theorem of the blanket paper asks for."""
    return max(14 * values * math.log(2 / delta) / ((rows - 1) * epsilon**2), 27 * values / ((rows - 1) * epsilon))


def against_k_ary() -> Table:
    rows: list[list[object]] = []
    for count, values, epsilon in ((10_000, 2, 0.5), (10_000, 10, 1.0), (100_000, 10, 0.5), (1_000_000, 100, 0.5)):
        gamma = k_ary(count, values, epsilon)
        kept = Fraction(1 - gamma).limit_denominator(10**9)
        local = math.log(float(1 + kept * values / (1 - kept)))
        rows.append([f"{count:,}", values, gamma, epsilon, ours(values, local, count)])
    titles = ["rows", "values", "replaced", "ε of the theorem", "ours"]
    return Table(titles, rows, {"replaced": ".4f", "ε of the theorem": ".2f", "ours": ".4f"})


def main() -> None:
    tables = {"published": published(), "clones": against_clones(), "responses": against_k_ary()}
    for table in tables.values():
        print(table.markdown())
    store(
        "amplification",
        tables,
        command="python -m benchmarks.amplification",
        seeds=[],
        packages=("tokumei", "numpy", "scipy"),
    )


if __name__ == "__main__":
    main()
