"""The machine against CPython: the same instructions in the same order, the same output, the same failures."""

from __future__ import annotations

import operator
import warnings

import pytest
from labs.bits.bytecode_vm import compute
from labs.bits.bytecode_vm.accept import compile_python
from labs.bits.bytecode_vm.examples import EXAMPLES
from labs.bits.bytecode_vm.machine import Machine
from labs.bits.bytecode_vm.show import show
from labs.bits.bytecode_vm.trouble import RefusedError

from .oracle import Writer, differ, stepped


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_takes_the_path_that_cpython_takes(name: str) -> None:
    assert not differ(EXAMPLES[name])


def test_made_up_programs_take_the_path_that_cpython_takes() -> None:
    """Traced instruction by instruction; few of them may be refused, and most must come far."""
    taken, steps = 0, 0
    with warnings.catch_warnings(action="ignore"):
        for seed in range(120):
            source = Writer(seed).program()
            try:
                assert not differ(source)
            except RefusedError:
                continue
            taken, steps = taken + 1, steps + len(stepped(source)[0])
    assert taken > 70 and steps > 5000


def test_the_oracle_hears_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compute.COMPARE, "<", operator.le)
    assert "CPython is at" in differ("def f(a):\n    if a < 1:\n        return 2\n    return 3\nf(1)")


REFUSED = {
    "10 ** 10 ** 8": "use a smaller exponent",
    "x = 3\nwhile True:\n    x = x * x": "more than 4,096 bits",
    "1 << 10 ** 9": "a shift by",
    "'ab' * 10 ** 9": "make fewer",
    "[0] * 10 ** 6": "make fewer",
    "a = []\nfor i in range(99):\n    a = [a, a]\nprint(a)": "items is refused",
    "a = []\na.append(a)\nprint(a)": "a value that holds itself",
    "a = {}\na[0] = [1, (2, a)]\nb = a == [a]": "a value that holds itself",
    "range(10 ** 9)": "a range of more than",
    "a = [1]\na.extend(enumerate(a))\nfor i in range(20):\n    a += a": "items is refused",
    "f'{1:>100000000}'": "the format >1",
    "f'{1:.{10 ** 6}}'": "the format .1",
    "'%99999999d' % 3": "write an f-string",
    "('x' * 900).replace('', 'y' * 900)": "a text of more than",
    "('x' * 9999).join(['a'] * 999)": "a text of more than",
    "round(5, -10 ** 9)": "at most 400 places",
    "def f(n):\n    return f(n + 1)\nf(0)": "make the recursion shallower",
    "while True:\n    print('x' * 99)": "print less",
    "().__class__": "only methods are",
    "'{a}'.format(1)": "in a format is not taken here",
    "'{:>99999}'.format(1)": "ask for a width",
    "'{:{}}'.format(1, 2)": "braces within the braces",
    "print({'a', 'b'})": "go through sorted",
    "for x in {'a', 'b'}:\n    print(x)": "go through sorted",
    "list({('a', 1)})": "go through sorted",
    "list(map(print, [1]))": "print is not called for each item",
    "a = [0] * 9999\nprint(set(a + [1]) | set(range(9999)))": "items is refused",
    "__import__('os')": "begin names with a letter",
    "open('x')": "open is not taken here",
    "eval('1')": "eval is not taken here",
    "getattr(1, 'x')": "getattr is not taken here",
    "import os": "line 1: import is not taken here",
    "x = 1\ny = "
    + "-" * 1900
    + "x": "line 2: this is nested too deeply",  # ends Pyodide, if it comes to its parser
    "x = " + "(" * 900 + "1" + ")" * 900: "line 1: this is nested too deeply",
    "class A: pass": "class is not taken here",
    "def f():\n    yield 1": "yield is not taken here",
    "@abs\ndef f(): pass": "decorators are not taken here",
    "def f(*a): pass": "name each parameter",
    "def f(a: int): pass": "leave the types out",
    "print(*[1])": "write out the arguments",
    "a = -8\na ** 0.5": "complex numbers",
    "sorted([1], cmp=abs)": "the argument cmp of sorted",
    "max([1], key=abs, default=3)": "the argument default of max",
    "lambda: b''": "bytes and complex",
    "(": "line 1: '(' was never closed",
    "": "there is no statement",
    "return 1": "outside function",
    "".join(" " * n + "while a:\n" for n in range(12)) + " " * 12 + "pass": "flatter",
    "-" * 200 + "1": "flatter",
    "try:\n  pass\nfinally:\n  try:\n    pass\n  finally:\n    pass": "try inside of finally",
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_too_much_is_refused_by_name_and_at_once(source: str) -> None:
    with pytest.raises(RefusedError, match=REFUSED[source].replace("(", r"\(").replace(".", r"\.")):
        for count, _ in enumerate(Machine(source).run()):
            assert count < 20_000


def test_exceptions_of_the_program_are_not_ours() -> None:
    assert stepped("[][0]")[2] == "IndexError: list index out of range"
    assert stepped("1 / 0")[2] == "ZeroDivisionError: division by zero"
    assert stepped("def f(a): pass\nf()")[2].startswith("TypeError")


def test_the_compiler_is_cpythons() -> None:
    code = compile_python("x = 2 * 3 + 1")
    assert 7 in code.co_consts


def doubled() -> list[object]:
    """Of 2^60 lists, if each is looked at wherever it stands."""
    made: list[object] = []
    for _ in range(60):
        made = [made, made]
    return made


def endless() -> list[object]:
    made: list[object] = []
    made.append(made)
    return made


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("x" * 99, "'" + "x" * 23 + "…'"),
        (list(range(9)), "[0, 1, 2, 3, 4, 5, …]"),
        (1 << 100, "≈2^100"),
        ((1,), "(1,)"),
        ([[[[1]]], {2: ({3: 4},)}], "[[[[…]]], {2: ({…},)}]"),
        ([[[[]]], ((((), 1),),)], "[[[[]]], (((…),),)]"),
        (doubled(), "[[[[…], […]], [[…], […]]], [[[…], […]], [[…], […]]]]"),
        (endless(), "[[[[…]]]]"),
    ],
)
def test_long_values_are_shown_short(value: object, words: str) -> None:
    assert show(value) == words
