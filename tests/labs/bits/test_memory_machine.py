"""The memory machine against gcc with its sanitizers, and each picture against the machine that it was taken of."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import gcc
import pytest
from labs.bits.memory_machine import LESSONS, Params, Picture, Piece, other_rows, run, stack_rows
from labs.contract import LabError, pack

FLAGS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O0", "-fno-stack-protector")
WORDS = {
    "use after free": "heap-use-after-free",
    "double free": "double-free",
    "out of bounds": "buffer-overflow",
    "use after end": "stack-use-after",
}
MORE = {
    "leak of a list": """\
#include <stdlib.h>
struct node { struct node *next; char text[20]; };
struct node *kept;
int main(void) {
  struct node *lost = malloc(sizeof *lost);
  lost->next = malloc(sizeof *lost);
  lost->next->next = NULL;
  kept = calloc(1, sizeof *kept);
  lost = NULL;
  return 0;
}
""",
    "a matrix": """\
#include <stdio.h>
int main(void) {
  double m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  double *at = &m[1][0];
  printf("%g %d\\n", at[2], (int)(&m[1][2] - at));
  return 0;
}
""",
    "a global is freed": """\
#include <stdlib.h>
char *text;
int main(void) {
  text = malloc(10);
  text[9] = 'x';
  free(text);
  return text[9] == 'x';
}
""",
    "one before the start": """\
#include <stdlib.h>
int main(void) {
  int *a = malloc(8);
  a[0] = 1;
  int n = -1;
  n = a[n];
  free(a);
  return n;
}
""",
}
PROGRAMS = LESSONS | MORE
UNSEEN = {"never-written", "leak-until-full", "too-deep"}  # AddressSanitizer does not look for it; has more room


def last(name: str, unchecked: bool = False) -> Picture:
    *_, picture = run(Params(source=PROGRAMS[name], unchecked=unchecked))
    return picture


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in UNSEEN])
def test_gcc_and_its_sanitizers_say_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASAN_OPTIONS", "detect_stack_use_after_return=1")
    monkeypatch.setenv("LSAN_OPTIONS", "exitcode=0")  # else a leak ends the program before its output is written
    theirs, ours = gcc.run(PROGRAMS[name], tmp_path, *FLAGS), last(name)
    said = theirs.stderr.decode()
    if ours.trouble:
        assert WORDS[ours.trouble.what] in said
        lines = [int(found) for found in re.findall(r"program\.c:(\d+)", said)]
        assert lines[0] == ours.trouble.line
        assert "ABORTING" in said
        for line in (ours.trouble.made, ours.trouble.freed):
            on_stack = f"(line {line})" in said  # the report names a variable by the line that declares it
            assert not line or line in lines or on_stack or ours.trouble.what == "use after end"
        return
    assert ours.output == theirs.stdout.decode()
    leak = re.search(r"SUMMARY: AddressSanitizer: (\d+) byte\(s\) leaked in (\d+) allocation", said)
    assert (ours.leaked_bytes, ours.leaked_pieces) == (int(leak[1]), int(leak[2])) if leak else (0, 0)
    assert theirs.returncode == ours.exit


def test_each_lesson_ends_as_it_should() -> None:
    ends = {
        name: (found.trouble.what if found.trouble else found.leaked_bytes)
        for name in PROGRAMS
        for found in [last(name)]
    }
    assert {name: end for name, end in ends.items() if end} == {
        "leak": 12,
        "leak-until-full": 1_000_000,
        "use-after-free": "use after free",
        "double-free": "double free",
        "too-deep": "overflow",
        "stack-overflow": "out of bounds",
        "heap-overflow": "out of bounds",
        "never-written": "uninitialised",
        "dangling-pointer": "use after end",
        "leak of a list": 64,
        "a global is freed": "use after free",
        "one before the start": "out of bounds",
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_picture_agrees_with_itself(name: str) -> None:
    pictures = list(run(Params(source=PROGRAMS[name])))
    assert [each.statement for each in pictures] == list(range(len(pictures)))
    assert pictures == list(run(Params(source=PROGRAMS[name])))
    source = PROGRAMS[name]
    for picture in pictures:
        assert len(json.dumps(pack(picture))) < 64 * 1024
        assert stack_rows(picture) <= picture.room[0] and other_rows(picture) <= picture.room[1]
        if picture.line:
            assert source[: picture.span[0]].count("\n") + 1 == picture.line
        check_memory(picture)


def check_memory(picture: Picture) -> None:
    stack = [piece for call in picture.calls for piece in call.pieces]
    pieces = {piece.number: piece for piece in [*stack, *picture.globals, *picture.heap, *picture.gone]}
    living = sorted((each for each in pieces.values() if each.state != "ended"), key=lambda each: each.address)
    for one, other in itertools.pairwise(living):
        assert one.address + one.size <= other.address, "two pieces of memory share a byte"
    for piece in pieces.values():
        check_bytes(piece)
        for cell in piece.cells:
            if cell.arrow and cell.arrow.block >= 0 and cell.arrow.leads == "live":
                target = pieces[cell.arrow.block].cells[cell.arrow.cell]
                assert target.address <= int(cell.value, 16) < target.address + target.size


def check_bytes(piece: Piece) -> None:
    """What a cell says is what its bytes say."""
    for cell in piece.cells:
        at = 2 * (cell.address - piece.address)
        data = piece.bytes[at : at + 2 * cell.size]
        if len(data) == 2 * cell.size and cell.type in ("int", "int *"):
            assert (cell.value == "?") == (".." in data)
            if cell.known:
                number = int.from_bytes(bytes.fromhex(data), "little", signed=cell.type == "int")
                assert number == int(cell.value.replace("NULL", "0"), 0)


def test_unchecked_it_does_what_the_hardware_does(tmp_path: Path) -> None:
    """The freed piece is given out again, and the price becomes the age: gcc's own malloc does the same."""
    ours = last("use-after-free", unchecked=True)
    assert ours.output == gcc.run(PROGRAMS["use-after-free"], tmp_path).stdout.decode() == "99\n"
    assert last("stack-overflow", unchecked=True).output == "0\n1\n"
    marked = [each for each in run(Params(source=PROGRAMS["stack-overflow"], unchecked=True)) if each.unnoticed]
    assert [each.unnoticed.what for each in marked if each.unnoticed] == ["out of bounds"]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("int *p = 0; *p = 1;", "segmentation"),
        ("char *s = \"a\"; s[0] = 'b';", "segmentation"),
        ("int a[2]; for (int i = 0; i < 6; i++) a[i] = 1;", "smashed"),
        ("int *p = malloc(4); p[1000000] = 1;", "segmentation"),
    ],
)
def test_unchecked_the_processor_stops_what_it_cannot_do(body: str, what: str) -> None:
    source = f"#include <stdlib.h>\nint main(void) {{\n{body}\nreturn 0; }}"
    *_, end = run(Params(source=source, unchecked=True))
    assert end.trouble
    assert end.trouble.what == what


