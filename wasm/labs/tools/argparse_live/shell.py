"""A line becomes tokens, as a shell would do it: by Python's shlex, which is asked where each token ends."""

from __future__ import annotations

import io
import shlex
from dataclasses import dataclass

from labs.contract import LabError

MOST = 20


@dataclass(frozen=True)
class Word:
    text: str
    start: int
    """Its first character in the line."""
    end: int


def words(line: str) -> list[Word]:
    """The tokens of a line. Raises ``LabError`` where a quote stays open, and beyond ``MOST`` tokens."""
    stream = io.StringIO(line)
    reader = shlex.shlex(stream, posix=True)
    reader.whitespace_split, reader.commenters = True, ""
    found: list[Word] = []
    end = 0
    while True:
        try:
            token = reader.get_token()
        except ValueError as error:
            cure = "close the quote" if "quot" in str(error) else "write a character after the last backslash"
            raise LabError(f"The command line ends too early ({error}): {cure}.") from None
        if token is None:
            return found
        start = end + len(line[end:]) - len(line[end:].lstrip(reader.whitespace))
        # It has read the blank behind a token, if there is one.
        end = stream.tell() - (reader.state == " ")  # type: ignore[attr-defined]
        found.append(Word(token, start, end))
        if len(found) > MOST:
            raise LabError(f"This command line has too many tokens; leave out all but {MOST}.")
