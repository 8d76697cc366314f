"""The best groups of a small table, nearly, with a proof of how near."""
