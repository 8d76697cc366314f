"""Public conditional distributions: how a released record comes from a true one. Everyone may know them."""
