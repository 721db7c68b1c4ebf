"""The C library beside that of this machine: what each function answers, and what a program reads."""

import random
from pathlib import Path

import gcc
import pytest
from labs.models.c.characters import CHARACTERS
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.maths import EXACT, ONE, TWO
from labs.models.c.memory import Fault

HEADERS = "".join(
    f"#include <{name}.h>\n" for name in ("stdio", "stdlib", "string", "ctype", "math", "assert", "limits")
)
REAL = ["0.0", "0.5", "1.5", "2.5", "1e300", "1e-310", "0.49999999999999994", "4503599627370497.5", "3.0", "1e3"]
REAL += [f"-{each}" for each in REAL] + ["INFINITY", "-INFINITY"]


def agree(body: str, place: Path, typed: bytes = b"") -> None:
    source = f"{HEADERS}int main(void) {{\n{body}\nreturn 0;\n}}\n"
    expected = gcc.run(source, place, "-fno-builtin", typed=typed)
    machine = Machine(compile_c(source, most=1 << 20), typed=typed)
    machine.run(10_000_000)
    for ours, theirs in zip(bytes(machine.output).split(b"\n"), expected.stdout.split(b"\n"), strict=True):
        assert ours == theirs
    assert machine.exit == expected.returncode


def test_characters(tmp_path: Path) -> None:
    prints = "\n".join(f'printf("{name} %d %d\\n", c, {name}(c));' for name in CHARACTERS)
    agree(f"for (int c = EOF; c <= 255; c++) {{ {prints} }}", tmp_path)


def test_maths(tmp_path: Path) -> None:
    rng = random.Random(5)
    numbers = REAL + [f"{rng.uniform(-1, 1) * 10 ** rng.randint(-3, 3):.17g}" for _ in range(20)]
    one = "".join(f'printf("{name} %d %.17g\\n", i, {name}(x[i]));\n' for name in (*EXACT, *ONE))
    one += "".join(f'printf("{name}f %.17g\\n", {name}f(x[i]));\n' for name in EXACT)
    one += 'printf("%d %d\\n", isnan(x[i] - x[i]) != 0, isinf(x[i]));\n'
    two = [f'printf("%d %d %.17g\\n", i, j, {name}(x[i], x[j]));' for name in TWO]
    for body in [one, *(f"for (int j = 0; j < n; j++) {{ {each} }}" for each in two)]:
        agree(
            f"double x[] = {{{', '.join(numbers)}}}; int n = sizeof x / sizeof x[0];\n"
            f"for (int i = 0; i < n; i++) {{ {body} }}",
            tmp_path,
        )


@pytest.mark.parametrize("seed", ["1", "0", "42", "4000000000u", "UINT_MAX"])
def test_chance(seed: str, tmp_path: Path) -> None:
    agree(f'srand({seed}); for (int i = 0; i < 200; i++) printf("%d\\n", rand());', tmp_path)


def test_chance_without_a_seed(tmp_path: Path) -> None:
    agree('printf("%d %d\\n", rand(), RAND_MAX);', tmp_path)


def test_text(tmp_path: Path) -> None:
    rng = random.Random(3)
    lines = []
    for n in range(120):
        one, other = ("".join(rng.choices("ab", k=rng.randint(0, 6))) for _ in range(2))
        size, letter = rng.randint(0, 9), rng.choice(["'a'", "'b'", "0", "'c'"])
        lines += [
            f'char t{n}[16] = "{other}"; memset(t{n} + 8, 46, 7); strncpy(t{n}, "{one}", {size});',
            f'for (int i = 0; i < 16; i++) printf("%d ", t{n}[i]);',
            f'strcpy(t{n}, "{other}"); strncat(t{n}, "{one}", {size}); printf("%s ", t{n});',
            f'printf("%d ", strncmp("{one}", "{other}", {size}) > 0);',
            f'char *p{n}[] = {{strchr(t{n}, {letter}), strrchr(t{n}, {letter}), strstr(t{n}, "{one[:2]}")}};',
            f'for (int i = 0; i < 3; i++) printf("%ld ", p{n}[i] ? p{n}[i] - t{n} : -1L); puts("");',
        ]
    agree("\n".join(lines), tmp_path)


def test_numbers_in_text(tmp_path: Path) -> None:
    texts = [
        "12",
        "0x1F",
        "077",
        " -zz",
        "0x",
        "0xg",
        "",
        "+7 8",
        "\\t-0",
        "99999999999999999999",
        "z" * 300,
        "9" * 5000,
    ]
    lines = [f"char *text[] = {{{', '.join(f'{chr(34)}{each}{chr(34)}' for each in texts)}}}; char *end;"]
    lines += [
        f"for (int i = 0; i < {len(texts)}; i++) for (int base = 0; base <= 36; base++) if (base != 1) {{",
        'long n = strtol(text[i], &end, base); printf("%d %d %ld %d\\n", i, base, n, (int)(end - text[i])); }',
        'printf("%d %ld %f %f %f\\n", atoi(" -42x"), atol("9000000000"), atof("3.5e2z"), atof("x"), atof(" .5"));',
        'char b[8]; printf("%d %s\\n", snprintf(b, 8, "%d-%s", 12345, "abc"), b);',
        'printf("%d", snprintf(b, 0, "x"));',
        'printf("%d %s\\n", sprintf(b, "%03d", 7), b); fprintf(stdout, "%c\\n", 65); fputs("end", stdout);',
        'printf("%d %ld", abs(-3), labs(-4L)); char *d = strdup("twice"); puts(d); free(d);',
    ]
    agree("\n".join(lines), tmp_path)


