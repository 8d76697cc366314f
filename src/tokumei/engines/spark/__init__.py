"""The same designs, drawn by the machines of a Spark cluster."""
