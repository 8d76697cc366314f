"""What commands import, brought together for the process that they are forked from. Nothing here may start a thread."""

from __future__ import annotations

import gc
import importlib
import pkgutil

import tokumei
from tokumei.randomness import Key, permutation

for name in (
    "pandas",
    "polars",
    "altair",
    "sklearn.linear_model",
    "scipy.stats",
    "pyarrow.dataset",
    "rich.markdown",
    "typer.rich_utils",
    "pyarrow.parquet",
    "rich.progress",
    "nicegui",
):
    importlib.import_module(name)
for found in pkgutil.walk_packages(tokumei.__path__, "tokumei."):
    if not found.name.startswith("tokumei.engines.spark") and not found.name.endswith("__main__"):
        importlib.import_module(found.name)

permutation(Key.seeded(0).stream("nothing"), 2)  # numba gets ready with the first loop
gc.freeze()  # what is here stays: nobody looks it through again, which would copy it all
