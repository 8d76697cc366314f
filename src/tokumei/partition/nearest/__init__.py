"""Groups of rows that are nearest to each other, the cheapest group first."""
