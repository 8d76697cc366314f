"""Which columns, and which of them together, make people unique."""
