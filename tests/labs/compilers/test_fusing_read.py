"""A program's text means what PyTorch makes of the same text, and what is not taken is refused with its place."""

from __future__ import annotations

import random
import re

import fusing_programs as programs
import numpy as np
import pytest
import torch
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing import ops
from labs.models.fusing.evaluate import evaluate, rounded
from labs.models.fusing.graph import walk
from labs.models.fusing.read import read
from labs.models.programs.trouble import ProgramError


def agrees(source: str, seed: int = 0) -> None:
    graph = read(source)
    inputs = programs.numbers(graph.inputs, seed)
    wanted = programs.in_torch(source, {name: torch.from_numpy(value) for name, value in inputs.items()})
    found = evaluate(graph.outputs, inputs)
    assert len(found) == len(wanted)
    for mine, theirs, node in zip(found, wanted, graph.outputs, strict=True):
        assert mine.shape == tuple(theirs.shape) == node.shape
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", PROGRAMS)
def test_gallery(name: str) -> None:
    agrees(programs.small(PROGRAMS[name]))


def test_generated_programs() -> None:
    for seed in range(400):
        source = programs.generate(seed)
        try:
            agrees(source, seed)
        except AssertionError as wrong:
            raise AssertionError(source) from wrong


@pytest.mark.parametrize(
    "line",
    [
        "x[0] * x[-1]",
        "x[1:, ::2]",
        "x[..., None] + x[:, None]",
        "x[0, 1] + x",
        "x @ x[0]",
        "x[0] @ x.T",
        "x[0] @ x[1]",
        "x.std(0) + x.var()",
        "x.reshape(-1)",
        "x.reshape((4, 3)).permute(1, 0)",
        "x.unsqueeze(1).expand(3, 5, 4).squeeze()",
        "(x > 0) & ~(x > 1)",
        "(x < 0) | (x >= 1)",
        "(x == x).sum()",
        "(x > 0).sum() + (x > 1).sum(-1)",
        "round(x * 3).to(i32) / 2",
        "(x * 3).to(i32) * 2",
        "(x * 3).to(i32) ** 2",
        "x // 0.5",
        "x.prod(0).amin()",
        "x.softmax(0) + x.logsumexp(1, keepdim=True)",
    ],
)
def test_single_lines(line: str) -> None:
    agrees(f"def f(x: f32[3, 4]):\n    return {line}\n")


def test_types_meet_as_in_pytorch() -> None:
    torches = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "i32": torch.int32}
    torches |= {"i64": torch.int64, "i8": torch.int8, "bool": torch.bool}
    names = {value: name for name, value in torches.items()}
    for left in torches:
        for right in torches:
            for sign in "+*/":
                graph = read(f"def f(x: {left}[2], y: {right}[2]):\n    return x {sign} y\n")
                x, y = torch.ones(2, dtype=torches[left]), torch.ones(2, dtype=torches[right])
                wanted = {"+": x + y, "*": x * y, "/": x / y}[sign].dtype
                if left == right == "bool" and sign != "/":
                    continue  # PyTorch computes "or" and "and"; here conditions are counted
                assert graph.outputs[0].dtype == names[wanted], (left, sign, right)
        for number in ("2", "0.5"):
            graph = read(f"def f(x: {left}[2]):\n    return x * {number}\n")
            wanted = (torch.ones(2, dtype=torches[left]) * float(number if "." in number else 2)).dtype
            if number == "2":
                wanted = (torch.ones(2, dtype=torches[left]) * 2).dtype
            assert graph.outputs[0].dtype == names[wanted], (left, number)


def test_bf16_is_rounded_as_in_pytorch() -> None:
    bits = np.random.default_rng(0).integers(0, 2**32, 100_000, dtype=np.uint32)
    values = bits.view(np.float32)
    wanted = torch.from_numpy(values).to(torch.bfloat16).to(torch.float32).numpy()
    np.testing.assert_array_equal(rounded(values), wanted)


def test_casts_to_whole_numbers_stay_in_range() -> None:
    x = ops.input("x", [6])
    values = np.array([300, -300, 1.9, -1.9, np.nan, np.inf])
    assert evaluate([ops.cast(x, "i8")], {"x": values})[0].tolist() == [127, -128, 1, -1, 0, 127]


def test_nodes_keep_their_line_and_name() -> None:
    graph = read(PROGRAMS["softmax"])
    lines = {node.op: node.line for node in walk(graph.outputs)}
    assert lines == {"input": 1, "amax": 2, "broadcast": 3, "sub": 2, "exp": 2, "sum": 3, "div": 3}
    assert [name for node, name in graph.called.items() if node.op == "exp"] == ["e"]


