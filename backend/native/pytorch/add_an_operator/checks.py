"""Tests of softcap, and eight operators with one mistake each that they should catch."""

from __future__ import annotations

from collections.abc import Callable

import torch

from native.pytorch.add_an_operator import docs, inputs, torchs
from native.pytorch.add_an_operator.operator import Choices, Operator
from native.pytorch.add_an_operator.pictures import Place

MUTANTS: tuple[tuple[Place, str], ...] = (
    ("schema", "int cap"),
    ("reference", "overflows"),
    ("meta", "contiguous"),
    ("backward", "times cap"),
    ("kernel", "no tail"),
    ("kernel", "no strides"),
    ("compile", "overflows"),
    ("docs", "stale"),
)


def mutant(station: str, choice: str) -> Operator:
    return Operator(Choices(**{station: choice}))


def plain(softcap: Operator) -> None:
    x = inputs.numbers(16)
    assert inputs.close(softcap(x), x), "16 numbers are not those of the formula"


def edges(softcap: Operator) -> None:
    for x in (inputs.LAYOUTS["eight edges"](), torch.tensor(inputs.EDGES, dtype=torch.float64)):
        assert inputs.close(softcap(x), x), f"{x.dtype} is wrong at the edges"


def layouts(softcap: Operator) -> None:
    for name, make in inputs.LAYOUTS.items():
        x = make()
        assert inputs.close(softcap(x), x), f"wrong with {name}"


def fraction(softcap: Operator) -> None:
    x = inputs.numbers(16)
    assert inputs.close(softcap(x, cap=2.5), x, 2.5), "a cap of 2.5 gives other numbers"


def gradients(softcap: Operator) -> None:
    torchs.gradcheck(softcap.call)


def opcheck(softcap: Operator) -> None:
    torchs.opcheck(softcap.call, inputs.numbers(16))


def opcheck_transposed(softcap: Operator) -> None:
    torchs.opcheck(softcap.call, inputs.LAYOUTS["8 × 2, transposed"]())


def compiled(softcap: Operator) -> None:
    x = inputs.both_signs()
    made, _ = torchs.compiled(lambda each: softcap(each), softcap.rules, x)
    assert inputs.close(made, x), "the compiled program gives other numbers"


def examples(softcap: Operator) -> None:
    found = docs.examples(softcap.doc, softcap)
    assert found, "there is no example"
    assert all(expected == got for _, expected, got in found), "an example prints something else"


Test = Callable[[Operator], None]
SUITES: dict[str, dict[str, Test]] = {
    "missing": {},
    "plain": {"16 plain numbers": plain},
    "built-in": {"gradcheck": gradients, "opcheck": opcheck},
    "ours": {
        "16 plain numbers": plain,
        "edges": edges,
        "layouts": layouts,
        "cap=2.5": fraction,
        "gradcheck": gradients,
        "opcheck, transposed": opcheck_transposed,
        "compiled": compiled,
        "doctest": examples,
    },
}
