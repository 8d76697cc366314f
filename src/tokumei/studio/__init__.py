"""The studio: risk, methods and releases of one table on one screen."""
