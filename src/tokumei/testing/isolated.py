"""Registrations that last for a while only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from tokumei.anonymizers import METHODS
from tokumei.partition import PARTITIONS, SCHEMES
from tokumei.partition.microaggregation import POINT_PARTITIONS
from tokumei.prepare import STEPS
from tokumei.privacy.constraints import CONSTRAINTS
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.recount import RECOUNTS
from tokumei.table.loss import LOSSES
from tokumei.words.catalogue import LANGUAGES, table
from tokumei.words.statement import REGISTRY


@contextmanager
def isolated() -> Iterator[None]:
    """Forget afterwards what was registered meanwhile: methods, partitions, constraints, losses, statements and words.

    >>> from tokumei.words.catalogue import Words, add_words
    >>> with isolated():
    ...     add_words("en", {"method_nothing": "doing nothing"})
    ...     Words("en").knows("method_nothing")
    True
    >>> Words("en").knows("method_nothing")
    False
    """
    languages: Any = LANGUAGES
    plain: list[dict[str, Any]] = [NOTIONS, RECOUNTS, LOSSES, REGISTRY, *(table(each) for each in languages)]
    before = [dict(each) for each in plain]
    with ExitStack() as stack:
        for registry in (METHODS, PARTITIONS, SCHEMES, POINT_PARTITIONS, CONSTRAINTS, STEPS):
            stack.enter_context(registry.kept())
        try:
            yield
        finally:
            for each, was in zip(plain, before, strict=True):
                each.clear()
                each.update(was)
