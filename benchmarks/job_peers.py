"""What another package does of a whole job, run by its own Python: read a CSV file, generalize and write it, or count k.

PYTHON-OF-THE-PACKAGE benchmarks/job_peers.py JOB DATA SENSITIVE COLUMN …
"""

from __future__ import annotations

import sys


def main() -> None:
    """Do the job as the package's own pages show it."""
    job, data, secret, *known = sys.argv[1:]
    import pandas as pd

    frame = pd.read_csv(data)
    if job.startswith("pycanon"):
        from pycanon import anonymity

        print(anonymity.k_anonymity(frame, known))
        return
    import anonypy

    for name in [*known, secret]:
        if frame[name].dtype == object:
            frame[name] = frame[name].astype("category")
    rows = anonypy.Preserver(frame, known, secret).anonymize_k_anonymity(k=10)
    pd.DataFrame(rows).to_csv(data + ".anonypy", index=False)


if __name__ == "__main__":
    main()
