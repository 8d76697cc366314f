"""What goes wrong in a task reaches the user as one sentence, and nothing of the rows with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from tokumei.diagnostics import raise_alone
from tokumei.errors import DataError, TokumeiError
from tokumei.messages import message_of, packed, phrase, unpacked

BEGIN, END = "[tokumei: ", " :tokumei]"  # around a sentence of ours in the long text of a failed task


class TaskProblem(Exception):
    """A task cannot go on; its text is one sentence that shows nothing of the rows."""


@contextmanager
def in_task() -> Iterator[None]:
    """Around the work of a task: let nothing out but a sentence. Libraries quote cells in their messages, logs keep them."""
    try:
        yield
    except TokumeiError as error:
        problem = message_of(error)
    except Exception as error:  # noqa: BLE001  (whatever it is, its text may quote a cell)
        problem = phrase(
            "A task stopped with {kind}, whose text may show cells and is not shown here.", kind=type(error).__name__
        )
    else:
        return
    raise_alone(TaskProblem(BEGIN + packed(problem) + END))


@contextmanager
def in_one_sentence(doing: str) -> Iterator[None]:
    """Around a job of Spark: a failed one becomes one sentence, ours if a task said one."""
    try:
        yield
    except TokumeiError:
        raise
    except Exception as error:
        if type(error).__module__.split(".")[0] not in {"pyspark", "py4j"}:
            raise
        found = re.search(re.escape(BEGIN) + "(.*?)" + re.escape(END), str(error), flags=re.DOTALL)
        failed = phrase(
            "Spark failed in {doing} ({cause}); nothing was released.", doing=doing, cause=_cause(str(error))
        )
        problem = unpacked(found.group(1)) if found else failed
    else:
        return
    raise_alone(DataError(problem))


CAUSES = {
    "No module named 'tokumei": phrase("tokumei is not installed where the tasks run; see docs/spark.md"),
    "PACKAGE_NOT_INSTALLED": phrase(
        "pandas or pyarrow is not installed where Spark runs; install tokumei[spark] there"
    ),
    "PYTHON_VERSION_MISMATCH": phrase("tasks run another version of Python; set PYSPARK_PYTHON to this one"),
    "PATH_NOT_FOUND": phrase("the file or folder does not exist"),
    "MALFORMED_RECORD": phrase("a line does not have the fields of the first line"),
    "CANNOT_READ_FILE_FOOTER": phrase("a file is not a Parquet file, or it is damaged"),
    "is not a Parquet file": phrase("a file is not a Parquet file, or it is damaged"),
    "CANNOT_MERGE_SCHEMAS": phrase("files have different columns"),
    "FAILED_READ_FILE": phrase("a file is damaged, is gone, or has other columns than the first"),
    "FileNotFoundException": phrase("a file is gone"),
    "maxResultSize": phrase("the driver may not collect the codes of all rows; set spark.driver.maxResultSize to more"),
    "OutOfMemoryError": phrase("a worker has too little memory"),
    "No space left": phrase("a disk is full"),
    "ExecutorLostFailure": phrase("workers were lost repeatedly"),
    "cancelled": phrase("it was cancelled"),
}


def _cause(text: str) -> str:
    """Name the cause in words of our own: Spark's text may quote cells and lines."""
    known = (words for sign, words in CAUSES.items() if sign in text)
    return next(known, phrase("its own log says more, and may show cells"))
