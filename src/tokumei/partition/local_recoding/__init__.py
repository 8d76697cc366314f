"""Groups from the boxes of the generalization lattice: labels of every axis, combined in every way."""
