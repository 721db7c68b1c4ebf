"""What readers type: read as Python would read it, or refused with the place and what to change."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from labs.learning.backprop_step.examples import EXAMPLES
from labs.learning.backprop_step.grammar import ExpressionError, Graph, read
from labs.learning.backprop_step.operations import FUNCTIONS
from typed_expressions import expression

MEANS: dict[str, Any] = {
    "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "relu": lambda x: max(x, 0.0),
    "softplus": lambda x: math.log1p(math.exp(x)),
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "abs": abs,
    "square": lambda x: x * x,
    "max": max,
    "min": min,
}
PLAIN: dict[str, Any] = MEANS | {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "neg": lambda a: -a,
}


def value(graph: Graph, number: int, inputs: dict[str, float]) -> float:
    node = graph.nodes[number]
    if not node.operation:
        return inputs.get(node.name, node.start)
    given = [value(graph, each, inputs) if isinstance(each, int) else each for each in node.arguments]
    return float(PLAIN[node.operation](*given))


def test_expressions_mean_what_they_mean_in_python() -> None:
    compared = 0
    inputs = {"a": 0.7, "b": 1.3, "c": 2.1}
    for seed in range(1000):
        text = expression(random.Random(seed), list(inputs), 3)
        try:
            wanted = eval(text, {"__builtins__": {}}, MEANS | inputs)
        except (ArithmeticError, TypeError, ValueError):  # Python goes on with complex numbers
            continue
        if isinstance(wanted, complex) or not set(text) & set(inputs):
            continue
        try:
            graph = read(text)
        except ExpressionError as error:
            assert "no input" in str(error)  # a, b and c may be parts of the names of functions alone
            continue
        assert value(graph, graph.result, inputs) == pytest.approx(wanted, rel=1e-12, nan_ok=True), text
        compared += 1
    assert compared > 700


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("-x**2", -9),
        ("x**-2", 1 / 9),
        ("2**x**2", 512),
        ("x - 1 - 1", 1),
        ("12/x/2", 2),
        ("-(-x)", 3),
        ("--x", 3),
        ("x**2*2", 18),
        ("3*-x", -9),
        (".5*x + 1e1", 11.5),
        ("x × 2 − 1 · 1", 5),
        ("max(x, 2*x) - min(x, 1)", 5),
    ],
)
def test_signs_bind_as_in_python(text: str, means: float) -> None:
    graph = read(f"x = 3\n{text}")
    assert value(graph, graph.result, {}) == pytest.approx(means)


def test_a_line_of_numbers_is_an_input_and_so_is_a_name_without_a_line() -> None:
    graph = read("x = 2*3 - 1  # five\n\nh = x*w\nh + 1")
    assert {name: graph.nodes[number].start for name, number in graph.inputs.items()} == {"x": 5.0, "w": 1.0}
    assert [node.name for node in graph.nodes] == ["x", "w", "h", "v₄"]
    assert graph.edges == [(0, 2), (1, 2), (2, 3)]


def test_another_name_for_a_node_is_no_node() -> None:
    graph = read("x = 2\ny = x\ny*x")
    assert [node.name for node in graph.nodes] == ["x", "v₂"] and graph.edges == [(0, 1), (0, 1)]


def test_every_function_can_be_called() -> None:
    for name, inputs in FUNCTIONS.items():
        assert read(f"{name}({', '.join('xy'[:inputs])})").nodes[-1].operation == name


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_read_and_fits(name: str) -> None:
    assert 7 <= len(read(EXAMPLES[name]).nodes) <= 30


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", r"^Write an expression"),
        ("# nothing", r"^Write an expression"),
        ("3 + 4", r"^Line 1, column 1: there is no input"),
        ("x = 2 3", r"^Line 1, column 7: an operator is missing between 2 and 3"),
        ("x = 1\ny = 2x", r"^Line 2, column 6: .* write 2\*x"),
        ("(x", r"^Line 1, column 3: a bracket is not closed"),
        ("tanh(x", r"^Line 1, column 7: a bracket is not closed"),
        ("x)", r"^Line 1, column 2: this bracket closes nothing"),
        ("x^2", r"^Line 1, column 2: for a power write \*\*"),
        ("x[0]", r"round brackets"),
        ("x ? 1", r"^Line 1, column 3: '\?' means nothing"),
        ("f(x)", r"there is no function f; there are square, tanh"),
        ("2 + sin", r"^Line 1, column 5: sin is a function; write sin\(…\)"),
        ("sin = 2", r"use another name"),
        ("max(x)", r"max takes two values with a comma between, and here are 1"),
        ("exp(x, y)", r"exp takes one value, and here are 2"),
        ("x = 1\nx = 2\nx", r"^Line 2, column 1: x already has a value, from line 1"),
        ("y = x\nx = 2\ny", r"^Line 2, column 1: x was used above"),
        ("x + 1\nx", r"^Line 1, column 1: this value is not used"),
        ("x*(1/0)", r"no finite result"),
        ("1e999*x", r"^Line 1, column 1: 1e999 is too large"),
        ("x +", r"^Line 1, column 4: the line ends where"),
        ("x + * 2", r"^Line 1, column 5: \* stands where"),
        ("a = b = c", r"^Line 1, column 7: only a name may stand before ="),
        ("x, y", r"^Line 1, column 2: , cannot stand here"),
        ("(" * 1000, r"nested more than 40 levels deep"),
        ("-" * 1000 + "x", r"nested more than 40 levels deep"),
        ("x" + "**x" * 300, r"nested more than 40 levels deep"),
    ],
)
def test_what_cannot_be_read_is_refused_with_advice(text: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        read(text)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "x.real", "lambda x: x", "x if x else y", "'a'", "x = [1]", "x; y"]
)
def test_nothing_else_of_python_is_read(text: str) -> None:
    with pytest.raises(ExpressionError):
        read(text)
