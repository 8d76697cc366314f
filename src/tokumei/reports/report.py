"""`report`: what a release promises, what was measured, and how it was made, as one file to read, print and keep."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

import tokumei
from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.errors import InvalidParameter
from tokumei.files import atomic_files, check_free, read_text
from tokumei.markup.card import card
from tokumei.markup.pieces import tag
from tokumei.memory import hand_back
from tokumei.parallel import one_blas_thread
from tokumei.plan import Plan
from tokumei.plan.calibration import Calibration, told_calibration
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.release.files import MANIFEST, read_release
from tokumei.reports.advice import advice_for
from tokumei.reports.browser import find_browser, print_pdf
from tokumei.reports.evidence import ROWS, Evidence, now, rows_digest, source_digests, table_name, unchanged
from tokumei.reports.findings import Findings, private_findings, public_findings
from tokumei.reports.page import page
from tokumei.reports.sections.advising import advising
from tokumei.reports.sections.dictionary import dictionary
from tokumei.reports.sections.method import looked, method
from tokumei.reports.sections.origin import origin
from tokumei.reports.sections.promise import promise
from tokumei.reports.sections.questions import questions
from tokumei.reports.sections.risk import risk
from tokumei.reports.sections.rungs import rungs
from tokumei.reports.sections.useful import receiving, utility
from tokumei.reports.sections.verdict import verdict
from tokumei.results import json_text
from tokumei.runner import rows_of, run
from tokumei.table.coded import with_numbered_texts
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Schema
from tokumei.words import Language, Words, spoken


@dataclass(frozen=True, repr=False)
class Report:
    """A finished report.

    Attributes
    ----------
    html
        The page.
    public
        Whether it was made from the release alone. Any other report is the data holder's.
    record
        What the data holder keeps of an approval: the plan, digests, date and approver; ``None`` where nobody approved.
    """

    html: str
    public: bool
    record: Mapping[str, Any] | None = field(default=None)

    def write(self, path: str | Path, *, overwrite: bool = False, pdf: bool = False) -> tuple[Path, ...]:
        """Write the page, beside it a PDF if asked and the data holder's record if there is one: all of them, or none.

        Parameters
        ----------
        path
            The HTML file. A PDF has the same name with ``.pdf``, the record with ``.record.json``.
        overwrite
            Whether older files may be replaced.
        pdf
            Whether to print it too, which needs an installed Chromium, Chrome or Edge.
        """
        target = Path(path)
        if target.suffix.lower() not in {".html", ".htm"}:
            raise InvalidParameter("{target} must end in .html.", target=target)
        targets = [target]
        if pdf:
            find_browser()
            targets.append(target.with_suffix(".pdf"))
        if self.record is not None:
            targets.append(target.with_suffix(".record.json"))
        for each in targets:
            check_free(each, overwrite=overwrite)
        with atomic_files(targets, overwrite=overwrite, private=not self.public) as places:
            places[0].write_text(self.html, encoding="utf-8")
            if pdf:
                print_pdf(places[0], places[1])
            if self.record is not None:
                whole = {**self.record, "report_sha256": hashlib.sha256(self.html.encode()).hexdigest()}
                places[-1].write_text(json_text(whole, indent=2) + "\n", encoding="utf-8")
        return tuple(targets)

    def _repr_html_(self) -> str:
        """Show the page in a frame of its own, which cannot reach the notebook around it."""
        words = spoken()
        title = words("report_card_public" if self.public else "report_card_private")
        page = tag(
            "iframe",
            srcdoc=self.html,
            sandbox="",
            title=title,
            style="width: 100%; height: 36em; border: 0",
        )
        return card(title, page)

    def __repr__(self) -> str:
        return f"<{'Public' if self.public else 'Private'} report of {len(self.html):,} letters.>"


@stage("Making the report")
@one_blas_thread()
def report(
    subject: Plan | Release | str | Path,
    original: Any = None,
    schema: Schema | None = None,
    prepare: Sequence[Step] = (),
    *,
    public: bool = False,
    language: Language = "en",
    approver: str | None = None,
    target: str | None = None,
    random_state: int | None = None,
    name: str | None = None,
    calibration: Calibration | None = None,
) -> Report:
    """Report on a plan or a release: promise, risk, utility, method, dictionary, and what was taken from the data.

    Parameters
    ----------
    subject
        A plan or its file: the original is read, and the report is about the release that stands where the plan puts it;
        where there is none of this plan, one is drawn for the report and not written. Or a release or its folder: without
        ``original`` the report is the public one.
    original, schema, prepare
        For a release: the table it was made from, with the schema and steps, for a private report.
    public
        Leave out everything that only the data holder may see.
    language
        ``"en"`` or ``"ja"``.
    approver
        Who approves the release; a record of it is written next to the report, for the data holder to keep.
    target
        A column that models are to predict, to see how well they still do.
    random_state
        Makes a drawn release and the attack repeatable, for tests.
    name
        What the table is called in the report. The data holder's report on a plan has the name of its file or table; the public report has a
        name only where it is given here.
    calibration
        For a release: weighted totals that must not change, and whose change the report shows. A plan declares them itself, and so does a release
        that discloses them.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=300), tk.example_schema(), tk.Generalization(k=5))
    >>> tk.report(release).public
    True
    """
    words = Words(language)
    plan, text = _plan(subject)
    if public and approver is not None:
        raise InvalidParameter(
            "only the data holder approves a release; leave out approver, or make the private report."
        )
    method_of, evidence = None, Evidence(now(), name)
    if plan is not None:
        if original is not None or schema is not None or prepare:
            raise InvalidParameter("a plan names its own table, schema and steps; give only the plan.")
        before = source_digests(plan)
        rows = rows_of(plan)
        unchanged(before, source_digests(plan))
        release, digests = _release_of(plan, rows, random_state)
        schema, prepare, method_of = plan.schema, plan.prepare, plan.method
        known = name if public else name or table_name(plan)
        evidence = Evidence(now(), known, before or {ROWS: rows_digest(rows)}, text or plan.to_toml())
        original = with_numbered_texts(rows)
        del rows  # which are large, and not needed again
    elif isinstance(subject, Release):
        release, digests = subject, dict[str, str]()
    else:
        release, digests = read_release(str(subject), frame="pyarrow"), release_digests(Path(str(subject)))
    if public or original is None:
        if approver is not None:
            raise InvalidParameter("an approval needs the plan: report on the plan, not on the release alone.")
        found = public_findings(release, digests, evidence)
    else:
        if schema is None:
            raise InvalidParameter("a private report needs the schema of the original.")
        arrow = to_arrow(original)[0]
        if plan is None:
            evidence = replace(evidence, table={ROWS: rows_digest(arrow)})
        wanted = plan.calibration if plan is not None else calibration or told_calibration(release)
        found = private_findings(
            release, digests, evidence, arrow, schema, prepare, method_of, target, random_state, wanted
        )
    record = None if approver is None else _record(release, digests, text, approver, found.evidence)
    with stage("Writing the report"):
        html = _html(found, words)
    return Report(html, found.private is None, record)


def report_of(
    release: Release,
    digests: Mapping[str, str],
    evidence: Evidence,
    original: pa.Table | None = None,
    schema: Schema | None = None,
    prepare: Sequence[Step] = (),
    method: Anonymizer | None = None,
    *,
    language: Language = "en",
) -> Report:
    """Report on a release that was made here, for callers who have everything at hand; the public report without ``original``."""
    if original is None or schema is None:
        found = public_findings(release, digests, evidence)
    else:
        found = private_findings(release, digests, evidence, original, schema, prepare, method, None, None)
    with stage("Writing the report"):
        return Report(_html(found, Words(language)), found.private is None)


def _html(found: Findings, words: Words) -> str:
    hand_back(found.release.rows * len(found.release.types))  # before charts are drawn, which takes more
    advice = advice_for(found)
    parts = [
        ("verdict", verdict(found, advice, words)),
        ("promise", promise(found, words)),
        ("ladder", rungs(found, words)),
        ("risk", risk(found, words)),
    ]
    parts.append(("questions", questions(found, words)))
    if found.private is not None:
        parts += [("advice", advising(advice, words)), ("utility", utility(found.private, words))]
    else:
        parts.append(("use", receiving(found, words)))
    parts += [
        ("method", method(found, words)),
        ("dictionary", dictionary(found, words)),
        ("looked", looked(found, words)),
        ("origin", origin(found, words)),
    ]
    titles = [(key, words(f"title_{key}")) for key, _ in parts]
    return page(titles, [part for _, part in parts], words, public=found.private is None)


def _plan(subject: Any) -> tuple[Plan | None, str | None]:
    """Return the plan, with its text where it is a file; nothing for a release."""
    if isinstance(subject, Plan):
        return subject, None
    if isinstance(subject, Release):
        return None, None
    if not isinstance(subject, str | Path):  # its text may be rows
        raise InvalidParameter("report takes a plan, a release, or the path of one.")
    if Path(subject).is_dir():
        return None, None
    return Plan.read(subject), read_text(Path(subject))


def _release_of(plan: Plan, rows: pa.Table, random_state: int | None) -> tuple[Release, dict[str, str]]:
    """Read the release of a plan where it stands, or draw one."""
    folder = plan.output_path
    if (folder / MANIFEST).is_file():
        release = read_release(folder, frame="pyarrow")
        people = release.mechanism.population(release.rows) + release.mechanism.left_out
        steps = [step.describe() for step in plan.prepare]
        if (
            people == rows.num_rows
            and _same(release.method, plan.method.describe())
            and _same(list(release.prepare), steps)
        ):
            return release, release_digests(folder)
    return run(plan, seed=random_state), {}


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True, default=str) == json.dumps(other, sort_keys=True, default=str)


def release_digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file of a release."""
    manifest = json.loads(read_text(folder / MANIFEST))
    name = manifest["data"]["file"]
    written = hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    return {MANIFEST: written, name: manifest["data"]["sha256"]}


def _record(
    release: Release, digests: Mapping[str, str], text: str | None, approver: str, evidence: Evidence
) -> dict[str, Any]:
    """Return what the data holder keeps of an approval."""
    return {
        "approver": approver,
        "date": evidence.made.isoformat(),
        "table": evidence.name,
        "table_sha256": dict(evidence.table),
        "tokumei": tokumei.__version__,
        "plan": text,
        "plan_sha256": None if text is None else hashlib.sha256(text.encode()).hexdigest(),
        "method": dict(release.method),
        "guarantees": [each.describe() for each in release.guarantees],
        "release_sha256": dict(digests),
    }
