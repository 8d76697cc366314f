"""What a careful forger does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def rewrite(folder: Path, change: Callable[[Any], Any]) -> None:
    """Change a manifest and sign it again."""
    file = folder / "manifest.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content.pop("sha256")
    change(content)
    content["sha256"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    file.write_text(json.dumps(content), encoding="utf-8")
