"""Where the work is done: the same design, drawn on one machine or many."""
