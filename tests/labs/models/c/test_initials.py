"""Items that name their place, and sizes of what is declared, against gcc: what every byte of a variable is."""

import random
from pathlib import Path

import gcc
import pytest
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.trouble import CError

TYPES = """#include <stdio.h>
struct point { int x, y; };
struct shape { struct point at; int v[3]; struct point ends[2]; int n; };
int target = 7;
"""
SHAPES: dict[str, dict[str, str] | str] = {
    "int": {},
    "struct point": {".x": "int", ".y": "int"},
    "struct shape": {".at": "struct point", ".v": "int*3", ".ends": "struct point*2", ".n": "int"},
}


def parts(kind: str) -> dict[str, str]:
    """Where the parts of a type are, as C writes it."""
    of, _, length = kind.partition("*")
    if length:
        return {f"[{n}]": of for n in range(int(length))}
    found = SHAPES[kind]
    assert isinstance(found, dict)
    return found


def braces(kind: str, rng: random.Random) -> str:
    """A list with some of its items, some of them in order and some where they say."""
    items, places = [], list(parts(kind).items())
    next_one = 0
    for _ in range(rng.randint(1, 5)):
        where = ""
        if next_one == len(places) or rng.random() < 0.5:
            next_one = rng.randrange(len(places))
            where = places[next_one][0]
        inner = places[next_one][1]
        next_one += 1
        if where and parts(inner) and rng.random() < 0.5:  # a path of two: what follows goes on behind it
            deeper, inner = rng.choice(list(parts(inner).items()))
            items.append(f"{where}{deeper} = {value(inner, rng)}")
            next_one = len(places)
        else:
            items.append(f"{where} = {value(inner, rng)}" if where else value(inner, rng))
    return "{" + ", ".join(items) + rng.choice(("", ",")) + "}"


def value(kind: str, rng: random.Random) -> str:
    return braces(kind, rng) if parts(kind) else str(rng.randint(-99, 99))


@pytest.mark.parametrize("seed", range(6))
def test_items_that_name_their_place(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    text = body = ""
    for n in range(20):
        kind = rng.choice(("int*4", "struct point", "struct shape", "struct point*3", "struct shape*2"))
        of, _, length = kind.partition("*")
        counted = rng.choice((length, "")) if length else ""
        declared = f"{of} a{n}{f'[{counted}]' if length else ''} = {braces(kind, rng)};\n"
        if rng.random() < 0.5:
            text += declared
        else:
            body += declared
        body += f'printf("%lu:", sizeof a{n});'
        body += f'for (unsigned long i = 0; i < sizeof a{n} / 4; i++) printf(" %d", ((int *)&a{n})[i]); puts("");\n'
    agree(f"{TYPES}{text}int main(void) {{\n{body}return 0; }}", tmp_path)


def test_pointers_strings_and_what_goes_on_behind_them(tmp_path: Path) -> None:
    agree(
        f"""{TYPES}
        struct node {{ char name[8]; struct point at; int *to; struct point v[2]; }};
        struct node g = {{.to = &target, .to = 0, .v[0].y = 3, 4, .name = "abc", .at.y = 4, .at.x = 5, 6}};
        int z[2][3] = {{[1][1] = 8, 9, [0] = {{1}}, 2}};
        char word[] = {{[3] = 'd', [0] = 'a', 'b'}};
        int main(void) {{
            struct node k = {{"xyz", {{.y = 1}}, .v = {{[1].x = 7, 8}}, .to = &target, .at.x = 2}};
            int one = {{4}}, later[] = {{1, 2, [5] = 3, [1] = target}};
            struct node *each[2] = {{[1] = &g, [0] = &k}};
            for (int i = 0; i < 2; i++) {{
                struct node *p = each[i];
                printf("%s %d %d %d\\n", p->name, p->at.x, p->at.y, p->to ? *p->to : -1);
                printf("%d %d %d %d\\n", p->v[0].x, p->v[0].y, p->v[1].x, p->v[1].y);
            }}
            for (int i = 0; i < 6; i++) printf("%d %d ", ((int *)z)[i], later[i]);
            printf("%lu %lu %d %d\\n", sizeof word, sizeof later, word[2], one);
            return 0; }}""",
        tmp_path,
    )


def test_sizes_of_variables_are_constants(tmp_path: Path) -> None:
    agree(
        f"""{TYPES}
        struct shape g, *p; char a[sizeof g.v], b[sizeof p->ends[1]], c[sizeof "four"];
        int main(int argc, char **argv) {{
            int m[3][4]; double rows[sizeof m / sizeof m[0]]; enum {{ EACH = sizeof m[0][0] }};
            char d[sizeof *p], e[sizeof argc], f[sizeof **argv], h[sizeof argv];
            switch (4) {{ case sizeof m[0][0]: puts("four"); }}
            {{ char m; char inner[sizeof m]; printf("%lu ", sizeof inner); }}
            printf("%lu %lu %lu %lu %d ", sizeof a, sizeof b, sizeof c, sizeof rows, EACH);
            printf("%lu %lu %lu %lu\\n", sizeof d, sizeof e, sizeof f, sizeof h);
            return 0; }}""",
        tmp_path,
    )


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ("int a[2] = {[2] = 1};", r"there is no item 2 in an int\[2\]"),
        ("int a[] = {[-1] = 1};", "counted from 0"),
        ("int a[] = {[99999999] = 1};", "100,000,000 items"),
        ("int a[2] = {.x = 1};", r"this is an int\[2\]"),
        ("int a[2] = {[1] = 1, 2};", "no place left"),
        ("struct { int x; } s = {.y = 1};", "no member y; it has x"),
        ("int x = {.y = 1};", "this is an int"),
        ("int x = {1, 2};", "no place left"),
        ("int n = 2, a[2] = {[n] = 1};", "known before the program runs"),
        ("int n = 2, a[n];", "known before the program runs; take malloc for another"),
        ("struct { unsigned x : 3; } s;", "no bit-fields; use & and"),
        ("int first(int n, int a[n]) { return a[0]; }", "and a pointer for a parameter"),
    ],
)
def test_a_place_that_is_not_there_is_named(declared: str, words: str) -> None:
    with pytest.raises(CError, match=words):
        compile_c(f"int main(void) {{ {declared} return 0; }}")


def agree(source: str, place: Path) -> None:
    machine = Machine(compile_c(source, most=1 << 20))
    machine.run(1_000_000)
    theirs = gcc.run(source, place)
    assert (bytes(machine.output), machine.exit) == (theirs.stdout, theirs.returncode)