@pytest.mark.parametrize("line", range(3))
def test_unchecked_what_goes_unnoticed_is_said_wherever_it_happens(line: int) -> None:
    """In the last statement, too."""
    body = ["int a[2] = {1, 2};", "int n = 2;", "return 0;"]
    body[line] = {0: "int a[2]; int m = a[2];", 1: "int n = a[2];", 2: "return a[2] != a[2];"}[line]
    *_, end = pictures = list(run(Params(source="int main(void) {\n" + "\n".join(body) + "\n}", unchecked=True)))
    (said,) = [each for each in pictures if each.unnoticed]
    assert "which went unnoticed: read of 4 bytes right behind the end of a" in said.text
    assert (said is end) == (line == 2)
    assert end.text.endswith("and the program ends with 0.")


def test_the_end_leads_to_no_line() -> None:
    *_, end = run(Params(source="#include <stdlib.h>\nint main(void) {\nexit(3);\n}"))
    assert end.text == "Line 3 changes no variable, and the program ends with 3."


def test_long_programs_are_cut_and_can_be_joined_later() -> None:
    source = "int main(void) { int n = 0; while (n < 1000) n++; return n % 7; }"
    pictures = list(run(Params(source=source, pictures=50)))
    assert len(pictures) == 50 and "would go on" in pictures[-1].text
    later = list(run(Params(source=source, pictures=50, begin=1990)))
    assert later[0].statement == 1990 and later[-1].stage == "end"
    endless = list(run(Params(source="int main(void) { for (;;) ; }", pictures=10, begin=10)))
    assert endless[-1].trouble and endless[-1].trouble.what == "too long"


def test_big_programs_make_small_pictures() -> None:
    source = """
    #include <stdlib.h>
    struct big { long a[40]; char *p[40]; };
    struct big many[20];
    int deep(int n) { struct big one = {{1}}; return n ? deep(n - 1) + (int)one.a[0] : 0; }
    int main(void) {
      for (int i = 0; i < 200; i++) many[i % 20].p[i % 40] = malloc(100);
      return deep(200);
    }
    """
    sizes = [len(json.dumps(pack(each))) for each in run(Params(source=source, begin=500, pictures=600))]
    assert max(sizes) < 64 * 1024
    assert any(call.skipped for each in run(Params(source=source, begin=900, pictures=20)) for call in each.calls)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("int main(void) { return 1 }", r"^Line 1, column 27: expected ';' after return, found '}'\.$"),
        ("int f(void) { return 1; }", "a program begins in main"),
        ("", "a program begins in main"),
    ],
)
def test_what_is_wrong_with_a_program_is_said(source: str, words: str) -> None:
    with pytest.raises(LabError, match=words):
        next(run(Params(source=source)))
