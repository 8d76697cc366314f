"""Models from releases, for people who would rather not choose a method."""
