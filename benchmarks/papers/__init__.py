"""The five papers' experiments, run again with the package."""
