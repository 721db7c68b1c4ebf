"""What is tried at each station, one thing after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from native.models.warned import quiet
from native.pytorch.add_an_operator import docs, inputs, torchs
from native.pytorch.add_an_operator.operator import Operator
from native.pytorch.add_an_operator.parts import REFERENCES
from native.pytorch.add_an_operator.pictures import Cell, Try


def schema(softcap: Operator) -> Iterator[Try]:
    x = inputs.numbers(3)
    for name, call in {
        "softcap(x)": lambda: softcap.call(x),
        "softcap(x, cap=2.5)": lambda: softcap.call(x, cap=2.5),
        "softcap()": lambda: softcap.call(),
    }.items():
        _, said = torchs.heard(call)
        # Without a kernel the call ends behind the schema, whose part it has passed.
        fits = not said or said.startswith("NotImplementedError")
        refused = name == "softcap()"
        yield Try(name, "works" if fits != refused else "fails", "" if fits else said, [])


def reference(softcap: Operator) -> Iterator[Try]:
    for dtype in (torch.float32, torch.float64):
        x = torch.tensor(inputs.EDGES, dtype=dtype)
        expected = [inputs.softcap(each) for each in inputs.EDGES]
        name = str(dtype).removeprefix("torch.")
        which = softcap.choices.reference
        if which == "missing":
            _, said = torchs.heard(softcap.call, x)
            yield Try(name, "fails" if said else "missing", said, [])
            continue
        got = REFERENCES[which](x, 30.0).tolist()
        yield compared(name, inputs.EDGES, got, expected, 2e-6 if dtype == torch.float32 else 1e-13, "{:.5g}")


def meta(softcap: Operator) -> Iterator[Try]:
    for name, x in {"3 × 5": rows(), "3 × 5, transposed": rows().mT}.items():
        real, _ = torchs.heard(softcap.call, x)
        with FakeTensorMode(allow_non_fake_inputs=True) as mode:
            fake, said = torchs.heard(softcap.call, mode.from_tensor(x))
        if fake is None:
            yield Try(name, "fails", said, [])
            continue
        pairs = zip(layout(fake), layout(x if real is None else real), strict=True)
        cells = [Cell("", one, other, one == other) for one, other in pairs]
        yield Try(name, verdict(cells), "", cells)
    module = Module(softcap)
    made, said = torchs.heard(torch.export.export, module, (rows(),))
    nodes = [] if made is None else torchs.nodes(made.graph)
    yield Try("export", "fails" if said else "works", said, [Cell("", each, each, True) for each in nodes])


def backward(softcap: Operator) -> Iterator[Try]:
    x = inputs.numbers(8).requires_grad_()
    said = ""
    with quiet() as warned:
        try:
            softcap.call(x).sum().backward()
        except Exception as wrong:
            said = torchs.first(f"{type(wrong).__name__}: {wrong}")
    said = torchs.first(str(warned[0].message)) if warned else said
    if x.grad is None:
        yield Try("backward", "fails", said, [])
    else:
        expected = [inputs.slope(each) for each in x.tolist()]
        yield compared("backward", x.tolist(), x.grad.tolist(), expected, 2e-6, "{:.3g}", said)
    _, said = torchs.heard(torchs.gradcheck, softcap.call)
    yield Try("gradcheck", "fails" if said else "works", said, [])


def kernel(softcap: Operator) -> Iterator[Try]:
    for name, make in inputs.LAYOUTS.items():
        x = make()
        y, said = torchs.heard(softcap.call, x)
        if y is None:
            yield Try(name, "fails", said, [])
            continue
        expected = [inputs.softcap(each) for each in x.flatten().tolist()]
        silent = softcap.choices.kernel != "missing"
        yield compared(name, x.flatten().tolist(), y.flatten().tolist(), expected, 2e-6, "{:.3g}", silent=silent)


def compiled(softcap: Operator) -> Iterator[Try]:
    x = inputs.both_signs()

    def program(each: Tensor) -> Tensor:
        return softcap(each) * 2

    eager, _ = torchs.heard(program, x)
    found, said = torchs.heard(torchs.compiled, program, softcap.rules, x)
    if found is None:
        yield Try("softcap(x) * 2", "fails", said, [])
        return
    result, nodes = found
    yield Try("graph", "works", "", [Cell("", each, each, True) for each in nodes])
    expected = result if eager is None else eager
    yield compared("softcap(x) * 2", x.tolist(), result.tolist(), expected.tolist(), 2e-6, "{:.3g}")


def documented(softcap: Operator) -> Iterator[Try]:
    for source, expected, got in docs.examples(softcap.doc, softcap):
        right = expected == got
        says = "" if right else "Failed example"
        yield Try(source, "works" if right else "fails", says, [Cell("", got, expected, right)])


STATIONS: dict[str, Callable[[Operator], Iterator[Try]]] = {
    "schema": schema,
    "reference": reference,
    "meta": meta,
    "backward": backward,
    "kernel": kernel,
    "compile": compiled,
    "docs": documented,
}


class Module(torch.nn.Module):
    """The strides matter to it: a view of a transposed result."""

    def __init__(self, softcap: Operator) -> None:
        super().__init__()
        self.softcap = softcap

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.softcap.call(x.mT).mT.view(15)
        return made


def rows() -> Tensor:
    return inputs.numbers(15).view(3, 5)


def compared(
    name: str,
    x: Sequence[float],
    got: Sequence[float],
    expected: Sequence[float],
    digits: float,
    form: str,
    says: str = "",
    silent: bool = False,
) -> Try:
    """``silent``: a NaN where a number is expected was never written."""
    cells = []
    for given, one, other in zip(x, got, expected, strict=True):
        right = inputs.alike(one, other, digits)
        unwritten = silent and one != one and other == other
        cells.append(Cell(f"{given:.3g}", "" if unwritten else form.format(one), form.format(other), right))
    return Try(name, verdict(cells), says, cells)


def verdict(cells: Sequence[Cell]) -> Any:
    return "works" if all(each.right for each in cells) else "differs"


def layout(tensor: Tensor) -> list[str]:
    return [
        " × ".join(map(str, tensor.shape)),
        "strides " + ", ".join(map(str, tensor.stride())),
        str(tensor.dtype),
    ]
