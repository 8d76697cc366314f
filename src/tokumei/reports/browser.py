"""A report on paper: a browser that is installed prints it, without a window and without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tokumei.errors import MissingDependency, OutputError
from tokumei.progress import stage

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
VARIABLE = "TOKUMEI_BROWSER"
PATIENCE = 180  # seconds


def find_browser() -> str:
    """Return the path of a browser that can print: the one that ``TOKUMEI_BROWSER`` names, or one that is installed."""
    asked = os.environ.get(VARIABLE)
    if asked:
        found = shutil.which(asked)
        if found is None:
            raise MissingDependency(
                "{variable} names {asked}, which is not a program; name a Chromium or Chrome.",
                variable=VARIABLE,
                asked=asked,
            )
        return found
    for name in BROWSERS:
        found = shutil.which(name)
        if found is not None:
            return found
    raise MissingDependency(
        "A PDF needs Chromium, Chrome or Edge, and none was found; install one, name it in {variable}, or print the HTML "
        "report from any browser.",
        variable=VARIABLE,
    )


def print_pdf(page: Path, target: Path) -> None:
    """Print a page to a PDF file."""
    browser = find_browser()
    with tempfile.TemporaryDirectory(prefix="tokumei-print-") as profile, stage("Printing"):
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--no-first-run",
            "--no-pdf-header-footer",
            f"--user-data-dir={profile}",
            f"--print-to-pdf={target.resolve()}",
            page.resolve().as_uri(),
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # which Chromium cannot have for the superuser
        try:
            subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE)
        except (OSError, subprocess.SubprocessError):
            raise OutputError(
                "{browser} could not print the report; print the HTML report from a browser.", browser=browser
            ) from None
    if not target.is_file() or target.stat().st_size == 0:
        raise OutputError("{browser} printed nothing; print the HTML report from a browser.", browser=browser)
