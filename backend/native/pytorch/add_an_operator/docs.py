"""Docstrings of softcap, and what doctest says of their examples."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from typing import Any

import torch

from native.pytorch.add_an_operator.torchs import first

HEAD = """softcap(x, cap={cap}) -> Tensor

cap * tanh(x / cap): x where it is small, and never beyond cap.

>>> softcap(torch.tensor([1.0, 30.0, 3000.0]))
{first}
>>> softcap(torch.tensor([3.0]), cap=2.5)
tensor([2.0841])
"""
DOCS = {
    "right": HEAD.format(cap="30.0", first="tensor([ 0.9996, 22.8478, 30.0000])"),
    "stale": HEAD.format(cap="50.0", first="tensor([ 0.9999, 26.8525, 50.0000])"),
}


class Heard(doctest.DocTestRunner):
    """Keeps what each example gave instead of printing it: source, expected, got."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.found: list[tuple[str, str, str]] = []

    def report_start(self, out: Any, test: Any, example: Any) -> None: ...

    def report_success(self, out: Any, test: Any, example: Any, got: str) -> None:
        self._note(example, got)

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self._note(example, got)

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        self._note(example, first(f"{exc_info[0].__name__}: {exc_info[1]}"))

    def _note(self, example: Any, got: str) -> None:
        self.found.append((example.source.strip(), example.want.strip(), got.strip()))


def examples(doc: str, softcap: Callable[..., Any]) -> list[tuple[str, str, str]]:
    """Of each example its source, what the docs say, and what comes out."""
    names = {"torch": torch, "softcap": softcap}
    heard = Heard()
    heard.run(doctest.DocTestParser().get_doctest(doc, names, "softcap", None, 0), clear_globs=False)
    return heard.found
