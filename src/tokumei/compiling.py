"""Where compiled loops are kept: beside their sources, or in the user's cache; if neither can be written, in a folder of this run."""

from __future__ import annotations

import os

SETTING = "NUMBA_CACHE_DIR"  # by which numba can be told where
CACHES = ("~/.cache", "~/Library/Caches", "~/AppData/Local")


def find_room() -> None:
    """Give numba a folder of this run's own where it has none that it can write: it would not work at all otherwise.

    That is so in a read-only installation whose user has no home. The loops are then compiled anew by every run.
    """
    if os.environ.get(SETTING):
        return
    here = os.path.join(os.path.dirname(__file__), "__pycache__")  # noqa: PTH118, PTH120  (pathlib is slow to load)
    caches = [os.environ.get("XDG_CACHE_HOME") or CACHES[0], *CACHES[1:]]
    if any(_writable(os.path.expanduser(each)) for each in (here, *caches)):  # noqa: PTH111
        return
    import atexit
    import shutil
    import tempfile

    made = os.environ[SETTING] = tempfile.mkdtemp(prefix="tokumei-loops-")  # which nobody else can write to, or guess
    atexit.register(shutil.rmtree, made, ignore_errors=True)


def _writable(place: str) -> bool:
    """Whether a folder is there and can be written, or could be made."""
    while place and not os.path.exists(place):  # noqa: PTH110
        above = os.path.dirname(place)  # noqa: PTH120
        if above == place:
            return False
        place = above
    return bool(place) and os.access(place, os.W_OK | os.X_OK)
