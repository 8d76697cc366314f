"""How the text of a file is encoded, told by its bytes."""

from __future__ import annotations

import codecs
from pathlib import Path

import pyarrow as pa

from tokumei.errors import InvalidParameter
from tokumei.io.unpacking import opened_text

ENCODINGS = ("utf-8", "cp932", "euc_jp", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-16-be")
NO_TEXT = ("", "idna", "punycode")  # the last two are for the names of hosts
LOOKED_AT = 2**26  # bytes
PIECE = 2**20
ASCII = bytes(range(0x80))


def text_encoding(name: str) -> str:
    """Return what Python calls an encoding; refuse what is none, or none of text: some unpack bytes, or turn them into other bytes.

    >>> text_encoding("Shift_JIS-2004"), text_encoding("UTF8")
    ('shift_jis_2004', 'utf-8')
    >>> text_encoding("zlib")
    Traceback (most recent call last):
    tokumei.errors.InvalidParameter: there is no encoding 'zlib'.
    """
    try:
        known = codecs.lookup(name).name
        "a".encode(name)  # what is not text is refused here
    except (LookupError, ValueError):
        known = ""
    if known in NO_TEXT:
        raise InvalidParameter("there is no encoding {encoding!r}.", encoding=name)
    return known


def guess_encoding(file: Path) -> str:
    """Return how the text of a file is encoded: one of `ENCODINGS`, UTF-8 where the bytes allow it.

    Of a file that cannot be opened nothing is told: reading it says what is wrong.
    """
    try:
        with pa.OSFile(str(file)) as raw:
            stream = opened_text(file, raw)
            pieces: list[bytes] = []
            while len(pieces) * PIECE < LOOKED_AT and (piece := stream.read(PIECE)):
                pieces.append(piece)
    except (OSError, pa.ArrowException):
        return "utf-8"
    return encoding_of(b"".join(pieces))


def is_text(file: Path) -> bool:
    """Whether a file may be text of some encoding but UTF-16: none has a byte of zero, and hardly any other file is without."""
    with pa.OSFile(str(file)) as raw:
        return b"\0" not in opened_text(file, raw).read(PIECE)


def encoding_of(text: bytes) -> str:
    r"""Tell the encoding of some text, which may be cut off in the middle of a character.

    >>> [encoding_of("氏名,年齢\n田中,30\n".encode(each)) for each in ("utf-8", "cp932", "euc_jp", "utf-16")]
    ['utf-8', 'cp932', 'euc_jp', 'utf-16']
    >>> [encoding_of("name,price\nMüller René,3 €\n".encode(each)) for each in ("utf-8", "cp1252", "utf-16-le")]
    ['utf-8', 'cp1252', 'utf-16-le']
    """
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    zeros = [text[start::2].count(0) for start in (0, 1)]
    if max(zeros) > len(text) / 8:  # commas, line ends and digits have a byte of zero beside them
        return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"
    if _decodes(text, "utf-8"):
        return "utf-8"
    return _japanese(text) or _latin(text)


def _japanese(text: bytes) -> str | None:
    high = text.translate(None, ASCII)[:PIECE]
    leading = sum(
        0x81 <= byte <= 0x9F for byte in high
    )  # begins most characters of Shift-JIS, and hardly any of Latin text
    if 5 * leading >= len(high) and _decodes(text, "cp932"):
        return "cp932"
    if _decodes(text, "euc_jp"):
        return "euc_jp"
    if _neighbors(text) >= 0.8 and _decodes(text, "cp932"):  # katakana of half width
        return "cp932"
    return None


def _latin(text: bytes) -> str:
    return "cp1252" if any(0x80 <= byte < 0xA0 for byte in set(text)) and _decodes(text, "cp1252") else "latin-1"


def _decodes(text: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(text)  # without an end, so that it may be cut off
    except UnicodeDecodeError:
        return False
    return True


def _neighbors(text: bytes) -> float:
    """Return which share of the bytes beyond ASCII stands beside another one."""
    runs = [len(run) for run in bytes(byte if byte >= 0x80 else 0x20 for byte in text[:PIECE]).split()]
    return sum(run for run in runs if run > 1) / max(1, sum(runs))
