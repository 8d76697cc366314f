"""Reports: what a release promises, what was measured and how it was made, as one file. The words are in `words`."""
