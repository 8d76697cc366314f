"""V-MDAV: MDAV with groups of different sizes."""
