"""Methods: frozen values with one verb. One method, one file; `METHODS` lists those that a plan may name."""

from tokumei.anonymizers.pk_perturbation import PkPerturbation

METHODS = (PkPerturbation,)

__all__ = ["METHODS", "PkPerturbation"]
