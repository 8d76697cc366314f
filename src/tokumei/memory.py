"""Too little memory, told in one sentence."""

from __future__ import annotations

from contextlib import ContextDecorator

from tokumei.diagnostics import raise_alone
from tokumei.errors import NotEnoughMemory, TokumeiError


class within_memory(ContextDecorator):  # noqa: N801  (used like a function)
    """End work for which there is too little memory in one sentence, as a block or around a function.

    >>> with within_memory():
    ...     raise MemoryError
    Traceback (most recent call last):
    tokumei.errors.NotEnoughMemory: There is too little memory for this. ...
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MemoryError) and not isinstance(error, TokumeiError):
            raise_alone(
                NotEnoughMemory(
                    "There is too little memory for this. Use fewer rows or columns or coarser domains, the "
                    "engine 'stream' (--engine stream), which keeps rows on disk, or a machine with more."
                )
            )
