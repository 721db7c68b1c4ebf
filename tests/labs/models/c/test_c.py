"""The C subset against gcc: what programs print, and what the sanitizers stop them for."""

import math
import random
import re
import subprocess
from pathlib import Path

import gcc
import pytest
from extent import chosen
from labs.bits.memory_machine.leaks import leaked
from labs.models.c import types
from labs.models.c.constants import CONSTANTS, STREAMS
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.memory import Fault
from labs.models.c.trouble import CError

from .programs import unit

HEADERS = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"


def ours(source: str) -> Machine:
    machine = Machine(compile_c(source, most=1 << 20))
    machine.run(10_000_000)
    return machine


@pytest.mark.parametrize("first", chosen(range(0, 200, 20), (0, 60, 160)))
def test_generated_programs_print_the_same(first: int, tmp_path: Path) -> None:
    source = unit(range(first, first + 20))
    expected = gcc.run(source, tmp_path)
    machine = ours(source)
    assert machine.exit == expected.returncode == 0
    assert bytes(machine.output).split(b"\n--") == expected.stdout.split(b"\n--")


FAULTS = {
    "int a[3]; a[3] = 1;": ("out of bounds", "index 3 out of bounds"),
    "int a[4] = {0}; int n = -1; return a[n];": ("out of bounds", "index -1 out of bounds"),
    "int *p = malloc(8); p[2] = 1;": ("out of bounds", "heap-buffer-overflow"),
    "char b[3]; strcpy(b, \"abc\");": ("out of bounds", "stack-buffer-overflow"),
    "char *b = malloc(3); memset(b, 0, 4);": ("out of bounds", "heap-buffer-overflow"),
    "int *p = malloc(4); free(p); *p = 1;": ("use after free", "heap-use-after-free"),
    "int *p = malloc(4); *p = 1; free(p); return *p;": ("use after free", "heap-use-after-free"),
    "char *p = malloc(4); char *q = p; p = realloc(p, 4000); q[0] = 1;": ("use after free", "heap-use-after-free"),
    "int *p = malloc(4); free(p); free(p);": ("double free", "double-free"),
    "int x; free(&x);": ("bad free", "attempting free on address which was not malloc"),
    "int *p = malloc(8); free(p + 1);": ("bad free", "attempting free on address which was not malloc"),
    "int *p; { int y = 1; p = &y; } return *p;": ("use after end", "stack-use-after-scope"),
    "int *p = 0; *p = 1;": ("null", "null pointer"),
    "char *s = \"a\"; s[0] = 'b';": ("constant", "SEGV"),
    "int x = 2147483647; x++;": ("signed overflow", "signed integer overflow"),
    "int x = -2147483647 - 1; x = -x;": ("signed overflow", "negation of -2147483648"),
    "long x = 9223372036854775807; x *= 2;": ("signed overflow", "signed integer overflow"),
    "int x = 0; x = 1 / x;": ("division", "division by zero"),
    "int x = 32; x = 1 << x;": ("shift", "shift exponent 32 is too large"),
    "int x = -1; x = 1 >> x;": ("shift", "shift exponent -1 is negative"),
    "int x = -3; x = x << 2;": ("shift", "left shift of negative value -3"),
    "int m[2][3] = {{0}}; int n = 3; return m[0][n];": ("out of bounds", "index 3 out of bounds"),
    "int m[2][3] = {{0}}; int n = -1; return m[1][n];": ("out of bounds", "index -1 out of bounds"),
    "int m[3][2][2] = {{{0}}}; int n = 2; return m[1][n][0];": (
        "out of bounds", "index 2 out of bounds"),
    "struct { int a[2]; int b; } s = {{1, 2}, 3}; int n = 2; return s.a[n];": (
        "out of bounds", "index 2 out of bounds"),
    "char b[8] = \"\"; int *p = (int *)(b + 1); return *p;": ("misaligned", "load of misaligned address"),
    "char b[16] = \"\"; long *p = (long *)(b + 4); *p = 1;": ("misaligned", "store to misaligned address"),
    "_Bool b; memset(&b, 7, 1); return b;": ("bool", "load of value 7, which is not a valid value for type"),
    "static const int x = 1; int *p = (int *)&x; *p = 2;": ("constant", "SEGV"),
    "char b[4]; memcpy(b, b + 1, 3);": ("overlap", "memcpy-param-overlap"),
}  # fmt: skip


