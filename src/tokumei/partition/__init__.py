"""Rows into groups: partitions that any anonymizer takes."""
