"""Evidence: what the report is about, when it was made, with which versions, and the digests of table, plan and release."""

from __future__ import annotations

import platform
from importlib.metadata import version

import tokumei
from tokumei.reports.evidence import ROWS
from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, paragraphs, safe, section, table, tag
from tokumei.words import Words


def origin(found: Findings, words: Words) -> Html:
    """Name the table, the date, versions and digests; what the data holder's machine runs, and the plan, are the data holder's."""
    told, private = found.evidence, found.private is not None
    rows = [] if told.name is None else [[words("origin_table"), told.name]]
    made = f"{told.made:%Y-%m-%d %H:%M} UTC" if private else f"{told.made:%Y-%m-%d}"
    rows += [[words("origin_made"), made], ["tokumei", tokumei.__version__]]
    if private:
        rows += [["Python", platform.python_version()]]
        rows += [[name, version(name)] for name in ("numpy", "scipy", "scikit-learn", "pyarrow")]
    digests = {
        words("origin_rows") if name == ROWS else words("origin_input", name=name): digest
        for name, digest in told.table.items()
    }
    if told.plan_digest is not None:
        digests[words("origin_plan")] = told.plan_digest
    digests |= {words("origin_release", name=name): digest for name, digest in found.digests.items()}
    rows += [[name, tag("code", digest)] for name, digest in digests.items()]
    said = words("origin_digest") if found.digests else words("origin_no_digest")
    plan = ""
    read_off = found.private is not None and any(each.observed for each in found.private.schema)
    if told.plan is not None and not read_off:  # a plan has the labels of domains, and these would be people's values
        plan = tag("details", tag("summary", words("origin_plan_text")), tag("pre", safe(told.plan)))
    return section(
        "origin",
        words("title_origin"),
        table((words("origin_what"), words("origin_value")), rows, "evidence"),
        paragraphs(said, *([words("origin_kept")] if private else [])),
        plan,
    )
