"""Clusters of rows first, then groups inside each."""
