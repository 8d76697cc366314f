"""Rows into groups: partitions that any anonymizer takes."""

from tokumei.partition.full_domain.optimal import Optimal

AnyPartition = Optimal

__all__ = ["AnyPartition", "Optimal"]
