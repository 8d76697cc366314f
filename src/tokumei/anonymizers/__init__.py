"""Methods: frozen values with one verb. One method, one file; `METHODS` lists those that a plan may name."""

from tokumei.anonymizers.generalization import Generalization
from tokumei.anonymizers.grouped_pk_perturbation import GroupedPkPerturbation
from tokumei.anonymizers.local_suppression import LocalSuppression
from tokumei.anonymizers.microaggregation import Microaggregation
from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.anonymizers.pram import PRAM
from tokumei.anonymizers.record_suppression import RecordSuppression
from tokumei.anonymizers.sampling import Sampling

METHODS = (
    PkPerturbation,
    GroupedPkPerturbation,
    PRAM,
    Sampling,
    Generalization,
    RecordSuppression,
    LocalSuppression,
    Microaggregation,
)

__all__ = [
    "METHODS",
    "PRAM",
    "Generalization",
    "GroupedPkPerturbation",
    "LocalSuppression",
    "Microaggregation",
    "PkPerturbation",
    "RecordSuppression",
    "Sampling",
]
