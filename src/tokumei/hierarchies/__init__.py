"""Hierarchies learned from rows: for the holder, and disclosed by every release that uses one."""
