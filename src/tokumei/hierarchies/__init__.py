"""Hierarchies learned from rows: for the data holder, and disclosed by every release that uses one."""
