"""Which groups of a release can be put together again from the original rows."""
