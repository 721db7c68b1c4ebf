"""Layouts of structs, against ctypes and against what gcc says of the same declarations."""

from __future__ import annotations

import ctypes
import itertools
import random
import subprocess
from pathlib import Path
from typing import Any

import gcc
import pytest
from labs.bits.struct_layout import EXAMPLES, PACKS, Layout, Params, run
from labs.contract import LabError

STRUCTS = 500
TYPES: dict[str, Any] = {
    "char": ctypes.c_char,
    "bool": ctypes.c_bool,
    "unsigned char": ctypes.c_ubyte,
    "short": ctypes.c_short,
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "float": ctypes.c_float,
    "long": ctypes.c_long,
    "double": ctypes.c_double,
    "void *": ctypes.c_void_p,
}


def last(**params: Any) -> Layout:
    *_, layout = run(Params(**params))
    return layout


def struct(name: str, fields: list[tuple[str, Any]], packing: str) -> Any:
    body = {"_fields_": fields} | ({} if packing == "natural" else {"_pack_": PACKS[packing]})
    return type(name, (ctypes.Structure,), body)


def held(kind: Any) -> int:
    """Bytes of a type of ctypes that are not padding."""
    if hasattr(kind, "_fields_"):
        return sum(held(each) for _, each in kind._fields_)
    return held(kind._type_) * kind._length_ if hasattr(kind, "_length_") else ctypes.sizeof(kind)


def field(name: str, rng: random.Random, depth: int, packing: str = "natural") -> tuple[str, Any]:
    """A declaration, and its type for ctypes."""
    kind = rng.choice(list(TYPES))
    made = TYPES[kind]
    if depth and rng.random() < 0.2:
        inside = [field(f"{name}{i}", rng, depth - 1, packing) for i in range(rng.randint(1, 3))]
        made = struct("inner", [(f"{name}{i}", t) for i, (_, t) in enumerate(inside)], packing)
        kind = f"struct {{ {' '.join(text for text, _ in inside)} }}"
    lengths = [rng.randint(1, 4) for _ in range(rng.choice([0, 0, 0, 1, 2]))]
    for length in reversed(lengths):
        made = made * length
    return f"{kind} {name}{''.join(f'[{length}]' for length in lengths)};", made


def drawn() -> list[tuple[str, str, Any]]:
    """Fields, packing, and the struct of ctypes; short enough for the lab."""
    rng = random.Random(5)
    found = []
    while len(found) < STRUCTS:
        packing = rng.choice(list(PACKS))
        members = [field("abcdefgh"[i], rng, 2, packing) for i in range(rng.randint(1, 6))]
        text = " ".join(source for source, _ in members)
        theirs = struct("record", [("abcdefgh"[i], kind) for i, (_, kind) in enumerate(members)], packing)
        if len(text) <= 200 and ctypes.sizeof(theirs) <= 256:
            found.append((text, packing, theirs))
    return found


def test_500_structs_of_the_compiler_and_of_ctypes(tmp_path: Path) -> None:
    structs = drawn()
    source = "#include <stddef.h>\n#include <stdio.h>\n#include <stdbool.h>\n"
    body = ""
    for i, (text, packing, theirs) in enumerate(structs):
        pack = "" if packing == "natural" else f"#pragma pack(push, {PACKS[packing]})\n"
        source += f"{pack}struct s{i} {{ {text} }};\n{'#pragma pack(pop)' if pack else ''}\n"
        names = [name for name, _ in theirs._fields_]
        offsets = ", ".join(f"offsetof(struct s{i}, {name})" for name in names)
        body += (
            f'printf("{"%zu " * (len(names) + 2)}\\n", sizeof(struct s{i}), _Alignof(struct s{i}), {offsets});\n'
        )
    done = subprocess.run(
        [gcc.build(f"{source}int main(void) {{\n{body}}}\n", tmp_path)], capture_output=True, text=True, check=True
    )
    for (text, packing, theirs), line in zip(structs, done.stdout.splitlines(), strict=True):
        size, align, *offsets = map(int, line.split())
        shown = last(fields=text, packing=packing)
        assert (shown.size, shown.align) == (size, align), text
        assert [each.offset for each in shown.fields] == offsets, text
        assert ctypes.sizeof(theirs) == size and ctypes.alignment(theirs) == align
        assert [getattr(theirs, name).offset for name, _ in theirs._fields_] == offsets
        assert shown.wasted == size - held(theirs)


