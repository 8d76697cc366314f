"""All commands, in the order in which they are listed."""

# isort: off
from tokumei.cli import studio, making, judging, risking, reporting, using
from tokumei.cli.command import app

__all__ = ["app", "judging", "making", "reporting", "risking", "studio", "using"]
