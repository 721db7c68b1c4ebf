"""Macros beside gcc's preprocessor: drawn at random, standing for numbers, for each other, and for themselves."""

import random
import subprocess
from pathlib import Path

import gcc
import pytest
from labs.models.c.lower import compile_c
from labs.models.c.macros import MOST_STEPS, tokenize
from labs.models.c.tokens import Region, Token, scan
from labs.models.c.trouble import CError, Place

from .test_c import ours

PIECES = ["1", "2.5", "'c'", '"text"', "+", "*", "(", ")", "name", "int", "{", ";", "->"]
SIGNS = ["+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^"]
BETWEEN = [" ", "  ", "\t", " /* a comment\n over two lines */ ", " \\\n "]


def drawn(rng: random.Random) -> str:
    """Definitions that name each other in any order, a line that uses them, and the end of some."""
    names = [f"M{n}" for n in range(6)]
    lines = []
    for name in rng.sample(names, 5):
        body = rng.choices([*PIECES, *names], k=rng.randint(0, 4))
        lines.append(f"#{rng.choice(['', ' '])}define {name} {rng.choice(BETWEEN).join(body)} // {name}")
    lines += [" ".join(rng.choices([*names, "x", "="], k=8))]
    lines += [f"#undef {name}" for name in rng.sample(names, 3)]
    lines += [" ".join(names), *(f"#undef {name}" for name in names)]
    return "\n".join(lines) + "\n"


def called(rng: random.Random) -> str:
    """Macros with and without parameters that call each other, and lines that call them, some over two lines."""
    counts = {f"F{n}": rng.randint(0, 3) for n in range(5)}
    names = [*counts, "N0", "N1"]

    def call(deep: int) -> str:
        name = rng.choice([*names, "a", "+", "7"])
        if name not in counts or rng.random() < 0.2:
            return name
        given = (piece(deep + 1) for _ in range(counts[name]))
        return f"{name}{rng.choice(['', ' ', chr(10)] if not deep else ['', ' '])}({', '.join(given)})"

    def piece(deep: int) -> str:
        parts = [call(deep) if deep < 3 else "x" for _ in range(rng.randint(0, 2))]
        return f"({parts[0]}, y)" if parts and rng.random() < 0.2 else " ".join(parts)

    lines = []
    for name in names:
        given = [f"p{n}" for n in range(counts.get(name, 0))]
        bracket = f"({' , '.join(given)})" if name in counts else ""
        body = [rng.choice([*given, call(2), "*", name]) for _ in range(rng.randint(0, 4))]
        lines.append(f"#define {name}{bracket} {' '.join(body)}")
    lines += [" ".join(call(0) for _ in range(5)) + " ;" for _ in range(3)]
    return "\n".join([*lines, *(f"#undef {name}" for name in names)]) + "\n"


def chosen(rng: random.Random, deep: int = 0) -> str:
    """Groups within groups, some of them left out for what is defined, some for what a sum comes to."""

    def number(deep: int) -> str:
        if deep > 3 or rng.random() < 0.3:
            return rng.choice(["0", "1", "07", "0x1F", "12L", "A", "B", "defined A", "defined(B)", "C", "'a'"])
        sign = rng.choice(SIGNS)
        if sign in "/%":
            return f"({number(deep + 1)}) {sign} {rng.randint(1, 9)}"
        if rng.random() < 0.1:
            return f"({number(deep + 1)} {rng.choice(['<<', '>>'])} {rng.randint(0, 9)})"
        return rng.choice(["{} {} {}", "({} {} {})", "!({} {} {})", "-({} {} {})"]).format(
            number(deep + 1), sign, number(deep + 1)
        )

    first = rng.choice(["#ifdef A", "#ifndef B", "# if defined(A) /* a\n comment */ || !defined B", "#if 0"])
    lines = [rng.choice([first, f"#if {number(0)}"])]
    branches = [*(f"#elif {number(0)}" for _ in range(rng.randint(0, 2))), "#else"]
    for branch in [*branches[: rng.randint(0, 3)], ""]:
        lines.append(f"kept{rng.randrange(99)} A; // don't")
        if deep < 2 and rng.random() < 0.6:
            lines.append(chosen(rng, deep + 1))
        lines.append(rng.choice(["#undef A", "#undef B", "#define A 3", "#define B A", ""]))
        lines[-1] = f"#undef {lines[-1][8]}\n{lines[-1]}" if lines[-1].startswith("#define") else lines[-1]
        lines.append(branch)
    return "\n".join([*lines, "#endif"])


def test_what_macros_stand_for(tmp_path: Path) -> None:
    rng = random.Random(7)
    source = "".join(drawn(rng) for _ in range(150))
    tokens = same_as_gcc(source, tmp_path)
    lines = source.splitlines()
    for each in tokens:  # each lies where it is written, or where its macro's name is
        written = source[each.start : each.end]
        assert written == each.text or written.startswith("M"), each
        assert lines[each.place.line - 1][each.place.column - 1 :].startswith(written), each


def test_macros_with_parameters(tmp_path: Path) -> None:
    rng = random.Random(8)
    refused = 0
    for _ in range(100):
        source = called(rng)
        try:
            same_as_gcc(source, tmp_path)
        except (
            subprocess.CalledProcessError
        ):  # brackets that come from elsewhere hold too many arguments, or too few
            refused += 1
            with pytest.raises(CError, match=r"parameters, and|have no end"):
                tokenize(source)
    assert refused < 15


def test_what_is_left_out(tmp_path: Path) -> None:
    rng = random.Random(9)
    same_as_gcc("".join(f"{chosen(rng)}\n" for _ in range(300)), tmp_path)


