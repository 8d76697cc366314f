"""What the inner loops cost with narrower vectors: the same work in CPU seconds with everything that the processor has, and without AVX-512.

    python -m benchmarks.vectors

Each is a process of its own: numba is told the features of a processor with AVX2, numpy to use nothing wider. One thread.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from benchmarks import stored

ROWS = 4_000_000
AVX2 = {
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+sse,+sse2,+sse3,+ssse3,+sse4.1,+sse4.2,+avx,+avx2,+fma,+bmi,+bmi2,+lzcnt,+popcnt,+f16c,+movbe,+cx16",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}


def best(work: Callable[[], object], rounds: int) -> float:
    """Return the CPU seconds of the quickest of some rounds, compiling and touching memory aside."""
    work()
    found = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def child() -> None:
    """Do the work, and print what it took."""
    from benchmarks.peers import rows_partition
    from benchmarks.peers.rows_drawing import SIZES
    from tokumei.mechanism.retention import Retention
    from tokumei.parallel import CHUNK
    from tokumei.randomness import Key

    rng, key = np.random.default_rng(0), Key.fresh()
    table = np.stack([rng.integers(0, size, ROWS, dtype=np.uint8) for size in SIZES])
    out = np.ones_like(table)
    channels = [Retention.solve(size, Fraction(1, 20)) for size in SIZES]
    streams = [key.stream("column", place) for place in range(len(SIZES))]

    def retention() -> None:
        for place, channel in enumerate(channels):
            for low in range(0, ROWS, CHUNK):
                part = slice(low, low + CHUNK)
                channel.draw(table[place][part], out[place][part], streams[place], low)

    def words() -> None:
        for channel, stream in zip(channels, streams, strict=True):
            for low in range(0, ROWS, CHUNK):
                stream.words(low, min(CHUNK, ROWS - low), channel.bits, scratch=True)

    took = {"retention": best(retention, 5), "words": best(words, 5), "copy": best(lambda: np.copyto(out, table), 9)}
    rows_partition.ROWS = ROWS
    for row in rows_partition.rows():
        choose = row.what.split(", ")[1]
        took[choose] = took.get(choose) or best(row.ours, 2)
        took["sort" if "sort" in row.against else f"{choose} passes"] = best(row.other, 2)
    print(json.dumps(took))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--child", action="store_true")
    if parser.parse_args().child:
        child()
        return 0
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, more in (("all", {}), ("AVX2", {**AVX2, "NUMBA_CACHE_DIR": folder})):
            command = [sys.executable, "-m", "benchmarks.vectors", "--child"]
            run = subprocess.run(
                command,
                check=True,
                capture_output=True,
                cwd=stored.ROOT,
                env={**os.environ, "TOKUMEI_THREADS": "1", **more},
            )
            found[name] = json.loads(run.stdout)
    halvings = math.ceil(math.log2(ROWS / 10))
    lines = [
        ("retention, 10 columns", "copy of the table", "retention", "copy"),
        ("retention, 10 columns", "drawing its words alone", "retention", "words"),
        ("Mondrian, widest, 8 columns", f"{halvings} times 2 reads and a copy", "widest", "widest passes"),
        ("Mondrian, widest, 8 columns", "np.sort of the rows as words", "widest", "sort"),
        ("Mondrian, gain, 8 columns", f"{halvings} times 9 reads and a copy", "gain", "gain passes"),
        ("Mondrian, gain, 8 columns", "np.sort of the rows as words", "gain", "sort"),
    ]
    rows = [
        [what, against, *(found[name][part] for name in ("all", "AVX2") for part in (ours, other)),
         *(found[name][ours] / found[name][other] for name in ("all", "AVX2"))]
        for what, against, ours, other in lines
    ]  # fmt: skip
    columns = [
        "what",
        "against",
        "ours, s",
        "other, s",
        "ours with AVX2, s",
        "other with AVX2, s",
        "ratio",
        "ratio with AVX2",
    ]
    table = stored.Table(columns, rows, {**dict.fromkeys(columns[2:6], ".3f"), **dict.fromkeys(columns[6:], ".1f")})
    print(table.markdown())
    stored.store(
        "vectors", {"loops": table}, command="python -m benchmarks.vectors", packages=("tokumei", "numpy", "numba")
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
