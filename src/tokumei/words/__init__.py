"""What the library says, apart from the code that says it: statements are data, and a catalogue has a sentence for each."""

from tokumei.words.catalogue import LANGUAGES, Language, Words, spoken
from tokumei.words.statement import Names, Statement, Unknown, read_statement, said_by

__all__ = ["LANGUAGES", "Language", "Names", "Statement", "Unknown", "Words", "read_statement", "said_by", "spoken"]