def lines(body: str) -> str:
    if FAULTS[body][0] == "overlap":
        body = body.replace("char b[4];", 'char b[4] = "abc";')
    return "\n".join(f"  {part.strip()};" for part in re.split(r";(?![^{]*\})", body)[:-1])


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One program with a function for each fault, of which its argument says the number; each counts its lines as
    the program does that has nothing else."""
    start = HEADERS.count("\n") + 1
    each = (f"int f{n}(void) {{\n{lines(body)}\n  return 0;\n}}\n" for n, body in enumerate(FAULTS))
    functions = "".join(f'#line {start} "program.c"\n{function}' for function in each)
    calls = "".join(f"case {n}: return f{n}();\n" for n in range(len(FAULTS)))
    main = f"int main(int argc, char **argv) {{ switch (atoi(argv[1])) {{\n{calls}}} return 0; }}\n"
    flags = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    return gcc.build(HEADERS + functions + main, tmp_path_factory.mktemp("sanitized"), *flags)


@pytest.mark.parametrize("body", FAULTS)
def test_what_a_sanitizer_stops_we_stop_at_the_same_line(body: str, sanitized: Path) -> None:
    kind, words = FAULTS[body]
    theirs = subprocess.run([sanitized, str([*FAULTS].index(body))], capture_output=True, timeout=60)
    assert theirs.returncode != 0
    assert words in theirs.stderr.decode()
    with pytest.raises(Fault) as found:
        ours(f"{HEADERS}int main(void) {{\n{lines(body)}\n  return 0;\n}}\n")
    assert found.value.kind == kind
    line = int(re.search(r"program\.c:(\d+)", theirs.stderr.decode())[1])  # type: ignore[index]
    assert found.value.place is not None
    assert found.value.place.line == line


def test_what_is_never_freed_is_left_at_the_end(tmp_path: Path) -> None:
    body = "char *p = malloc(10); p = malloc(20); free(p); p = malloc(3); p = 0; return 0;"
    source = f"{HEADERS}int main(void) {{ {body} }}"
    theirs = gcc.run(source, tmp_path, "-fsanitize=address,undefined")
    assert "13 byte(s) leaked in 2 allocation(s)" in theirs.stderr.decode()
    assert sorted(block.size for block in ours(source).memory.living("heap")) == [3, 10]


LOST = [
    # a global list whose head alone is freed; a pointer that only freed memory holds
    "struct n { struct n *next; }; struct n *head; void build(int k) { while (k--) { "
    "struct n *new = malloc(8); new->next = head; head = new; } } "
    "void wipe(void) { long a[99]; memset(a, 0, 792); } "
    "int main(void) { build(3); wipe(); free(head); wipe(); return 0; }",
    'int main(void) { char *p = malloc(5); strcpy(p, "four"); exit(0); }',
    "void deep(void) { char *p = malloc(7); p[0] = 1; exit(0); } int main(void) { deep(); }",
    "int main(void) { char *p = malloc(5); p = malloc(6); p[0] = 1; exit(p[0] - 1); }",
    "int main(void) { char *p = malloc(5); p[0] = 1; return 0; }",
]


@pytest.mark.parametrize("body", LOST)
def test_what_is_lost_is_what_a_sanitizer_misses(body: str, tmp_path: Path) -> None:
    source = f"{HEADERS}{body}"
    theirs = gcc.run(source, tmp_path, "-fsanitize=address")
    said = re.search(r"(\d+) byte\(s\) leaked in (\d+) allocation", theirs.stderr.decode())
    lost = leaked(ours(source))
    assert (sum(block.size for block in lost), len(lost)) == (tuple(map(int, said.groups())) if said else (0, 0))


def test_the_constants_of_headers_are_gccs(tmp_path: Path) -> None:
    lines = ""
    for name, (_, kind) in CONSTANTS.items():
        if isinstance(kind, types.Integer) and name not in ("true", "false"):
            given = f"(unsigned long){name}, sizeof({name}), ({name}) * 0 - 1 < 0"
            lines += f'printf("{name} %lu %lu %d\\n", {given});'
        elif isinstance(kind, types.Floating):
            lines += f'printf("{name} %.17g %lu\\n", {name}, sizeof({name}));'
    assert lines.count("printf") >= len(CONSTANTS) - len(("true", "false", "NULL", *STREAMS))
    headers = "".join(f"#include <{name}.h>\n" for name in ("limits", "math", "stdint", "stdio", "stdlib"))
    source = f"{headers}int main(void) {{ {lines} return 0; }}"
    assert bytes(ours(source).output) == gcc.run(source, tmp_path).stdout
    assert ours("int main(void) { int EOF = 3; return EOF; }").exit == 3


@pytest.mark.parametrize("seed", range(4))
def test_braces_may_be_left_out(seed: int, tmp_path: Path) -> None:
    """Arrays and structs within one another, with some of their braces and some of their items."""
    rng = random.Random(seed)
    numbers = iter(range(1, 10_000))

    def items(shape: tuple[int, ...], most: int) -> str:
        if not shape:
            return str(next(numbers))
        given = rng.randint(1, most)
        if len(shape) > 1 and rng.random() < 0.5:  # those of the parts without their braces
            return ", ".join(str(next(numbers)) for _ in range(rng.randint(1, math.prod(shape))))
        if len(shape) == 1:
            return ", ".join(str(next(numbers)) for _ in range(given))
        return ", ".join(f"{{{items(shape[1:], shape[1])}}}" for _ in range(given))

    text, body = "struct s { int a[2][3]; struct { long b; int c[2]; } d[2]; };\n", ""
    for n in range(12):
        shape = tuple(rng.randint(1, 4) for _ in range(rng.randint(1, 3)))
        brackets = "".join(f"[{length}]" for length in shape)
        declared = f"int a{n}{brackets} = {{{items(shape, shape[0])}}};\n"
        declared += f"struct s s{n} = {{{', '.join(str(next(numbers)) for _ in range(rng.randint(1, 12)))}}};\n"
        where = text if rng.random() < 0.5 else body
        text, body = (text + declared, body) if where is text else (text, body + declared)
        for name, size in ((f"a{n}", 4 * math.prod(shape)), (f"s{n}.a", 24), (f"s{n}.d[1].c", 8)):
            body += f'for (int i = 0; i < {size // 4}; i++) printf("%d ", ((int *){name})[i]);\n'
    source = f"#include <stdio.h>\n{text}int main(void) {{\n{body}return 0; }}"
    assert bytes(ours(source).output) == gcc.run(source, tmp_path).stdout


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("int (int n) { return n; }", "expected the name of a function"),
        ("int main(void) { return " + " + ".join(["1"] * 1900) + "; }", "more than 200 operators in a row"),
        ("int a[2][2] = {1, 2, 3, 4, 5};", "no place left"),
    ],
)
def test_what_ended_as_a_mistake_of_ours_is_named(source: str, words: str) -> None:
    with pytest.raises(CError, match=words):
        compile_c(source)


def test_main_gets_the_name_of_the_program_alone() -> None:
    body = 'printf("%d %d", argc, argv[argc] == 0); return argv[0][0] == 0;'
    machine = ours(f"{HEADERS}int main(int argc, char **argv) {{ {body} }}")
    assert (machine.exit, bytes(machine.output)) == (0, b"1 1")


def test_recursion_that_ends_is_not_called_endless() -> None:
    deep = "int f(int n) { return n ? 1 + f(n - 1) : 0; } int main(void) { return f(5000) % 256; }"
    assert ours(deep).exit == 5000 % 256
    with pytest.raises(Fault, match="10,000 calls deep"):
        ours(deep.replace("n ? 1 + f(n - 1) : 0", "1 + f(n)"))


def test_an_enum_is_unsigned_unless_a_constant_is_negative(tmp_path: Path) -> None:
    source = (
        "#include <stdio.h>\nenum a { A, B = 7 }; enum b { C = -1, D }; enum { E } e = E;\n"
        "int main(void) { enum a a = A; enum b b = D; a--; b--; e--; "
        'printf("%d %d %d %d", a > 0, b > 0, e > 0, A - 1 > 0); }'
    )
    assert bytes(ours(source).output) == gcc.run(source, tmp_path).stdout


def test_a_constant_is_not_written_through_a_pointer() -> None:
    """No sanitizer sees this in a variable of a function."""
    with pytest.raises(Fault, match="write into a, which is const"):
        ours("int main(void) { const int a[2] = {5}; int *p = (int *)a; p[1] = 6; return a[1]; }")
    assert (
        ours(
            "int main(void) { for (int i = 0; i < 3; i++) { const int a = i; if (a != i) return 1; } return 0; }"
        ).exit
        == 0
    )


def test_what_was_never_written_is_not_read() -> None:
    """AddressSanitizer does not look for this; valgrind and MemorySanitizer do."""
    for body in (
        "int x; return x;",
        "int *p = malloc(4); int y = *p; return y;",
        "int a[2]; a[0] = 1; return a[1];",
    ):
        with pytest.raises(Fault, match="before anything was written"):
            ours(f"{HEADERS}int main(void) {{ {body} }}")
    partly = "char *p = malloc(4); p[0] = p[1] = 1; int x; memcpy(&x, p, 4); return x;"
    with pytest.raises(Fault, match="read of 4 bytes of x, of which 2 were never written"):
        ours(f"{HEADERS}int main(void) {{ {partly} }}")


def test_a_step_into_the_neighbour_is_found() -> None:
    """Far enough from its array, a pointer of AddressSanitizer's lands in another living variable unseen."""
    source = "int main(void) { int far[64]; int a[4] = {0}; far[0] = 7; int n = (int)(far - a); return *(a + n); }"
    with pytest.raises(Fault) as found:
        ours(source)
    assert found.value.kind == "pointers"


