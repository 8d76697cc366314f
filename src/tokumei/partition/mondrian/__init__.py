"""Mondrian: cut the rows in two, and again, as long as both parts may stand."""