@pytest.mark.parametrize("packing", PACKS)
@pytest.mark.parametrize(
    "fields", ["int n; char data[];", "char c; long rows[][3];", "struct { char c; short s; } a; double d[];"]
)
def test_an_array_without_a_length_takes_no_room(fields: str, packing: str, tmp_path: Path) -> None:
    pack = "" if packing == "natural" else f"#pragma pack({PACKS[packing]})\n"
    source = (
        f'#include <stdio.h>\n{pack}struct s {{ {fields} }};\nint main(void) {{ printf("%zu", sizeof(struct s)); }}'
    )
    done = subprocess.run([gcc.build(source, tmp_path)], capture_output=True, text=True, check=True)
    assert last(fields=fields, packing=packing).size == int(done.stdout)


@pytest.mark.parametrize("fields", ["char data[];", "char data[]; int n;", "struct { int n; char d[]; } a[];"])
def test_an_array_without_a_length_is_the_last_of_several(fields: str) -> None:
    with pytest.raises(LabError, match=r"without a length|may be left out"):
        last(fields=fields)


def test_no_order_is_smaller_than_the_best() -> None:
    rng = random.Random(1)
    for _ in range(25):
        members = [field("abcde"[i], rng, 0)[0] for i in range(rng.randint(1, 4))]
        try:
            shown = last(fields=" ".join(members))
        except LabError:
            continue  # too large to be drawn
        sizes = [last(fields=" ".join(order)).size for order in itertools.permutations(members)]
        assert shown.best_size == min(sizes), members


def test_each_field_is_placed_in_turn() -> None:
    events = list(run(Params()))
    assert [each.stage for each in events] == ["place"] * 4 + ["end", "best", "array"]
    for i, each in enumerate(events[:4]):
        assert each.at == i
        assert [field.offset is None for field in each.fields] == [j > i for j in range(4)]
    final = events[-1]
    assert sum(each.hole for each in final.fields) + final.tail == final.wasted == 10


@pytest.mark.parametrize("items", range(1, 17))
def test_the_array_over_cache_lines(items: int) -> None:
    for fields in EXAMPLES.values():
        shown = last(fields=fields, items=items)
        lines = [{byte // 64 for byte in range(i * shown.size, (i + 1) * shown.size)} for i in range(items)]
        assert shown.lines == len(set.union(*lines))
        assert shown.crossing == [i for i, touched in enumerate(lines) if len(touched) > 1]
        assert shown.misaligned == 0


def test_the_mistakes() -> None:
    sums = last(no_holes=True)
    assert sums.size == sums.payload == 14 and sums.misaligned > 0 and sums.wasted == 0
    tail = last(no_tail=True)
    assert tail.size == 21 and tail.misaligned > 0
    assert last(no_tail=True, items=1).misaligned == 0  # alone it does no harm


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ("", "a struct needs a member"),
        ("int a, b;", "a declaration of its own"),
        ("int a[99];", "256 at most"),
        ("foo x;", "expected a type"),
        ("int é;", "Column"),
        ("int a; int a;", "two members a"),
        ("int a; } int main() {", "Column"),
        (" ".join(f"char c{i};" for i in range(17)), "17 fields"),
    ],
)
def test_what_cannot_be_laid_out_is_refused(fields: str, says: str) -> None:
    with pytest.raises(LabError, match=says):
        next(run(Params(fields=fields)))
