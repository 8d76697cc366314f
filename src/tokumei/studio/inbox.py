"""Files that were handed over: bounded, in a folder that only this user may enter, gone when the studio ends."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tokumei.errors import DataError, OutputError
from tokumei.files import own_file, reason

LARGEST = 2**31  # bytes of one file


class Inbox:
    """A private folder."""

    def __init__(self, largest: int = LARGEST) -> None:
        self.largest = largest
        self.folder = Path(tempfile.mkdtemp(prefix="tokumei-studio-"))  # which only this user may enter
        self._count = 0

    def close(self) -> None:
        """Remove the folder and everything in it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def place(self, name: str) -> Path:
        """Return a free path for a file of this name; only the last part of it counts, and only plain letters.

        >>> inbox = Inbox()
        >>> inbox.place("../../etc/<i onclick=x>people.CSV").name
        'i-onclick-x-people.csv'
        >>> inbox.close()
        """
        given = Path(name.replace("\\", "/").rsplit("/", 1)[-1])
        plain = re.sub(r"[^\w.-]+", "-", given.stem).strip("-.")[:60] or "table"
        ending = re.sub(r"[^a-z0-9.]", "", given.suffix.lower())[:10]
        return self.fresh() / f"{plain}{ending}"

    def fresh(self) -> Path:
        """Return a new folder inside."""
        self._count += 1
        folder = self.folder / str(self._count)
        folder.mkdir(mode=0o700)
        return folder

    async def take(self, name: str, pieces: AsyncIterator[bytes]) -> Path:
        """Write a file piece by piece, and stop where it gets too large."""
        place = self.place(name)
        try:
            with own_file(place) as file:
                async for piece in self._bounded(pieces):
                    file.write(piece)
        except OSError as error:
            shutil.rmtree(place.parent, ignore_errors=True)
            raise OutputError("The file could not be kept: {reason}.", reason=reason(error)) from None
        except BaseException:
            shutil.rmtree(place.parent, ignore_errors=True)
            raise
        return place

    async def _bounded(self, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        seen = 0
        async for piece in pieces:
            seen += len(piece)
            if seen > self.largest:
                raise DataError(
                    "The file is larger than {size:,.0f} MiB; start the studio with its path instead.",
                    size=self.largest / 2**20,
                )
            yield piece