@pytest.mark.parametrize(
    ("source", "where", "words"),
    [
        ("int main(void) { return 1 }", "line 1, column 27", "expected ';' after return, found '}'"),
        ("int main(void) { goto end; }", "line 1, column 18", "no label end"),
        ("struct u { union { int a; }; };", "line 1, column 28", "the name of a member, which union needs"),
        ("#include <time.h>", "line 1, column 1", "there is no <time.h> here"),
        ("int main(void) { x = 1; }", "line 1, column 18", "x is not declared"),
        ("int main(void) { int x; x(); }", "line 1, column 25", "x is an int, and only functions are called"),
        ("int main(void) { f(); }", "line 1, column 18", "there is no function f"),
        ("int f(int a); int main(void) { f(); }", "line 1, column 32", "f takes 1 argument, and this call has 0"),
        ("int f(int a); int main(void) { f(1); }", "line 1, column 32", "f is declared, and has no body"),
        ("int main(void) { int *p; char *q; p = q; }", "line 1, column 37", "a char * does not become"),
        ("int main(void) { int *p = 5; }", "line 1, column 27", "an int does not become an int *"),
        ("struct s { int a; }; int main(void) { struct s x; x.b = 1; }", "line 1, column 53", "no member b; it"),
        ("struct s { int a; }; int main(void) { struct s *x; x.a = 1; }", "line 1, column 54", "write ->a"),
        ("int main(void) { 1 = 2; }", "line 1, column 18", "has no place in memory"),
        ("int main(void) { const int x = 1; x = 2; }", "line 1, column 37", "x is const"),
        ("int main(void) { break; }", "line 1, column 18", "outside of a loop or switch"),
        ("int main(void) { int a[2] = {1, 2, 3}; }", "line 1, column 36", "no place left"),
        ("int main(void) { double d = 1; d % 2; }", "line 1, column 34", "% needs whole numbers"),
        ("int main(void) { int x; int x; }", "line 1, column 29", "two variables x"),
        ("int main(void) { switch (1) { case 1: case 1: ; } }", "line 1, column 39", "two cases 1"),
        ("int main(void) { return 09; }", "line 1, column 25", "octal"),
        ("char *s = \"a", "line 1, column 11", "no closing quote"),
        ("int main(void) {", "line 1, column 16", "this block has no end"),
        ("int main(void) { return " + "(" * 300 + "1" + ")" * 300 + "; }", "line 1", "nested more than 100 deep"),
        ("int abs(int);\nlong puts(char *s);", "line 2, column 6", "puts of the library is int (char"),
        ("int a[1000][1000];", "line 1", "4,000,000 bytes; a variable may have 1,048,576"),
    ],
)  # fmt: skip
def test_what_is_not_taken_is_named_where_it_stands(source: str, where: str, words: str) -> None:
    with pytest.raises(CError) as found:
        compile_c(source)
    assert words in found.value.message
    assert str(found.value.place).startswith(where)


def test_a_program_without_end_is_stopped() -> None:
    with pytest.raises(Fault, match="does a loop never end"):
        Machine(compile_c("int main(void) { for (;;) ; }")).run(10_000)
    with pytest.raises(Fault, match="does the recursion"):
        Machine(compile_c("int f(int x) { return f(x + 1); } int main(void) { return f(0); }")).run()
