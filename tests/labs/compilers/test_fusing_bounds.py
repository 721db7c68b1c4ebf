"""No access of native code leaves its buffer: proven before, and looked after by AddressSanitizer."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import fusing_programs as programs
import pytest
from fusing_sanitized import sanitized
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.models.fusing.fuse import fuse
from labs.models.fusing.loops import (
    Area,
    Buffer,
    Index,
    Kernel,
    Load,
    Loop,
    Product,
    Program,
    Store,
)
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import read
from native.models.compiler.bounds import Prover, UnprovenError, proven
from native.models.compiler.machine import here, module
from native.models.compiler.phases import Machine

LOOPS = st.tuples(
    st.lists(st.integers(1, 5), min_size=2, max_size=2),
    st.integers(1, 4),
    st.lists(st.integers(-4, 4), min_size=4, max_size=4),
    st.integers(0, 9),
)


@settings(deadline=None, max_examples=200)
@given(LOOPS)
def test_the_greatest_place_is_the_greatest_of_all_turns(
    drawn: tuple[list[int], int, list[int], int],
) -> None:
    """Two loops cut out of one, of lengths of their own, and a loop beside them; counted turn by turn."""
    (first, second), size, steps, offset = drawn
    length = first * size + second - 1 or 1
    nest = [
        Loop("o", -(-length // size), ()),
        Loop("i", size, (), outer="o", limit=length),
        Loop("r", size, (), outer="o", limit=length),
        Loop("j", second, ()),
    ]
    index = Index(tuple(zip("oirj", steps, strict=True)), offset)
    turns = itertools.product(*(range(each.extent) for each in nest))
    places = [
        sum(step * turn for step, turn in zip(steps, at, strict=True)) + offset
        for at in turns
        if at[0] * size + max(at[1], at[2]) < length
    ]
    assert Prover(Kernel("k", (), ()), {}, nest).greatest(index) == max(places)


def copying(reads: Index, writes: Index, size: int) -> Program:
    """A kernel by hand: 21 numbers in blocks of 16."""
    store = Store("y", writes, Load("x", reads, "f32"))
    loop = Loop("o", 2, (Loop("i", 16, (store,), "vector", "o", 21),))
    buffers = (Buffer("x", "f32", size, "input"), Buffer("y", "f32", size, "output"))
    return Program(buffers, (Kernel("k", buffers, (loop,)),), {"x": (size,), "y": (size,)})


HERE = Index((("o", 16), ("i", 1)))


@pytest.mark.parametrize(
    ("reads", "writes", "words"),
    [
        (HERE._replace(offset=1), HERE, r"x\[21\] of 21"),
        (HERE, HERE._replace(offset=-1), r"y\[-1\] of 21"),
        (Index((("o", 17), ("i", 1))), HERE, r"x\[21\] of 21"),
        (HERE, Index((("o", 16), ("k", 1))), "no loop over k"),
    ],
)
def test_what_may_leave_its_buffer_is_not_compiled(reads: Index, writes: Index, words: str) -> None:
    module(copying(HERE, HERE, 21), here(1))
    with pytest.raises(UnprovenError, match=words):
        module(copying(reads, writes, 21), here(1))


def test_the_sides_of_a_product_have_to_fit() -> None:
    sizes = {"x": 30, "y": 35, "z": 42}
    buffers = tuple(Buffer(name, "f32", size, "input") for name, size in sizes.items())
    for short in (None, *sizes):
        given = tuple(
            each if each.name != short else Buffer(short, "f32", each.size - 1, "input") for each in buffers
        )
        areas = (Area("z", Index(), 7, 1), Area("x", Index(), 5, 1), Area("y", Index(), 7, 1))
        program = Program(given, (Kernel("k", given, (Product(*areas, 6, 7, 5),)),))
        if not short:
            proven(program)
            continue
        with pytest.raises(UnprovenError, match=f"{short}\\["):
            proven(program)


def attention(draw: random.Random) -> str:
    batch = draw.choice(("", "", "2, ", "3, "))
    queries, keys, deep, wide = (draw.randint(1, most) for most in (240, 400, 20, 40))
    shapes = f"q: f32[{batch}{queries}, {deep}], k: f32[{batch}{keys}, {deep}], v: f32[{batch}{keys}, {wide}]"
    return f"def f({shapes}):\n    return softmax(q @ k.transpose(-1, -2) * 0.3, -1) @ v\n"


def product(draw: random.Random) -> str:
    rows, deep, columns = draw.randint(1, 260), draw.randint(1, 300), draw.randint(1, 90)
    kind = draw.choice(("f32", "bf16", "i8"))
    return f"def f(x: {kind}[{rows}, {deep}], y: {kind}[{deep}, {columns}]):\n    return (x @ y).to(f32).exp()\n"


def slices(draw: random.Random) -> str:
    rows, columns, step = draw.randint(2, 70), draw.randint(3, 200), draw.randint(1, 3)
    form = draw.choice(
        (f"x[::{step}, 1:].exp()", f"x.T[1:, ::{step}] + 1", "x.sum(0) * 2", "softmax(x.T, -1)", "softmax(x, 0)")
    )
    return f"def f(x: {draw.choice(('f32', 'bf16', 'f64'))}[{rows}, {columns}]):\n    return {form}\n"


def test_a_sanitizer_finds_nothing_in_programs_drawn_at_random(tmp_path: Path) -> None:
    """Also where a loop is shared by threads, in narrow registers and around the caches."""
    draw = random.Random(11)
    texts = [attention(draw) for _ in range(4)] + [form(draw) for form in (product, slices) for _ in range(2)]
    texts += [programs.generate(seed) for seed in range(2)]
    given = []
    for number, text in enumerate(texts):
        machine = (here(1), Machine(16, False, 3, 0), Machine(32, False, 2, 0, cache=0))[number % 3]
        passes = Passes(width=machine.register)
        given.append((optimised(fuse(read(text).outputs, passes=passes).program, passes)[0], machine))
    found = sanitized(given, tmp_path)
    assert found.returncode == 0, found.stderr[-3000:]


def test_the_sanitizer_sees_what_leaves_its_buffer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("native.models.compiler.machine.proven", lambda program: program)
    found = sanitized([(copying(HERE._replace(offset=1), HERE, 21), here(1))], tmp_path)
    assert "heap-buffer-overflow" in found.stderr
