"""Applying what an earlier release did to new rows."""
