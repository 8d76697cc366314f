"""Methods: frozen values with one verb. One method, one file, which registers it; a line here sees to it that the file is read."""

from tokumei.anonymizers.anonymizer import METHODS, AnyMethod, register_method
from tokumei.anonymizers.generalization import Generalization
from tokumei.anonymizers.grouped_pk_perturbation import GroupedPkPerturbation
from tokumei.anonymizers.local_suppression import LocalSuppression
from tokumei.anonymizers.microaggregation import Microaggregation
from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.anonymizers.pram import PRAM
from tokumei.anonymizers.record_suppression import RecordSuppression
from tokumei.anonymizers.sampling import Sampling
from tokumei.anonymizers.swapping import Swapping

__all__ = [
    "METHODS",
    "PRAM",
    "AnyMethod",
    "Generalization",
    "GroupedPkPerturbation",
    "LocalSuppression",
    "Microaggregation",
    "PkPerturbation",
    "RecordSuppression",
    "Sampling",
    "Swapping",
    "register_method",
]
