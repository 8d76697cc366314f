"""Disclosure risk beyond `tk.assess` and `tk.attack`: releases side by side, in a population, collation, large files and clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.engines.stream.class_sizes import class_sizes as class_sizes
    from tokumei.reports.mending import advise as advise
    from tokumei.risk.collation import collation_check as collation_check
    from tokumei.risk.holding_back import hold_back as hold_back
    from tokumei.risk.released_population import in_population as in_population
    from tokumei.risk.releases import side_by_side as side_by_side
    from tokumei.risk.repeats import repeats as repeats
    from tokumei.risk.spark import assess_spark as assess_spark
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
