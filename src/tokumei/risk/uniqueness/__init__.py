"""How many people are unique in the population, judged by a sample of it: one estimator, one file."""
