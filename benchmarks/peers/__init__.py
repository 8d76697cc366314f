"""Costs against bounds and against other packages: the rows of the board."""
