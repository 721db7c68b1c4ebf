"""Functions that depend on more than a tensor's numbers: what is written down of them may be too little.

They are real functions, not texts: TorchScript and Dynamo read them from this file, and so does the page.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch

CALLS: list[int] = []


def branch(x):  # type: ignore[no-untyped-def]
    if x.sum() > 0:
        return x
    return -2 * x


def dimensions(x):  # type: ignore[no-untyped-def]
    for _ in range(x.dim()):
        x = x.sin() + 1
    return x


def number(x):  # type: ignore[no-untyped-def]
    return x * int(x.max())


def halves(x):  # type: ignore[no-untyped-def]
    n = x.shape[0] // 2
    return x[:n] + x[n : 2 * n]


def rows(x):  # type: ignore[no-untyped-def]
    total = torch.zeros(x.shape[1:])
    for row in x:
        total = total + row
    return total


def counter(x):  # type: ignore[no-untyped-def]
    CALLS.append(1)
    return x * len(CALLS)


class Program(NamedTuple):
    function: Callable[[Any], Any]
    inputs: tuple[str, ...]
    """Tensors as `read` takes them; any can be the example that a function is written down with."""
    hangs: str
    """What its result depends on besides the numbers, as the end of a sentence."""


PROGRAMS = {
    "branch": Program(branch, ("-1 -2", "1 2", "3 -1", "0 0"), "the sign of a sum"),
    "dimensions": Program(dimensions, ("1 2; 3 4", "1 2", "1 2 | 3 4", "5"), "the number of dimensions"),
    "number": Program(number, ("1 2", "5 3", "-1 0", "2 2 1"), "a number taken out of the tensor"),
    "halves": Program(halves, ("1 2 3 4", "5 6 7 8", "1 2", "1 2 3 4 5 6"), "the length"),
    "rows": Program(rows, ("1 2; 3 4", "5 6; 7 8", "1 2; 3 4; 5 6", "1 2"), "the number of rows"),
    "counter": Program(counter, ("1 2", "1 2", "1 2", "3 4"), "how often it was called"),
}


def source(program: Program) -> str:
    text = textwrap.dedent(inspect.getsource(program.function))
    return text.replace("  # type: ignore[no-untyped-def]", "").rstrip()


@contextmanager
def watched(program: Program) -> Iterator[list[int]]:
    """How often Python comes to each line of the function meanwhile, its first line included."""
    code = program.function.__code__
    counts = [0] * len(source(program).splitlines())

    def follow(frame: Any, event: str, _: object) -> Any:
        if frame.f_code is not code:
            return None
        if event == "line":
            counts[frame.f_lineno - code.co_firstlineno] += 1
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        yield counts
    finally:
        sys.settrace(before)


def read(text: str) -> torch.Tensor:
    """``1 2`` is a row, ``1 2; 3 4`` two rows, ``1 2; 3 4 | 5 6; 7 8`` two matrices. Raises ``ValueError``, which
    says what to change."""
    matrices = [[list(map(_number, row.split())) for row in part.split(";")] for part in text.split("|")]
    _alike([len(rows) for rows in matrices], "matrix", "row")
    _alike([len(row) for rows in matrices for row in rows], "row", "number")
    found = torch.tensor(matrices)
    while found.dim() > 1 and found.shape[0] == 1:
        found = found[0]
    return found


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"“{word}” is no number; numbers look like -1.5, with spaces between them") from None


def _alike(lengths: list[int], what: str, parts: str) -> None:
    """As many parts in each: a tensor has no gaps."""
    for place, length in enumerate(lengths, 1):
        if length != lengths[0]:
            many = f"{length} {parts}{'s' * (length != 1)}"
            raise ValueError(f"{what} {place} has {many}, and {what} 1 has {lengths[0]}; make them alike")


def write(tensor: torch.Tensor) -> str:
    """As `read` takes it, with as many digits as are worth reading."""
    if tensor.numel() == 0:
        return "no numbers"
    if tensor.dim() == 0:
        return f"{tensor.item() + 0.0:.4g}"  # no -0
    if tensor.dim() == 3:
        return " | ".join(map(write, tensor))
    return ("; " if tensor.dim() == 2 else " ").join(map(write, tensor))
