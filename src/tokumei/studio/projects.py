"""Where projects are kept: a folder of this user's that nobody else can look into."""

from __future__ import annotations

import datetime as dt
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.bounds import LARGEST_TEXT, parsed_json
from tokumei.errors import DataError, OutputError, TokumeiError
from tokumei.files import atomic_file, read_text, reason
from tokumei.randomness import token

if TYPE_CHECKING:
    from tokumei.studio.session import Session
    from tokumei.studio.session.project import Project

SETTING = "TOKUMEI_STATE"  # names another folder
ENDING = ".project.json"
MOST = 50  # that are listed
LONGEST = 1000  # letters of a name or a folder in the list


def state_folder() -> Path:
    """Return the folder for what the studio keeps: ``TOKUMEI_STATE``, or where this system keeps the state of programs."""
    if os.environ.get(SETTING):
        return Path(os.environ[SETTING])
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "tokumei"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tokumei"
    return Path(os.environ.get("XDG_STATE_HOME") or home / ".local" / "state") / "tokumei"


@dataclass(frozen=True)
class Kept:
    """What a list shows of a project, which is read in full only when it is opened.

    Attributes
    ----------
    key
        The name of its file.
    name, folder, saved, steps
        What its table is called, the folder it is in where it is a file of this machine, when it was kept, and after how many steps.
    problem
        Why it cannot be read, in place of all that.
    """

    key: str
    name: str = ""
    folder: str = ""
    saved: dt.datetime | None = None
    steps: int = 0
    problem: TokumeiError | None = None


class Projects:
    """The projects of this user."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (state_folder() if folder is None else folder) / "projects"

    def save(self, session: Session, key: str | None = None) -> str:
        """Keep a session as a project, in place of the one with this key; return its key."""
        key = token()[:22] if key is None else key
        place = self._place(key)
        self._make()
        with atomic_file(place, overwrite=True, private=True) as temporary:
            temporary.write_text(session.as_project(), encoding="utf-8")
        return key

    def all(self) -> list[Kept]:
        """Return the projects, the latest first."""
        try:
            files = [each for each in self.folder.iterdir() if each.name.endswith(ENDING) and each.is_file()]
            files.sort(key=lambda each: -each.stat().st_mtime)
        except OSError:
            return []
        return [self._read(each) for each in files[:MOST]]

    def read(self, key: str) -> Project:
        """Return one project."""
        from tokumei.studio.session.project import Project

        return Project.read(self._place(key))

    def remove(self, key: str) -> None:
        """Remove one project; the table it is about stays where it is."""
        try:
            self._place(key).unlink(missing_ok=True)
        except OSError as error:
            raise OutputError("The project cannot be removed: {reason}.", reason=reason(error)) from None

    def _read(self, path: Path) -> Kept:
        key = path.name.removesuffix(ENDING)
        try:
            given = parsed_json(read_text(path, LARGEST_TEXT))
            source = given["steps"][given["now"]]["source"]  # the one that is opened
            place = Path(str(source.get("path") or "")) if given["kind"] == "file" else None
            saved = dt.datetime.fromisoformat(given["saved"]).astimezone()
            folder = "" if place is None else str(place.parent)
            return Kept(key, str(given["name"])[:LONGEST], folder[:LONGEST], saved, len(given["steps"]) - 1)
        except TokumeiError as error:
            return Kept(key, problem=error)
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError):
            return Kept(key, problem=DataError("This project cannot be read; it is damaged, or of another version."))

    def _make(self) -> None:
        """Make the folder, for this user only, also where it was there already; the one around it may have other uses, and stays as it is."""
        try:
            self.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.mkdir(mode=0o700, exist_ok=True)
            self.folder.chmod(0o700)
        except OSError as error:
            raise OutputError(
                "{folder} cannot be written: {reason}.", folder=self.folder, reason=reason(error)
            ) from None

    def _place(self, key: str) -> Path:
        if re.fullmatch(r"[\w-]{1,64}", key) is None:
            raise DataError("There is no such project.")
        return self.folder / f"{key}{ENDING}"
