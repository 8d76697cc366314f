"""Versions and digests: what the report was made with, and which files it is about."""

from __future__ import annotations

import platform
from importlib.metadata import version

import tokumei
from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, paragraphs, section, table, tag
from tokumei.words import Words


def origin(found: Findings, words: Words) -> Html:
    """Name versions and digests; what the data holder's machine runs is the data holder's."""
    rows = [["tokumei", tokumei.__version__]]
    if found.private is not None:
        rows += [["Python", platform.python_version()]]
        rows += [[name, version(name)] for name in ("numpy", "scipy", "scikit-learn", "pyarrow")]
    rows += [[name, tag("code", digest)] for name, digest in found.digests.items()]
    said = words("origin_digest") if found.digests else words("origin_no_digest")
    return section(
        "origin", words("title_origin"), table((words("origin_what"), words("origin_value")), rows), paragraphs(said)
    )
