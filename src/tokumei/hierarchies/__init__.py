"""Hierarchies learned from rows: for the data holder, and disclosed by every release that uses one."""

from tokumei.hierarchies.learned import frequency_hierarchy, odds_hierarchy

__all__ = ["frequency_hierarchy", "odds_hierarchy"]


def __dir__() -> list[str]:
    return sorted(__all__)
