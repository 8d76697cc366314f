"""What a careful forger does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.release.groups_apart import apart, together


def rewrite(folder: Path, change: Callable[[Any], Any]) -> None:
    """Change a manifest, in which groups stand one by one, and sign it again."""
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    grouping = content.get("disclosed", {}).get("mechanism", {}).get("value", {}).get("grouping")
    if grouping is not None:
        grouping["groups"] = apart(grouping)
    change(content)
    if grouping is not None:
        grouping["groups"] = together(grouping["groups"])
    sign(folder, content)


def sign(folder: Path, content: Any) -> None:
    """Write a manifest with the digest that it should have."""
    content.pop("sha256", None)
    content["sha256"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    file = folder / "manifest.json"
    file.unlink()  # a new file, since some file systems wait for the disk where one is emptied and filled again
    file.write_text(json.dumps(content), encoding="utf-8")
