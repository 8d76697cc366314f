"""All commands, in the order in which they are listed."""

# isort: off
from tokumei.cli import (
    studio,
    recommendation,
    release,
    checks,
    utility,
    risk,
    combination,
    surveys,
    report,
    ladder,
    proof,
    analysis,
    synthesis,
    regression,
)
from tokumei.cli.command import app

__all__ = [
    "analysis",
    "app",
    "checks",
    "combination",
    "ladder",
    "proof",
    "recommendation",
    "regression",
    "release",
    "report",
    "risk",
    "studio",
    "surveys",
    "synthesis",
    "utility",
]
