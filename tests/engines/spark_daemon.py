"""The process that Spark forks its Python workers from, with everything loaded that their tasks need; it may start no thread.

A worker that a test makes fail is not used again, and its successor would spend longer on loading than on its task.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil

from pyspark.daemon import manager

import tokumei.engines.spark
from tokumei.engines.spark.session import quietly
from tokumei.randomness import Key, permutation

if __name__ == "__main__":
    with quietly():
        for name in (
            "pandas",
            "pyarrow.compute",
            "pyarrow.parquet",
            "pyspark.worker",
            "pyspark.sql.pandas.serializers",
        ):
            importlib.import_module(name)
        for found in pkgutil.iter_modules(tokumei.engines.spark.__path__, "tokumei.engines.spark."):
            importlib.import_module(found.name)
    permutation(Key.seeded(0).stream("nothing"), 2)  # numba gets ready with the first loop
    gc.freeze()
    manager()
