"""Charts: each once, for notebooks, reports and the command line. They draw numbers that others have computed.

Every function returns an altair chart. `save` writes it as SVG, PNG or one HTML file that needs no network; ``dark=True``
gives the colours for dark pages. Charts of risk and utility are the data holder's: they show things about the original.
"""

from tokumei.plots.cards import attackers
from tokumei.plots.class_sizes import class_sizes
from tokumei.plots.convergence import convergence
from tokumei.plots.correlations import correlations
from tokumei.plots.curves import curves
from tokumei.plots.frontier import frontier
from tokumei.plots.groups import groups
from tokumei.plots.ladder import ladder
from tokumei.plots.marginals import marginals
from tokumei.plots.path import path
from tokumei.plots.risk import before_after, blame
from tokumei.plots.saving import html, save
from tokumei.plots.scores import scores

__all__ = [
    "attackers",
    "before_after",
    "blame",
    "class_sizes",
    "convergence",
    "correlations",
    "curves",
    "frontier",
    "groups",
    "html",
    "ladder",
    "marginals",
    "path",
    "save",
    "scores",
]


def __dir__() -> list[str]:
    return sorted(__all__)
