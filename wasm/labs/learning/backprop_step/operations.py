"""What an expression can compute: each operation with its formula, its slopes in words, and how the tape does it.

In the words ``{a}`` and ``{b}`` stand for what goes in and ``{y}`` for what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from labs.models.tensor import choices
from labs.models.tensor import elementwise as on_tape
from labs.models.tensor.tensor import Tensor


@dataclass(frozen=True)
class Operation:
    sign: str
    """How it is called in a small box."""
    formula: str
    slopes: tuple[str, ...]
    """By how much the result grows with each input: the local derivatives."""
    compute: Callable[..., Tensor]


_relu = on_tape.unary(
    "Relu", lambda x: np.maximum(x, 0), lambda y: y.constant((y.array > 0) + 0 * y.array), of_result=True
)


def _function(name: str, slope: str, compute: Callable[..., Tensor]) -> Operation:
    return Operation(name, name + "({a})", (slope,), compute)


def _choice(name: str, sign: str, compute: Callable[..., Tensor]) -> Operation:
    one, other = (f"1 if {{{x}}} {sign} {{{y}}}, ½ if equal, else 0" for x, y in ("ab", "ba"))
    return Operation(name, name + "({a}, {b})", (one, other), compute)


OPERATIONS = {
    "add": Operation("+", "{a} + {b}", ("1", "1"), lambda a, b: a + b),
    "sub": Operation("−", "{a} − {b}", ("1", "−1"), lambda a, b: a - b),
    "mul": Operation("×", "{a} · {b}", ("{b}", "{a}"), lambda a, b: a * b),
    "div": Operation("÷", "{a} / {b}", ("1 / {b}", "−{a} / {b}²"), lambda a, b: a / b),
    "pow": Operation("**", "{a} ** {b}", ("{b} · {a} ** ({b} − 1)", "{y} · log({a})"), lambda a, b: a**b),
    "square": Operation("x²", "{a}²", ("2 · {a}",), lambda a: a**2),
    "neg": Operation("−", "−{a}", ("−1",), lambda a: -a),
    "tanh": _function("tanh", "1 − {y}²", on_tape.tanh),
    "sigmoid": _function("sigmoid", "{y} · (1 − {y})", on_tape.sigmoid),
    "relu": _function("relu", "1 if {a} > 0, else 0", _relu),
    "softplus": _function("softplus", "sigmoid({a})", on_tape.softplus),
    "exp": _function("exp", "{y}", on_tape.exp),
    "log": _function("log", "1 / {a}", on_tape.log),
    "sqrt": _function("sqrt", "1 / (2 · {y})", on_tape.sqrt),
    "sin": _function("sin", "cos({a})", on_tape.sin),
    "cos": _function("cos", "−sin({a})", on_tape.cos),
    "abs": _function("abs", "the sign of {a}", choices.absolute),
    "max": _choice("max", ">", lambda a, b: choices.Maximum()(a, b)),
    "min": _choice("min", "<", lambda a, b: choices.Minimum()(a, b)),
}
SIGNS = ("add", "sub", "mul", "div", "pow", "neg")
"""Those that are written as signs; the others are called."""
FUNCTIONS = {name: len(each.slopes) for name, each in OPERATIONS.items() if name not in SIGNS}
"""Those that are called by name, and with how many inputs."""


def numeral(number: float) -> str:
    """Four digits, with a true minus; ``inf`` and ``nan`` as they are."""
    words = "0" if number == 0 else f"{number:.4g}"
    return words.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e").replace("-", "−")
