"""The command line. Heavy imports stand inside the commands, so that ``tokumei --help`` is quick."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from tokumei.cli.app import app

    app(prog_name="tokumei")
