"""One file for each package: how it does each job, the way its own documentation does it; read by child.py in its environment."""
