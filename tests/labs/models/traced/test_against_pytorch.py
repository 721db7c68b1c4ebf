"""The same text runs here and in PyTorch: the same numbers, gradients, versions, shared bytes and refusals."""

from __future__ import annotations

import pytest
from labs.models.traced.examples import EXAMPLES

from .pytorch import same
from .writer import Writer

PROGRAMS = 600


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_does_in_pytorch_what_it_does_here(name: str) -> None:
    same(EXAMPLES[name])


@pytest.mark.parametrize("ten", range(PROGRAMS // 10))
def test_programs_written_at_random(ten: int) -> None:
    for seed in range(10 * ten, 10 * ten + 10):
        same(Writer(seed).program())
