"""Numbers in prose that look measured: with a unit of time, speed or share, or said as a ratio in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORDS = (
    "two three four five six seven eight nine ten twelve twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand"
).replace(" ", "|")
NUMBER = rf"(?:\d[\d,]*(?:\.\d+)?|(?:a )?(?:{WORDS}|dozen|dozens of))"
PART = "third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|fiftieth|hundredth|thousandth"
CANDIDATE = re.compile(
    rf"""(?<![\w.,−-])(?:
      \d[\d.,]*\s(?:ns|µs|ms|s)\b
    | {NUMBER}\s(?:seconds?|minutes?|milliseconds|nanoseconds|GFLOP/s|GB/s|MB/s|%|percent|dB|decibels?)\b
    | \d[\d.]*\spoints\b
    | \d[\d.,]*\s%
    | {NUMBER}\stimes\b
    | (?:twice|half)\sas\s(?:many|much|fast|long)\b
    | (?:a|one|two|three|four|nine)\s(?:{PART})s?(?=[.,;:?)]|\s(?:of|less|more|fewer|as|last)\b)
    | (?:one|two|three|four|nine)\sin\s(?:two|three|four|five|six|seven|eight|ten|twenty|\d+)\b
    | factor\sof\s(?:about\s)?{NUMBER}
    | (?:nearly|almost|about|more\sthan|less\sthan|over)\s(?:half|twice)\b
    | \w+fold\b
    )""",
    re.X | re.I,
)


def candidates(text: str) -> Iterator[re.Match[str]]:
    return CANDIDATE.finditer(text)


def covers(text: str, phrase: str) -> bool:
    """Whether a candidate stands in the phrase."""
    return len(uncovered(text, [phrase])) < len(uncovered(text, []))


def uncovered(text: str, phrases: list[str]) -> list[str]:
    """Candidates, with some words around them, that stand in none of the phrases."""
    spans = [found.span() for phrase in phrases for found in re.finditer(re.escape(phrase), text)]
    return [
        text[max(0, found.start() - 40) : found.end() + 40]
        for found in candidates(text)
        if not any(start <= found.start() and found.end() <= end for start, end in spans)
    ]
