"""The pictures of the lab, and what it refuses."""

from __future__ import annotations

import pytest
from labs.bits.register_allocation import BEHIND, EXAMPLES, READ, SET, Params, Picture, run
from labs.contract import LabError


def pictures(**params: object) -> list[Picture]:
    return list(run(Params(**params)))  # type: ignore[arg-type]


@pytest.mark.parametrize("registers", [2, 4, 8])
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "three loops"])
def test_every_example_ends_with_the_right_result(name: str, registers: int) -> None:
    shown = pictures(source=EXAMPLES[name], registers=registers)
    assert shown[-1].stage == "done" and shown[-1].result == shown[-1].expected
    for picture in shown:
        register = {node.name: node.register for node in picture.nodes}
        for a, b in picture.edges:
            one, other = register[picture.names[a]], register[picture.names[b]]
            assert one < 0 or one != other
        assert all(node.register < registers for node in picture.nodes)


def test_marks_say_where_a_name_is_set_read_and_alive() -> None:
    shown = next(picture for picture in pictures() if picture.stage == "graph")
    for text, row in zip(shown.lines, shown.marks, strict=True):
        words = text.replace("(", " ").replace(")", " ").split()
        for name, mark in zip(shown.columns, row, strict=True):
            assert bool(mark & SET) == (words[0] == name and words[1] == "=")
            assert bool(mark & READ) == (name in words[1 if "=" in words else 0 :])
    alive = (shown.marks & BEHIND).sum(axis=1) // BEHIND
    assert alive.max() == 7  # a, b, n, x, y, i and what is computed


def test_more_registers_never_touch_more_memory_here() -> None:
    touched = [pictures(registers=k)[-1].memory or 0 for k in range(2, 9)]
    assert touched == sorted(touched, reverse=True) and touched[-1] == 0 < touched[0]


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("int f(int *p) { return *p; }", "int . is not taken here"),
        ("int f(int n) { return f(n); }", "this needs a call"),
        ("int f(double x) { return x; }", "double is not taken here"),
        ("int f(int n) { int x; return x + n; }", "may be read here before it has a value"),
        ("int f(int n) { return n }", r"^Line 1, column \d+: "),
        ("int f(int n) { return n; } int g(int n) { return n; }", "Write one function"),
        ("int x;", "Write one function"),
    ],
)
def test_what_is_not_taken_is_refused_by_name(source: str, says: str) -> None:
    with pytest.raises(LabError, match=says):
        pictures(source=source)


def test_too_few_arguments_are_asked_for() -> None:
    with pytest.raises(LabError, match="mix takes 3 whole numbers"):
        pictures(arguments="3 5")
