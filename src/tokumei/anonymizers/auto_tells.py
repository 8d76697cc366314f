"""What rows tell, picked by the error to expect: from numbers that are public anyway, so that the choice discloses nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field, StrictInt

from tokumei.anonymizers.telling_search import Objective, Picked, Search, options_of
from tokumei.anonymizers.tells import Subsets
from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.mechanism.expected_errors import Errors
from tokumei.mechanism.telling import MOST_CLUSTERS
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute
from tokumei.text import nearest
from tokumei.values import value

MOST_TOGETHER = 3  # columns that a row may tell


@value
class Auto:
    """Rows tell what makes the error to expect smallest.

    The choice follows from the number of rows, the guarantee asked for, the domains and hierarchies of the schema, and
    the purpose: it is the same for every table of as many rows, and so discloses nothing. Candidates are rows that tell one,
    two or three columns, and with a perturbed ``target`` also rows that tell the target and one other. For each of them the
    coarseness of numbers, and the level of every hierarchy, is chosen too. Where rows tell one column, columns weigh
    ``(sqrt(c - 1) / rho)^(2/3)``, c being their cells and rho the probability that a value is kept: the weights for which
    their errors add up to the least.

    The error is in closed form. With ``t = 1/sqrt(swap) - 1``, a table of A cells that m rows tell with retention
    ``rho = t / (t + A)`` has an expected total variation of about ``.5 sqrt(2/pi) sqrt(A/m) / rho``, and less by a factor that was
    measured once the release is reconstructed (`tokumei.mechanism.expected_errors` has the whole formula). A number told in c
    cells loses another ``.8 / c`` of its shape.

    Parameters
    ----------
    purpose
        ``"pairs"``: two-way tables, and models that rest on them. ``"marginals"``: the shares of every column.
    target
        A column whose pairs with the others count as much as all other pairs together. One that is released unchanged costs
        nothing.

    Examples
    --------
    >>> import tokumei as tk
    >>> census = tk.example_census(rows=5000)
    >>> release = tk.anonymize(census, tk.example_schema(), tk.PkPerturbation(k=10, tells=tk.tells.Auto("marginals")))
    >>> len(release.mechanism.telling.clusters)
    7
    """

    purpose: Literal["pairs", "marginals"] = "pairs"
    target: str | None = None

    def __post_init__(self) -> None:
        if self.target is not None and self.purpose == "marginals":
            raise InvalidParameter("a target is for pairs; leave it out where the purpose is marginals.")


Tells = Literal["all", "auto"] | Annotated[StrictInt, Field(ge=1)] | tuple[Subsets, ...] | Auto


def pick(
    tells: Literal["auto"] | int | tuple[Subsets, ...] | Auto,
    attributes: Sequence[Attribute],
    kept: Sequence[Attribute],
    rows: int,
    swap: float,
) -> Picked:
    """Return what rows tell, with the coarseness of numbers where nobody gave it.

    ``rows`` are those that are released, ``swap`` the one that they may have.
    """
    if isinstance(tells, int):
        tells = (Subsets(tells),)
    if isinstance(tells, tuple):
        if not tells:
            raise InvalidParameter("tells must have at least one part.")
        options = [options_of(a)[-1:] if isinstance(a.domain, Categories) else options_of(a) for a in attributes]
        return Search(attributes, options, rows, swap, _pairs).best([tells])
    auto = Auto() if tells == "auto" else tells
    names = [a.name for a in attributes]
    objective, stars = _purpose(auto, names, {a.name: a for a in kept})
    several = [m for m in range(1, MOST_TOGETHER + 1) if 1 <= math.comb(len(names), m) <= MOST_CLUSTERS]
    search = Search(attributes, [options_of(a) for a in attributes], rows, swap, objective)
    found = search.best([*((Subsets(m),) for m in several), *stars])
    return search.weighted(found) if found.parts[0].columns == 1 else found


def _pairs(errors: Errors, _: Floats) -> float:
    return errors.mean_one if errors.mean_two is None else errors.mean_two


def _purpose(
    auto: Auto, names: Sequence[str], kept: Mapping[str, Attribute]
) -> tuple[Objective, tuple[tuple[Subsets, ...], ...]]:
    """Return what is to be small, and what rows could tell for this purpose alone."""
    target = auto.target
    if auto.purpose == "marginals":
        return lambda errors, _: errors.mean_one, ()
    if target is None:
        return _pairs, ()
    if target in kept:
        states = kept[target].states
        return lambda errors, cells: (float(errors.with_kept(states, cells).mean()) + _pairs(errors, cells)) / 2, ()
    if target not in names:
        raise InvalidParameter(
            "Auto: {target!r} is not released.{hint}", target=target, hint=nearest(target, [*names, *kept])
        )
    others = [place for place, name in enumerate(names) if name != target]
    if len(others) < 2:
        return _pairs, ()
    star = tuple(Subsets((target, names[place])) for place in others)
    at = names.index(target)
    return lambda errors, cells: (float(errors.two[at, others].mean()) + _pairs(errors, cells)) / 2, (
        star,
        (*star, Subsets(2, weight=len(star))),
    )
