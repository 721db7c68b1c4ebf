"""The program of many introductions, with the function that it calls above its loop or below it, and what Python
says of the second."""

from __future__ import annotations

import sys
from dataclasses import dataclass

DATA = """\
import numpy as np

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
y = np.array([[0], [1], [1], [0]])
np.random.seed(0)
W1, b1 = np.random.randn(2, 2), np.zeros((1, 2))
W2, b2 = np.random.randn(2, 1), np.zeros((1, 1))
"""
LOOP = """
for epoch in range(5000):
    a1 = sigmoid(X @ W1 + b1)
    a2 = sigmoid(a1 @ W2 + b2)
    loss = np.mean((a2 - y) ** 2)
    d2 = a2 - y
    d1 = d2 @ W2.T * a1 * (1 - a1)
    W2 -= 0.1 * a1.T @ d2
    b2 -= 0.1 * np.mean(d2, axis=0)
    W1 -= 0.1 * X.T @ d1
    b1 -= 0.1 * np.mean(d1, axis=0)
"""
FUNCTION = """
def sigmoid(z):
    return 1 / (1 + np.exp(-z))
"""
AS_LISTED = DATA + LOOP + FUNCTION
FIXED = DATA + FUNCTION + LOOP
FILE = "xor.py"


@dataclass(frozen=True)
class Trace:
    """Where a program stopped, and what Python prints then."""

    line: int
    text: str


def stopped(program: str) -> Trace | None:
    """Execute one of the programs above; None if it comes to its end."""
    try:
        exec(compile(program, FILE, "exec"), {})
    except NameError as error:
        frame = sys.exc_info()[2]
        while frame is not None and frame.tb_frame.f_code.co_filename != FILE:
            frame = frame.tb_next
        line = frame.tb_lineno if frame else 0
        source = program.split("\n")[line - 1].strip()
        return Trace(
            line,
            f'Traceback (most recent call last):\n  File "{FILE}", line {line}, in <module>\n    {source}\n'
            f"NameError: {error}",
        )
    return None
