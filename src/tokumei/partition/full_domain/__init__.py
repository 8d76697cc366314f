"""Full-domain recoding: one level of each column for the whole table, and the best choice of levels."""
