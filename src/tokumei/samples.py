"""Sampling designs, and the disclosure risk of a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.anonymizers.sample import Bernoulli as Bernoulli
    from tokumei.anonymizers.sample import Stratified as Stratified
    from tokumei.privacy.sampling import largest_sample as largest_sample
    from tokumei.privacy.sampling import partial_risk as partial_risk
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
