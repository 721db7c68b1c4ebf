"""The article content/bits/03-from-code-to-execution.mdx, and the labs and recordings that it is asked of.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from labs.bits import bytecode_vm as vm
from labs.bits import register_allocation as registers
from labs.contract import unpack

ROOT = Path(__file__).parents[2]
ARTICLE = (ROOT / "content/bits/03-from-code-to-execution.mdx").read_text("utf-8")


def says(*sentences: str) -> None:
    """The article says so, whatever its line breaks and wherever its words lead."""
    plain = re.sub(r"</?(Term|Step|Set|Gloss)\b[^>]*>", "", ARTICLE)
    flat = re.sub(r"\s+", " ", plain)
    for sentence in sentences:
        assert sentence in flat, f"the article no longer says {sentence!r}: let this test follow it"


@lru_cache(maxsize=64)
def allocated(name: str = "a loop of five", **params: Any) -> registers.Picture:
    *_, last = registers.run(registers.Params(source=registers.EXAMPLES[name], **params))
    return last


@lru_cache(maxsize=32)
def stepped(name: str) -> list[vm.Step]:
    return list(vm.run(vm.Params(source=vm.EXAMPLES[name])))


@lru_cache(maxsize=8)
def recorded(lab: str, name: str = "default") -> list[dict[str, Any]]:
    log = json.loads((ROOT / f"content/recordings/{lab}/{name}.json").read_text("utf-8"))
    events = [unpack(event) for event in log["events"][1:-1]]
    return events
