"""Rows in a line, cut into groups where that loses least."""
