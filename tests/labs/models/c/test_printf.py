"""What printf writes, beside gcc's own: directives and values drawn at random, and the edges of each."""

import random
from pathlib import Path

import gcc
import pytest
from extent import draws
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.memory import Fault

WHOLE = ["0", "1", "-1", "7", "42", "-2048", "2147483647", "-2147483647 - 1"]
LONG = [*WHOLE, "9223372036854775807", "-9223372036854775807 - 1"]
REAL = [
    "0.0",
    "-0.0",
    "1.5",
    "-2.25",
    "1e-7",
    "123456789.125",
    "1e300",
    "0.1f",
    "zero / zero",
    "1 / zero",
    "-(zero / zero)",
]
TEXT = ['"abc"', '""', '"a longer text"', "plain", "open"]
OPENING = """#include <stdio.h>
int main(void) {
    double zero = 0.0;
    char plain[8] = "plain";
    char open[4] = { 'o', 'p', 'e', 'n' };
"""


def statement(rng: random.Random) -> str:
    """One printf, of a directive that C defines."""
    letter = rng.choice("diuxXocsfeEgGF")
    allowed = {"d": "-+ 0", "u": "-0", "x": "-#0", "c": "-", "s": "-", "f": "-+ #0"}
    flags = allowed[{"i": "d", "X": "x", "o": "x"}.get(letter, letter if letter in allowed else "f")]
    flags = "".join(flag for flag in flags if rng.random() < 0.3)
    arguments = []
    width, precision = rng.choice(["", "", "1", "6", "12", "*"]), rng.choice(["", "", ".", ".0", ".1", ".3", ".*"])
    if letter == "c":
        precision = ""
    if width == "*":
        arguments.append(str(rng.randint(-12, 12)))
    if precision == ".*":
        arguments.append(str(rng.randint(-2, 9)))
    length = rng.choice(["", "hh", "h", "l", "z"]) if letter in "diuxXo" else ""
    if letter == "s":
        value = rng.choice(TEXT)
        if value == "open":
            precision = f".{rng.randint(0, 4)}"
            arguments = arguments[: width == "*"]
    elif letter == "c":
        value = rng.choice(["'a'", "65", "256 + 66"])
    elif letter in "diuxXo":
        wide = length in ("l", "z")
        value = f"({'long' if wide else 'int'})({rng.choice(LONG if wide else WHOLE)})"
    else:
        value = rng.choice(REAL)
    return f'printf("<%{flags}{width}{precision}{length}{letter}>\\n", {", ".join([*arguments, value])});'


def test_it_writes_what_gcc_writes(tmp_path: Path) -> None:
    rng = random.Random(18)
    for _ in range(draws(8)):
        lines = [statement(rng) for _ in range(80)]
        source = OPENING + "\n".join(lines) + "\nreturn 0;\n}\n"
        machine = Machine(compile_c(source))
        machine.run()
        theirs = gcc.run(source, tmp_path).stdout.split(b"\n")
        for line, ours, gccs in zip(lines, bytes(machine.output).split(b"\n"), theirs, strict=False):
            assert ours == gccs, line


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ('printf("%1000000000d", 1)', "asks for 1,000,000,000 characters"),
        (f'printf("%{"9" * 3000}d", 1)', "characters"),
        ('printf("%.1000000000f", 1.0)', "asks for 1,000,000,000 characters"),
        ('printf("%*d", 1000000000, 1)', "asks for 1,000,000,000 characters"),
        ('printf("%*d", 1)', "no argument left"),
        ('printf("%*d", 1.0, 1)', "wants an int for the *"),
        ('printf("%")', "argument left for %"),
        ('printf("%d", 1L)', "another type"),
        ('printf("%q", 1)', "knows no %q"),
        ('printf("%.5s", open)', "behind the end"),
    ],
)
def test_what_cannot_be_written_is_refused(call: str, why: str) -> None:
    with pytest.raises(Fault, match=why.replace("*", r"\*")):
        Machine(compile_c(f"{OPENING}{call};\nreturn 0;\n}}\n")).run()