PIECES = ["12", "-7", "0x1f", "077", "abc", "b]a", "3.5e2", ".5", "-", "+", ",", " ", "\\n", "  ", "%", "1e"]
WANTED = {
    "d": "whole", "u": "natural", "x": "natural", "o": "natural", "i": "whole", "ld": "wide", "hhd": "small",
    "f": "single", "lf": "real", "s": "text", "c": "text", "[a-c]": "text", "[^0-9 ]": "text", "[]a]": "text",
}  # fmt: skip


def test_what_is_read_from_text(tmp_path: Path) -> None:
    rng = random.Random(11)
    lines = ["int whole; unsigned natural; long wide; signed char small; float single; double real; char text[40];"]
    for _ in range(400):
        template, to = "", []
        for _ in range(rng.randint(1, 3)):
            letter = rng.choice([*WANTED])
            width = rng.choice(["", "", "1", "2", "5"]) if letter != "c" else rng.choice(["", "2"])
            quiet = rng.random() < 0.1
            template += rng.choice(["", "", " ", ","]) + f"%{'*' * quiet}{width}{letter}"
            name = WANTED[letter]
            if not quiet:
                to.append(name if name == "text" else f"&{name}")
        template += rng.choice(["", "%%", " x"])
        text = "".join(rng.choices(PIECES, k=rng.randint(0, 6)))
        lines += [
            "whole = natural = wide = small = -1; single = real = 0.25; memset(text, 0, 40);",
            f'printf("%d ", sscanf({", ".join([chr(34) + text + chr(34), chr(34) + template + chr(34), *to])}));',
            'printf("%d %u %ld %d %g %g [%s]\\n", whole, natural, wide, small, single, real, text);',
        ]
    agree("\n".join(lines), tmp_path)


def test_what_is_typed(tmp_path: Path) -> None:
    count = 'int n = 0, c; while ((c = getchar()) != EOF) { n++; putchar(toupper(c)); } printf("%d", n);'
    agree(count, tmp_path, b"Two lines,\nof which the last has no end")
    words = """int a; double d; char s[20], c, line[6];
        printf("%d ", scanf("%d,%lf %19s %c", &a, &d, s, &c)); printf("%d %g %s %c\\n", a, d, s, c);
        printf("%d\\n", scanf("%d", &a));
        while (fgets(line, 6, stdin)) printf("[%s]", line);
        printf("%d %d", scanf("%d", &a), getchar());"""
    agree(words, tmp_path, b" 12,3.5e1  word\n z\n x rest of it\n\nlast")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("isalpha(256);", "isalpha(256): it takes a character from 0 to 255, or EOF"),
        ("toupper(-2);", "toupper(-2): it takes"),
        ('atoi("2147483648");', "atoi of 2147483648, which does not fit into int"),
        ("labs(LONG_MIN);", "does not fit into long"),
        ('char *e; strtol("1", &e, 1);', "strtol to base 1"),
        ("assert(1 > 2);", "the assertion in line 9 does not hold"),
        ('fprintf(stdin, "x");', "stdin where stdout or stderr is wanted"),
        ('int *p = malloc(4); fputs("x", (FILE *)p);', "where stdout or stderr is wanted"),
        ('int n; scanf("%d", n);', "read of n before"),
        ('int n = 0; scanf("%d", n);', "the address of what it fills, not an int"),
        ('double d; scanf("%f", &d);', "another type for %f than double *"),
        ('int n; scanf("%d %d", &n);', "no argument left for %d"),
        ('char t[2]; scanf("%s", t);', "which has 2 bytes"),
        ('char t[3]; sprintf(t, "%d", 123);', "which has 3 bytes"),
        ('char t[4]; strncpy(t, "a", 1000000000000);', "out of bounds"),
        ('char t[4]; scanf("%p", t);', "scanf knows no %p here"),
    ],
)  # fmt: skip
def test_what_c_does_not_define(body: str, words: str) -> None:
    machine = Machine(compile_c(f"{HEADERS}int main(void) {{\n{body}\nreturn 0; }}"), typed=b"12 words\n")
    with pytest.raises(Fault) as found:
        machine.run()
    assert words in f"{found.value.kind}: {found.value.message}"


def test_a_program_may_have_its_own() -> None:
    source = "int pow(int a, int n) { return n ? a * pow(a, n - 1) : 1; } int main(void) { return pow(3, 4); }"
    machine = Machine(compile_c(source))
    assert machine.run() == 81
