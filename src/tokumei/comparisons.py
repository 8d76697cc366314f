"""Comparisons beyond `tk.compare`: of regressions, of contingency tables, of ways to a classifier, and the research protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.utility.contingency import contingency as contingency
    from tokumei.utility.regressions import compare_regression as compare_regression
    from tokumei.utility.routes import compare_routes as compare_routes
    from tokumei.utility.study import study as study
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
