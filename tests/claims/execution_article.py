"""The article content/bits/03-from-code-to-execution.mdx, and the labs and recordings that it is asked of.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from article import Article
from labs.bits import bytecode_vm as vm
from labs.bits import register_allocation as registers

ROOT = Path(__file__).parents[2]
ARTICLE = Article("bits/03-from-code-to-execution.mdx")
says = ARTICLE.says


@lru_cache(maxsize=64)
def allocated(name: str = "a loop of five", **params: Any) -> registers.Picture:
    *_, last = registers.run(registers.Params(source=registers.EXAMPLES[name], **params))
    return last


@lru_cache(maxsize=32)
def stepped(name: str) -> list[vm.Step]:
    return list(vm.run(vm.Params(source=vm.EXAMPLES[name])))
