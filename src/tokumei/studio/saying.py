"""What errors say in the studio, where nobody types a command: without names of classes, options of commands or arguments of functions."""

from __future__ import annotations

from tokumei.messages import message_of, phrase
from tokumei.messages.rewording import Instead, reworded
from tokumei.studio.fields_said import FIELDS
from tokumei.words import Statement, Words, said_by
from tokumei.words.statement import Message

INSTEAD: Instead = {
    "{path} already exists; choose another place, or overwrite it (overwrite=True, --overwrite).": lambda path, **_: (
        phrase("{path} already exists; choose another folder.", path=path)
    ),
    "it is not {encoding} text; give its encoding (--encoding, or encoding in the plan)": lambda encoding, **_: phrase(
        "it is not {encoding} text; choose another encoding",
        encoding=encoding,
    ),
    "it is not utf-8 text but looks like {seems}; give its encoding (--encoding {seems}, or encoding in the plan)": lambda seems, **_: (
        phrase("it is not utf-8 text but looks like {seems}; choose that encoding", seems=seems)
    ),
    "{path} cannot be read: it is not utf-8 text but looks like utf-16; give its encoding (--encoding utf-16, or encoding in the plan).": lambda path, **_: (
        phrase("{path} cannot be read: it is not UTF-8 text but looks like UTF-16; choose that encoding.", path=path)
    ),
    "{path}: column {broken} is not {encoding} text; give its encoding (--encoding, or encoding in the plan).": lambda path, broken, encoding, **_: (
        phrase(
            "{path}: column {broken} is not {encoding} text; choose another encoding.",
            path=path,
            broken=broken,
            encoding=encoding,
        )
    ),
    "{path} has only one column; its delimiter looks like {others!r}, so give it (--delimiter).": lambda path, others, **_: (
        phrase(
            "{path} has only one column; its fields seem to be separated by {others!r}, so choose that delimiter.",
            path=path,
            others=others,
        )
    ),
    "{where} does not have as many fields as the first line ({found}, not {expected}); is its delimiter another one? Give it (--delimiter, or delimiter in the plan)": lambda where, found, expected, **_: (
        phrase(
            "{where} does not have as many fields as the first line ({found}, not {expected})",
            where=where,
            found=found,
            expected=expected,
        )
    ),
    "There is too little memory for this. Use fewer rows or columns or coarser domains, the engine 'stream' (--engine stream), which keeps rows on disk, or a machine with more.": lambda **_: (
        phrase(
            "There is too little memory for this. Use fewer rows or columns or coarser domains, or run the plan from the command line, which can keep rows on disk."
        )
    ),
    "Column {column!r} has {count:missing value|missing values}; allow them in the schema (missing=True, in a plan missing = true), and they will be protected like any other value.": lambda column, count, **_: (
        phrase(
            "Column {column!r} has {count:missing value|missing values}, which its description does not allow; open the table anew.",
            column=column,
            count=count,
        )
    ),
    "PkPerturbation needs k, epsilon, or both.": lambda **_: phrase("Fill in k, epsilon, or both."),
    "columns names no column to change.": lambda **_: phrase("Choose for at least one column how it is changed."),
    "the database refused ({kind})": lambda **_: phrase("the database refused"),
    **FIELDS,
}


def in_studio(given: object, words: Words) -> str:
    """Say an error, a warning or a statement; a sentence begins with a capital, also where a command would go on before it."""
    said = message_of(given) if isinstance(given, Exception) else given
    if isinstance(said, Message):
        said = said.text
    text = words.say(said_by(said if isinstance(said, Statement) else reworded(said, INSTEAD)))
    return text[:1].upper() + text[1:]
