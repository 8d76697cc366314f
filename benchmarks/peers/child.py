"""What runs in a child process, in whichever environment: one job of one side, timed. Standard library only.

    python -I child.py SIDE.py JOB REQUEST.json ANSWER.json

A side is a file with one function for each job: given the request it imports what it needs, reads the data, and returns two
functions. The first does the work and is timed; the second turns its result into facts, and files beside the answer. Seconds are those
that the processor spent on this process, all its threads together, so that a busy machine does not count.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import sys
import time
from pathlib import Path

AGAIN = 2.0  # seconds: a shorter job is done twice, and the second time counts, so that loading and compiling do not


def peak_mib() -> float:
    """The most memory this program has held; what getrusage says begins with the parent's."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main() -> None:
    side, job, asked, answer = sys.argv[1:]
    request = json.loads(Path(asked).read_text(encoding="utf-8"))
    resource.setrlimit(resource.RLIMIT_AS, (request["memory_limit"],) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (request["time_limit"], resource.RLIM_INFINITY))
    spec = importlib.util.spec_from_file_location("side", side)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    work, told = getattr(module, job)(request)
    begin = time.process_time()
    result = work()
    first = seconds = time.process_time() - begin
    whole = time.process_time()
    peak = peak_mib()
    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY,) * 2)  # what follows is ours to ask
    if first < AGAIN:
        begin = time.process_time()
        result = work()
        seconds = time.process_time() - begin
    facts = told(result, Path(answer).parent)
    content = {"seconds": seconds, "first": first, "whole": whole, "peak_mib": peak, "facts": facts}
    Path(answer).write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    main()
