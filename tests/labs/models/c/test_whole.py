"""Structs and unions handed over whole, pointers to functions, goto and qsort: as gcc's programs print it."""

from __future__ import annotations

from pathlib import Path

import gcc
import pytest
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.memory import Fault
from labs.models.c.trouble import CError

from .whole import Program

HEADERS = "#include <stdio.h>\n#include <stdlib.h>\n"


def ours(source: str) -> Machine:
    machine = Machine(compile_c(source, most=1 << 20))
    machine.run(1_000_000)
    return machine


@pytest.mark.parametrize("seed", range(6))
def test_programs_drawn_at_random_print_what_gccs_print(seed: int, tmp_path: Path) -> None:
    source = Program(seed).text()
    expected = gcc.run(source, tmp_path, "-fsanitize=address,undefined")
    assert expected.returncode == 0, expected.stderr.decode()
    assert bytes(ours(source).output).decode() == expected.stdout.decode(), source


FAULTS = {
    "int (*f)(int) = 0; return f(1);": ("wild", "a call through NULL"),
    "int (*f)(int) = (int (*)(int))&main; return f(1);": ("type", "main is int (void), and is called as int (int)"),
    "int x; void *p = &x; int (*f)(void) = p; return f();": ("wild", "where no function begins"),
    "struct s x = lost(1); return x.a;": ("uninitialised", "read of"),
    "union { int a; short b; } u; u.b = 1; return u.a;": ("uninitialised", "2 were never written"),
    "int i = 0; if (i) { back: ; int late; return late; late = 1; } goto back;": ("uninitialised", "late"),
    "int a[2] = {2, 1}; qsort(a, 3, sizeof *a, up); return 0;": ("out of bounds", "right behind the end of a"),
    "int a[2] = {2, 1}; qsort(a, 2, sizeof *a, forever); return 0;": ("too long", "does a loop never end"),
}


@pytest.mark.parametrize("body", FAULTS)
def test_what_is_not_defined_stops_the_program(body: str) -> None:
    functions = """struct s { int a; };
struct s lost(int give) { struct s x; return x; }
int up(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int forever(const void *a, const void *b) { for (;;) ; return 0; }
"""
    kind, words = FAULTS[body]
    with pytest.raises(Fault) as found:
        ours(f"{HEADERS}{functions}int main(void) {{ {body} }}")
    assert (found.value.kind, words in found.value.message) == (kind, True), found.value.message


REFUSED = {
    "goto end;": "there is no label end in this function; the labels are: none",
    "a: ; a: ;": "there are two labels a in this function",
    "struct s { int a; } x = {1}; return x(1);": "x is a struct s, and only functions are called",
    "union u { int a; } x; struct u y;": "u is a union; write union u",
    "double (*f)(double) = up;": "does not become a double (*)(double) by itself",
    "int (*f)(int) = abs;": "abs of the library has no address here; write a function that calls it",
    "struct s { int a; } x; x.b = 1;": "struct s has no member b; it has a",
    "make().a = 3;": "this is a value without a place of its own",
    "int (*f)(void) = main; f++;": "a pointer to int (void) does not say how large an item is",
    '_Static_assert(sizeof(int) == 8, "int is short");': "this does not hold: int is short",
    "union { int a; float b; } u = {1, 2};": "one item too many",
    'fopen("a", "r");': "this machine has no files; read with scanf",
    "char b[9]; gets(b);": "use fgets",
    "srand(time(0));": "srand takes any number",
    "up = 0;": "up is a function; call it with ( )",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_taken_is_refused_in_words(body: str) -> None:
    functions = "struct t { int a; }; struct t make(void) { return (struct t){1}; }\nint up(int a) { return a; }\n"
    with pytest.raises(CError) as found:
        compile_c(f"{HEADERS}{functions}int main(void) {{ {body} }}")
    assert REFUSED[body] in found.value.message
