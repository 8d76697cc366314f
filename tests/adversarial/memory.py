"""What a piece of work takes: run in a process of its own, whose memory is bounded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

# The program first imports all that it needs. From then on it may take so much more, and then is told that there is none left.
BEGIN = """
import resource, sys
from pathlib import Path
import tokumei.bounds
tokumei.bounds.UNPACKED = 2**26  # so that small files are large
import pandas, pyarrow, pyarrow.csv, pyarrow.parquet, pyarrow.compute, numpy, zipfile
import tokumei as tk
from tokumei.errors import TokumeiError
from tokumei.io.batches import Files
from tokumei.io.source import read_table
pyarrow.csv.read_csv(pyarrow.BufferReader(b"a\\n1\\n" * 2**10))  # starts the threads, which take room of their own and never wait for Python
{before}
pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + {mebibytes} * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
"""
WORK = """
try:
    {work}
except TokumeiError as error:
    print(error)
else:
    print("done")
"""


def within(mebibytes: int, *works: str, before: str = "") -> list[str]:
    """Carry out lines of a program in so much memory beyond what it has to begin with; return what each ends in."""
    program = BEGIN.format(mebibytes=mebibytes, before=before)
    given = [sys.executable, "-c", program + "".join(WORK.format(work=work) for work in works)]
    # Nothing is taken in advance, and no thread is started later: Arrow starts them as it is busy, and ends the program if there is no room for one.
    plain = {
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "MALLOC_ARENA_MAX": "1",
        "OMP_NUM_THREADS": "1",
        "ARROW_IO_THREADS": "1",
    }
    done = subprocess.run(
        given, capture_output=True, text=True, check=False, cwd=ROOT, timeout=600, env=os.environ | plain
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = done.stdout.splitlines()
    assert len(said) == len(works), said
    return said
