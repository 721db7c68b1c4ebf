"""The programs, as text that our compiler, PyTorch and NumPy all take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Name = Literal["gelu", "chain", "sum", "product", "window"]
GELU = (
    ("a", "x * x"),
    ("b", "a * x"),
    ("c", "b * 0.044715"),
    ("d", "x + c"),
    ("e", "d * 0.797885"),
    ("f", "tanh(e)"),
    ("g", "f + 1.0"),
    ("h", "x * 0.5"),
    ("y", "h * g"),
)
CHAIN = ("{} * y", "relu({})", "{} + 0.5", "{} * x", "abs({})", "{} - y")


@dataclass(frozen=True)
class Setting:
    """A program at one size."""

    name: Name
    length: int
    """Steps of a chain; multiply-adds for each number before a window"""
    numbers: int
    """In a tensor"""
    uses: int = 2
    """Of each number that the first step of a window makes"""

    @property
    def side(self) -> int:
        """Rows and columns of a product."""
        return math.isqrt(self.numbers)

    @property
    def inputs(self) -> dict[str, tuple[int, ...]]:
        match self.name:
            case "gelu":
                return {"x": (self.numbers,)}
            case "product":
                return {"x": (self.side, self.side), "w": (self.side, self.side), "b": (self.side,)}
            case "window":
                return {"x": (self.numbers + self.uses - 1,)}
        return {"x": (self.numbers,), "y": (self.numbers,)}

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """Each gives a name to what it computes."""
        match self.name:
            case "gelu":
                return GELU
            case "product":
                return ("t", "x @ w"), ("u", "t + b"), ("z", "relu(u)")
            case "window":
                made = "x"
                for _ in range(self.length):
                    made = f"({made}) * x + 0.5" if "+" in made else f"{made} * x + 0.5"
                parts = (f"t[{k}:{k + self.numbers}]" for k in range(self.uses))
                return ("t", made), ("z", " + ".join(parts))
        names = ["x", *(f"t{place + 1}" for place in range(self.length))]
        chain = [(names[place + 1], CHAIN[place % len(CHAIN)].format(names[place])) for place in range(self.length)]
        return (*chain, ("s", f"{names[-1]}.sum()")) if self.name == "sum" else tuple(chain)

    @property
    def text(self) -> str:
        """In the language of our compiler."""
        given = ", ".join(f"{name}: f32[{', '.join(map(str, shape))}]" for name, shape in self.inputs.items())
        return f"def f({given}):\n{self.body}"

    @property
    def python(self) -> str:
        """For PyTorch and NumPy: the same without types."""
        return f"def f({', '.join(self.inputs)}):\n{self.body}"

    @property
    def body(self) -> str:
        lines = [f"{name} = {code}" for name, code in self.steps]
        if self.name == "window":  # as a loop, which a reader of programs takes at any length
            lines[0] = f"t = x\n    for _ in range({self.length}):\n        t = t * x + 0.5"
        return "".join(f"    {line}\n" for line in [*lines, f"return {self.steps[-1][0]}"])

    @property
    def one_line(self) -> str:
        """All steps in one expression."""
        known: dict[str, str] = {}
        for name, code in self.steps:
            known[name] = "".join(f"({known[part]})" if part in known else part for part in words(code))
        return f"def f({', '.join(self.inputs)}):\n    return {known[self.steps[-1][0]]}\n"

    @property
    def shown(self) -> list[str]:
        """The steps, short enough to be read."""
        lines = [f"{name} = {code}" for name, code in self.steps]
        if self.name == "window":
            lines = [
                f"t = polynomial(x)  # {self.length} multiply-adds",
                "z = t[0:n]" + (" + t[1:n+1]" if self.uses > 1 else "") + (" + …" if self.uses > 2 else ""),
            ]
        return lines


def words(code: str) -> list[str]:
    """Names, and what stands between them."""
    found = [""]
    for sign in code:
        same = bool(found[-1]) and (found[-1][-1].isalnum() == sign.isalnum())
        found = [*found[:-1], found[-1] + sign] if same else [*found, sign]
    return found
