"""MDAV: the grouping that microaggregation is usually compared with."""