REFUSED = {
    "def f(x: f32[4]):\n    return x + y": "line 2, column 16: y has no value",
    "def f(x):\n    return x": "line 1, column 7: give x a type and a shape",
    "x = 3": "there is no function",
    "def f(x: f16[4]):\n    return x": "line 1, column 10: this is no type",
    "def f(x: f32[4, 5]):\n    return x @ x": "line 2, column 12: .* transpose one",
    "def f(x: f32[4], y: f32[5]):\n    return x + y": "line 2, column 12: add of",
    "def f(x: f32[4]):\n    return x.sum(2)": "axis 2",
    "def f(x: f32[4]):\n    x[0] = 1\n    return x": "line 2, column 5: tensors are not changed",
    "def f(x: f32[4]):\n    if x > 0:\n        return x": "where",
    "def f(x: f32[4]):\n    while 1:\n        pass": "line 2, column 5: while",
    "def f(x: f32[4]):\n    return x.foo()": "foo is no function",
    "def f(x: f32[4]):\n    return x.exp": r"is called, with its arguments in \( \)",
    "def f(x: f32[4]):\n    x + 1": "computed and not used",
    "def f(x: f32[4]):\n    y = x": "has to return a tensor",
    "def f(x: f32[4]):\n    return 3": "has to return a tensor",
    "def f(x: f32[99999, 99999]):\n    return x": "more than 2",
    "def f(x: f32[0]):\n    return x": "length of 1 or more",
    "def f(x: f32[9999, 1], y: f32[1, 99999]):\n    return x * y": "more than 2",
    "def f(x: f32[4]):\n    for _ in range(10 ** 9):\n        x = x + 1\n    return x": "more than 400",
    "def f(x: f32[4]):\n    return f(x)": "5 deep",
    "def f(x: f32[4]):\n    return 9 ** 9 ** 9": "written? out|large",
    "def f(x: f32[4]):\n    return x.softmax(dim='a')": "takes a whole number as dim",
    "def f(x: f32[4]):\n    return __import__('os')": "no function here",
    "def f(x: f32[4]):\n    return x.__class__": "is not taken here",
    "def f(x: f32[4]):\n    return [y for y in x]": "comprehension",
    "def f(x: f32[4]):\n    return " + "(" * 70 + "x" + ")" * 70: "nested too deeply",
    "def f(x: f32[4]):\n    return x +": "line 2",
    "": "there is no statement",
    "def f(x: f32[4]):\n    return x[4]": "index 4 of axis 0",
    "def f(x: f32[4]):\n    return x[2:2]": "no elements",
    "def f(x: f32[4]):\n    return x[::-1]": "forwards",
    "def f(x: i8[4]):\n    return x * 1000": "does not fit into i8",
    "def f(x: f32[4]):\n    return x & x": "conditions",
    "def f(x: f32[4]):\n    return where(x, x, x)": "condition first",
    "def f(x: f32[4], y: i32[4]):\n    return x.reshape(2, 2) @ y.reshape(2, 2)": "both must be floats",
    "def f(x: f32[4]):\n    return x / 0 * (1 / 0)": "division by zero",
    "for i in range(3):\n    return i": "line 2, column 5: return stands inside of a function",
    "def f(x: f32[4], x: f32[4, 4]):\n    return x.sum()": "two parameters have one name",
    "def f(x: f32[4]):\n    for _ in range(300):\n        y = exp(exp(exp(x)))\n    return x": "more than 800",
    "def g(a):\n    return a\ndef f(x: f32[4]):\n    return g(x, x)": "takes 1 argument, without names",
}


@pytest.mark.parametrize("source", REFUSED)
def test_refused_with_its_place(source: str) -> None:
    with pytest.raises(ProgramError, match=REFUSED[source]):
        read(source)


def test_whatever_is_typed_is_a_graph_or_advice() -> None:
    """Words of the gallery's programs, mixed up."""
    pieces = re.compile(r"\w+|[^\w\s]|\s+")
    words = sorted({word for text in PROGRAMS.values() for word in pieces.findall(text)})
    words += ["0", "-1", "1e400", "None", "True", "...", "~", "not ", "[::2]", "range(3)", "'a'", "**", ".to(i8)"]
    draw = random.Random(0)
    taken = 0
    for _ in range(4000):
        text = pieces.findall(draw.choice(list(PROGRAMS.values())))
        for _ in range(draw.randint(1, 2)):
            place = draw.randrange(len(text))
            text[place : place + draw.randint(0, 1)] = draw.choice([[], [draw.choice(words)]])
        try:
            read("".join(text))
            taken += 1
        except ProgramError as wrong:
            assert str(wrong)
    assert taken > 100
