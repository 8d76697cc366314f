"""How much one downloads: the sizes of the wheel and of the sdist, built anew.

python -m benchmarks.size
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from scripts.package_check import LARGEST, build


def sizes() -> str:
    with tempfile.TemporaryDirectory() as folder:
        sdist, wheel = (file.stat().st_size for file in build(Path(sys.executable), Path(folder)))
    holds = "ok" if wheel <= LARGEST else "MISSED"
    return f"wheel {wheel / 1024:,.0f} KiB (at most {LARGEST / 1024:,.0f}: {holds}), sdist {sdist / 1024:,.0f} KiB"


if __name__ == "__main__":
    print(sizes())
