"""From code to bytes: what is refused, or has no answer, says why."""

from typing import Any

import pytest
from labs.contract import LabError
from labs.models.c.library import LIBRARY
from native.bits.code_to_bytes import Params, answer, run
from native.bits.code_to_bytes.operators import BUILTIN
from native.bits.code_to_bytes.pictures import Run


def ran(source: str, **params: Any) -> Run:
    """The picture of its run."""
    (found,) = (event for event in run(Params(source=source, **params)) if isinstance(event, Run))
    return found


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("int f(int a) { return a +; }", "Line 1, column 26: expected a value"),
        ('int f(int a) { return printf("%d", a); }', "printf is of the C library"),
        ("int f(int a) {" + "a = a * a + 1;" * 400 + "return a; }", "instructions"),
    ],
)
def test_what_cannot_be_compiled_is_refused_with_a_reason(source: str, words: str) -> None:
    with pytest.raises(LabError, match=words):
        list(run(Params(source=source)))


@pytest.mark.parametrize("name", sorted(LIBRARY.keys() - BUILTIN.keys()))
def test_the_library_is_refused_with_what_to_do_instead(name: str) -> None:
    given = ", ".join("0" for _ in LIBRARY[name].parameters)
    with pytest.raises(LabError, match=rf"Line 1, column 16: {name} is of the C library, .*: \w+"):
        list(run(Params(source=f"int f(int a) {{ {name}({given}); return a; }}")))


def test_a_function_of_the_library_may_be_written_anew() -> None:
    source = "int abs(int a) { return a < 0 ? -a : a; } int f(int a) { return abs(a); }"
    assert ran(source, a=-7).answer == "7"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("int f(int a, int b, int c) { return a; }", "takes 3 arguments"),
        ("int f(int *p) { return *p; }", "takes a pointer"),
        ("int main(void) { return 0; }", "main is where"),
        ("struct s { int x; }; int f(struct s a) { return a.x; }", "takes or returns a struct"),
        ("struct s { int x; }; struct s f(int a) { struct s r = {a}; return r; }", "takes or returns a struct"),
        ("int f(int a) { return a / 0; }", "division"),
        ("int f(int a) { while (1) a = 1 - a; return a; }", "too long"),
        ("int f(int a) { return f(a + 1); }", "overflow"),
    ],
)
def test_what_has_no_answer_says_why(source: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "STEPS", 10_000)
    found = ran(source)
    assert words in found.fault
    assert not found.answer