def same_as_gcc(source: str, tmp_path: Path) -> tuple[Token, ...]:
    (tmp_path / "drawn.c").write_text(source)
    command = ["gcc", "-E", "-P", "drawn.c"]
    expected = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True).stdout
    region = Region(0, len(expected), Place(1, 1))
    tokens = tokenize(source, 1 << 20)
    assert [each.text for each in tokens[:-1]] == [each.text for each in scan(expected, region)]
    return tokens[:-1]


def test_a_program_of_named_numbers(tmp_path: Path) -> None:
    source = """#include <stdio.h>
#define ROWS 3
#define CELLS (ROWS * \\
               4)   /* three rows */
#define SCALE 0x1.8p1
#define FORMAT "%d " "%g\\n"
#define FOREVER for (;;)
int cells[CELLS];
int main(void) {
    int n = 0;
    FOREVER {
        cells[n] = n * CELLS;
        if (++n == sizeof cells / sizeof cells[0]) break;
    }
    printf(FORMAT, cells[CELLS - 1], SCALE * ROWS);
    return ROWS;
}
"""
    expected = gcc.run(source, tmp_path)
    machine = ours(source)
    assert (bytes(machine.output), machine.exit) == (expected.stdout, expected.returncode)


def test_a_program_of_two_makes(tmp_path: Path) -> None:
    """As in a first course: a guard, a switch for what is printed, and the largest of two."""
    source = """#ifndef LARGEST_H
#define LARGEST_H
#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SWAP(type, a, b) do { type t = a; a = b; b = t; } while (0)
#ifdef DEBUG
#define LOG(text, value) printf("%s %d\\n", text, value)
#else
#define LOG(text, value)
#endif
#endif
int main(void) {
    int x = 3, y = 8;
    SWAP(int, x, y);
    LOG("x is", x);
#if defined(DEBUG) && DEBUG > 1
    LOG("y is", y);
#endif
    printf("%d\\n", MAX(x, MAX(y, 7)) * 2);
    return 0;
}
"""
    for make in ("", "#define DEBUG 1\n", "#define DEBUG 2\n"):
        expected = gcc.run(make + source, tmp_path)
        machine = ours(make + source)
        assert (bytes(machine.output), machine.exit) == (expected.stdout, expected.returncode)


DOUBLING = "".join(f"#define D{n} D{n + 1} D{n + 1}\n" for n in range(40))


@pytest.mark.parametrize(
    ("source", "where", "words"),
    [
        (
            "#define SQUARE(x) x * x\nint a = SQUARE(1, 2);",
            "line 2, column 9",
            "SQUARE has 1 parameters, and 2 are",
        ),
        ("#define SQUARE(x) x * x\nint a = SQUARE(1;", "line 2, column 9", "brackets after SQUARE have no end"),
        ("#define ALL(...) f(__VA_ARGS__)", "line 1", "... is none"),
        ("#define TWO(a, a) a", "line 1", "two parameters of TWO"),
        ("#define TEXT(x) #x", "line 1, column 17", "no # within a macro"),
        ("#define int long", "line 1", "int is a word of C"),
        ("#define\n", "line 1", "#define N 10"),
        ("#define N 1\n#define N 2", "line 2, column 1", "N is defined already"),
        ("#define N 'ab'", "line 1, column 11", "holds one byte, not 2"),
        ("#define N \\\n  08", "line 2, column 3", "octal"),
        ("#define N # 1", "line 1, column 11", "no # within a macro"),
        ("#undef", "line 1", "#undef needs one name"),
        ("#include stdio.h", "line 1", "#include needs a header"),
        ("int a;\n#ifdef N\n", "line 2", "close it with #endif"),
        ("#if 1\nint a;", "line 1", "close it with #endif"),
        ("#endif", "line 1", "no #if before it"),
        ("#if 0\n#else\n#else\n#endif", "line 3", "after the #else"),
        ("#ifdef\n#endif", "line 1", "#ifdef needs one name"),
        ("#if\n#endif", "line 1", "where a number is missing"),
        ("#if (1\n#endif", "line 1", "where a number is missing"),
        ("#if 1 2\n#endif", "line 1, column 7", "cannot read 2 here"),
        ("#if 1 / 0\n#endif", "line 1, column 7", "division by zero"),
        ("#if 1u > -1\n#endif", "line 1, column 5", "signed whole numbers"),
        ("#if 1.5\n#endif", "line 1, column 5", "signed whole numbers"),
        ("#if defined(\n#endif", "line 1, column 5", "such as defined(N)"),
        ("#if 1 << 64\n#endif", "line 1, column 7", "0 to 63 bits"),
        (f"#if {'(' * 200}\n#endif", "line 1", "too deep"),
        (f"#if {'(' * 2000}\n#endif", "line 1", "too long"),
        (f"#if {'1 + ' * 2000}1\n#endif", "line 1", "too long"),
        (f"#define F(x) x\n{'F(' * 2000}", "line 2", ""),
        (f"#define F(x) x\n{'F(' * 200}1{')' * 200}", "line 2", "within each other's brackets"),
        ("#pragma once", "line 1", "no #pragma; leave it out"),
        ("#define N N + 1\nint main(void) { return N; }", "line 2, column 25", "N is not declared"),
        (f"{DOUBLING}D0", "line 41, column 1", f"more than {MOST_STEPS:,} tokens"),
    ],
)
def test_what_is_refused(source: str, where: str, words: str) -> None:
    with pytest.raises(CError) as found:
        compile_c(source)
    assert words in found.value.message
    assert str(found.value.place).startswith(where)


def test_a_name_may_be_defined_twice_alike() -> None:
    assert [each.text for each in tokenize("#\n#define N 1\n#define N  1 // again\nN")] == ["1", ""]
