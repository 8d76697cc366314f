"""How many people the rows of a Spark frame are of, where draws repeat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.engines.spark.look import Look
from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.rows import mapped
from tokumei.messages import phrase
from tokumei.progress import stage

TAG = ("tokumei tag 1", "tokumei tag 2")


def count_people(look: Look) -> int:
    """Count the different tags of people."""
    reader, parts = look.reader, look.parts

    def tags(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for _, table in parts.numbered(reader, batches):
                assert table.tags is not None
                words = table.tags.view(np.int64)
                yield from pa.table([pa.array(words[:, place]) for place in range(2)], names=list(TAG)).to_batches()

    with stage("Counting people"), in_one_sentence(phrase("reading the rows")):
        return int(mapped(look.frame, tags, dict.fromkeys(TAG, pa.int64())).distinct().count())
