"""Methods: frozen values with one verb. One method, one file; `METHODS` lists those that a plan may name."""

from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.anonymizers.pram import Pram
from tokumei.anonymizers.sampling import Sampling

METHODS = (PkPerturbation, Pram, Sampling)

__all__ = ["METHODS", "PkPerturbation", "Pram", "Sampling"]
