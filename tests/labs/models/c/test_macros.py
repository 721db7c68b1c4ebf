"""Macros beside gcc's preprocessor: drawn at random, standing for numbers, for each other, and for themselves."""

import random
import subprocess
from pathlib import Path

import gcc
import pytest
from labs.models.c.lower import compile_c
from labs.models.c.macros import MOST_STEPS, tokenize
from labs.models.c.tokens import Region, scan
from labs.models.c.trouble import CError, Place

from .test_c import ours

PIECES = ["1", "2.5", "'c'", '"text"', "+", "*", "(", ")", "name", "int", "{", ";", "->"]
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


def test_what_macros_stand_for(tmp_path: Path) -> None:
    rng = random.Random(7)
    source = "".join(drawn(rng) for _ in range(150))
    (tmp_path / "drawn.c").write_text(source)
    command = ["gcc", "-E", "-P", "drawn.c"]
    expected = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True).stdout
    region = Region(0, len(expected), Place(1, 1))
    tokens = tokenize(source, 1 << 20)
    assert [each.text for each in tokens[:-1]] == [each.text for each in scan(expected, region)]
    lines = source.splitlines()
    for each in tokens[:-1]:  # each lies where it is written, or where its macro's name is
        written = source[each.start : each.end]
        assert written == each.text or written.startswith("M"), each
        assert lines[each.place.line - 1][each.place.column - 1 :].startswith(written), each


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


DOUBLING = "".join(f"#define D{n} D{n + 1} D{n + 1}\n" for n in range(40))


@pytest.mark.parametrize(
    ("source", "where", "words"),
    [
        ("#define SQUARE(x) x * x", "line 1", "no macros with parameters; make SQUARE a function"),
        ("#define int long", "line 1", "int is a word of C"),
        ("#define\n", "line 1", "#define N 10"),
        ("#define N 1\n#define N 2", "line 2, column 1", "N is defined already"),
        ("#define N 'ab'", "line 1, column 11", "holds one byte, not 2"),
        ("#define N \\\n  08", "line 2, column 3", "octal"),
        ("#define N # 1", "line 1, column 11", "no # within a macro"),
        ("#undef", "line 1", "#undef needs one name"),
        ("#include stdio.h", "line 1", "#include needs a header"),
        ("#ifdef N", "line 1", "no #ifdef; leave out"),
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
