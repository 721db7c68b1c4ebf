"""What an article says, and what was recorded for its figures.

Every test of a claim first looks its words up in the article: a sentence cannot change or go without its test.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from labs.contract import unpack

CONTENT = Path(__file__).parents[2] / "content"


class Article:
    def __init__(self, file: str) -> None:
        self.text = (CONTENT / file).read_text("utf-8")
        plain = re.sub(r"</?(Term|Step|Set|Gloss|Cite)\b[^>]*>", "", self.text)
        plain = re.sub(r"<Value\b[^>]*>", "…", plain)
        plain = re.sub(r"\\of\{\w+\}\{([^{}]*)\}", r"\1", plain)
        self.plain = re.sub(r"\s+", " ", plain)

    def says(self, *sentences: str) -> None:
        """It does, whatever its line breaks and wherever its words lead; … stands for a measured number."""
        for sentence in sentences:
            assert sentence in self.plain, f"the article no longer says {sentence!r}: let this test follow it"


@lru_cache(maxsize=32)
def recorded(lab: str, name: str = "default") -> list[dict[str, Any]]:
    """The events of a recording, as a figure gets them."""
    return [unpack(event) for event in _log(lab, name)["events"][1:-1]]


def machine(lab: str, name: str = "default") -> str:
    """On which it was recorded, in words."""
    return str(_log(lab, name)["events"][0]["provenance"]["machine"])


def _log(lab: str, name: str) -> dict[str, Any]:
    log: dict[str, Any] = json.loads((CONTENT / f"recordings/{lab}/{name}.json").read_text("utf-8"))
    return log
