"""What commands import, brought together for the process that they are forked from. Nothing here may start a thread."""

from __future__ import annotations

import importlib
import pkgutil

import tokumei

for name in ("pandas", "polars", "altair", "sklearn.linear_model", "scipy.stats", "pyarrow.dataset", "rich.progress"):
    importlib.import_module(name)
for found in pkgutil.walk_packages(tokumei.__path__, "tokumei."):
    if not found.name.startswith(("tokumei.studio", "tokumei.engines.spark")) and not found.name.endswith("__main__"):
        importlib.import_module(found.name)
