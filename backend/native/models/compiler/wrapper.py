"""The Python function around compiled kernels, written out for one program, as Inductor writes one.

A chain of three operations over 4,096 numbers takes 0.3 µs; loops over inputs and results that ask each time what
never changes took three times as long as that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Place = int
"""Of an address in the list that kernels get."""
Given = tuple[Place, str, Any, tuple[int, ...]]
"""Where its address goes, what the program calls it, its dtype and shape."""
Room = tuple[tuple[Place, ...], tuple[int, ...], tuple[int, ...], Any, int]
"""Where its address goes, shape, strides, dtype, bytes."""


def wrapper(
    inputs: Sequence[Given], results: Sequence[Room], rooms: Sequence[Room], large: int, **names: Any
) -> Callable[..., Any]:
    """Takes a tensor for each input and returns new ones: one, or a tuple of several.

    ``names`` are ``empty``, as Inductor's code calls it; ``wide``, which asks for large pages from ``large`` bytes
    on; ``wrong``, which says what is wrong with what was given; ``go`` and what it takes.
    """
    given = [f"x{n}" for n in range(len(inputs))]
    made = [f"r{n}" for n in range(len(results))]
    lines = [f"if len(given) != {len(inputs)}: wrong(given)"]
    lines += [f"({', '.join(given)},) = given"] if given else []
    for x, (place, _, dtype, shape) in zip(given, inputs, strict=True):
        names |= {f"{x}_dtype": dtype, f"{x}_shape": shape}
        lines += [
            f"if {x}.dtype is not {x}_dtype or {x}.shape != {x}_shape or not {x}.is_contiguous(): wrong(given)",
            f"addresses[{place}] = {x}.data_ptr()",
        ]
    for number, (places, shape, strides, dtype, size) in enumerate([*results, *rooms]):
        r = f"r{number}"  # rooms, too, live as long as the call
        names |= {f"{r}_like": (shape, strides, dtype)}
        to = "".join(f"addresses[{place}] = " for place in places)
        lines += [f"{r} = empty(*{r}_like)", f"{to}{r}.data_ptr()"]
        if size >= large:
            lines.append(f"wide({r}.data_ptr(), {size})")
    lines += [
        "go(phases, count, addresses, threads)",
        "return " + (made[0] if len(made) == 1 else f"({', '.join(made)},)"),
    ]
    exec("def call(*given):\n    " + "\n    ".join(lines), names)
    call: Callable[..., Any] = names["call"]
    return call
