"""From code to bytes: what LLVM makes of our code, against gcc, capstone and our interpreter."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import capstone
import gcc
import pytest
from labs.models.c.functions import EXAMPLES
from labs.models.c.lower import compile_c
from labs.models.c.types import Integer
from native.bits.code_to_bytes import Params, answer, run, start
from native.bits.code_to_bytes.pictures import Assembly, Bytes, MachineCode, Pass, Run
from native.models.llvm.targets import TARGETS

HERE = Path(__file__).parent
DISASSEMBLERS = {
    "x86-64": (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
    "AArch64": (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    "RISC-V": (capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV64),
}
LEVELS = ("O0", "O1", "O2", "O3")
EXAMPLE = pytest.mark.parametrize("name", EXAMPLES)


@cache
def story(**params: Any) -> list[Any]:
    """All events of a run, which several tests look at."""
    return list(run(Params(**params)))


def events(**params: Any) -> dict[type, Any]:
    """The last event of each kind."""
    return {type(event): event for event in story(**params)}


def level(name: str) -> Any:
    """Each example goes to one of the levels, some to each."""
    return LEVELS[len(name) % 4]


def in_webassembly(calls: list[str], folder: Path) -> dict[str, float]:
    """What calls like `name.function(1, 2)` return, where name.wasm lies in the folder."""
    script = f"""
      const [made, read] = [{{}}, require("fs").readFileSync];
      (async () => {{
        for (const name of {[path.stem for path in folder.glob("*.wasm")]})
          made[name] = (await WebAssembly.instantiate(read(`${{name}}.wasm`))).instance.exports;
        for (const value of [{", ".join(f"made.{call}" for call in calls)}]) console.log(String(value));
      }})();"""
    command = [Path(sys.executable).with_name("node"), "--input-type=commonjs", "-e", script]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return dict(zip(calls, map(float, done.stdout.split()), strict=True))


@pytest.mark.parametrize("target", DISASSEMBLERS)
@pytest.mark.parametrize("name", ["add", "is_prime", "sort", "length"])
def test_every_instruction_begins_and_ends_where_capstone_says(name: str, target: Any) -> None:
    found = events(source=EXAMPLES[name], target=target, level=level(name))[Bytes]
    reader = capstone.Cs(*DISASSEMBLERS[target])
    reader.syntax = capstone.CS_OPT_SYNTAX_ATT if target == "x86-64" else 0
    code = found.data.tobytes()
    for row in found.rows:
        if row.size:
            (read,) = reader.disasm(code[row.address : row.address + row.size], row.address)
            assert read.size == row.size
            if target == "x86-64":
                assert row.text.split()[0] in (read.mnemonic, "retq", "cltd") or row.text.startswith(read.mnemonic)
    gaps = set(range(len(code))) - {at for row in found.rows for at in range(row.address, row.address + row.size)}
    assert not gaps or target == "x86-64"  # where a loop begins at a round address, nops stand before it


@EXAMPLE
def test_gcc_takes_the_assembly_and_makes_the_same_bytes(name: str, tmp_path: Path) -> None:
    params = Params(source=EXAMPLES[name], level=level(name))
    made = start(compile_c(params.source), params, params.target, quiet=True).made
    debug = (".file", ".loc", ".cfi")
    lines = [line for line in made.assembly.split("\n") if not line.strip().startswith(debug)]
    Path(tmp_path, "p.s").write_text("\n".join(lines))
    subprocess.run(["as", "p.s", "-o", "p.o"], cwd=tmp_path, check=True)
    listing = subprocess.run(
        ["objdump", "-d", "p.o"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    found = events(source=EXAMPLES[name], target="x86-64", level=level(name))[Bytes]
    theirs = [line.split("\t") for line in listing.split("\n") if line.count("\t") >= 2]
    sizes = {int(line[0].strip(" :"), 16): len(line[1].split()) for line in theirs}
    ours = {row.address: row.size for row in found.rows if row.size}
    assert ours.items() <= sizes.items()


def test_the_modules_return_what_the_interpreter_says(tmp_path: Path) -> None:
    said = {}
    for name, source in EXAMPLES.items():
        found = events(source=source, target="x86-64", level=level(name))[Run]
        (tmp_path / f"{name}.wasm").write_bytes(found.module.tobytes())
        for pair in [(0, 0), (1, 1), (12, 8), (15, 4)]:
            each = answer.ask(compile_c(source), pair)
            said[f"{name}.{found.function}({', '.join(each.arguments)})"] = float(each.value)
    assert in_webassembly(list(said), tmp_path) == said


@EXAMPLE
def test_gcc_returns_what_the_interpreter_says(name: str, tmp_path: Path) -> None:
    said = [answer.ask(compile_c(EXAMPLES[name]), pair) for pair in [(1, 1), (12, 8), (15, 4)]]
    calls = "".join(f'printf("%.17g ", (double){each.called}({", ".join(each.arguments)}));' for each in said)
    done = gcc.run(f"#include <stdio.h>\n{EXAMPLES[name]}\nint main(void) {{ {calls} return 0; }}", tmp_path)
    assert [float(each) for each in done.stdout.split()] == [float(each.value) for each in said]


@pytest.mark.parametrize("target", TARGETS)
def test_lines_name_what_they_come_from(target: Any) -> None:
    for each in ("O0", "O2"):
        for event in story(source=EXAMPLES["sort"], target=target, level=each):
            if isinstance(event, Pass | MachineCode | Assembly | Bytes | Run):
                assert all(-1 <= line.code < len(event.code) for line in event.ir)
            if isinstance(event, MachineCode | Assembly | Bytes | Run):
                assert all(-1 <= row.ir < len(event.ir) for row in event.rows)
                known = [row for row in event.rows if not row.text.endswith(":")]
                assert sum(row.ir >= 0 for row in known) > 0.5 * len(known)
    named = {line.text for line in event.ir if line.code >= 0}
    assert any("store" in text for text in named)


def test_a_division_is_linked_to_its_operator() -> None:
    source = EXAMPLES["gcd"]
    found = events(source=source)[Bytes]
    (row,) = [row for row in found.rows if row.text.startswith("idiv")]
    line = found.code[found.ir[row.ir].code]
    assert source[line.start : line.end] == "a % b"


def test_machine_instructions_come_without_the_notes_of_the_code_generator() -> None:
    for target in TARGETS:
        for event in story(source=EXAMPLES["sort"], target=target, level="O2"):
            if isinstance(event, MachineCode):
                words = " ".join(row.text for row in event.rows)
                assert not re.search(r"renamable|killed|\bdead\b|implicit|tied-def", words)


def test_each_pass_is_a_change_from_the_one_before() -> None:
    before: list[str] = []
    seen = []
    for event in story(source=EXAMPLES["gcd"]):
        if isinstance(event, Pass):
            if event.number:
                assert [line.text for line in event.ir if line.change != "new"] == before
                assert any(line.change != "same" for line in event.ir)
            before = [line.text for line in event.ir if line.change != "gone"]
            seen.append(event.number)
    assert seen == list(range(event.code and len(seen)))
    assert isinstance(event, Run)
    assert [line.text for line in event.ir] == before


def test_what_ends_a_block_now_stands_before_the_blocks_that_went() -> None:
    (removed,) = [each for each in story(source=EXAMPLES["sum"]) if getattr(each, "name", "") == "LoopDeletion"]
    lines = [(line.change, line.text.strip()) for line in removed.ir]
    assert lines.index(("new", "br label %L4.loopexit")) < lines.index(("gone", "L1:"))


def test_the_loop_that_sums_up_is_gone() -> None:
    """From O1 the sum has a formula, and the pass that removes the loop is named."""
    whole = story(source=EXAMPLES["sum"])
    (removed,) = [each for each in whole if isinstance(each, Pass) and each.name == "LoopDeletion"]
    assert any("phi" in line.text for line in removed.ir if line.change == "gone")
    (last,) = [each for each in whole if isinstance(each, Bytes)]
    words = " ".join(row.text for row in last.rows)
    assert "imulq" in words
    assert "shrq" in words
    jumps = [row for row in last.rows if row.text.startswith("j")]
    assert len(jumps) == 1  # around the formula for n below 1


ESSAY = "55 48 89 E5 89 7D FC 89 75 F8 8B 55 FC 8B 45 F8 01 D0 5D C3"


def test_the_bytes_that_the_essay_ends_with_are_those_before_any_optimisation(tmp_path: Path) -> None:
    Path(tmp_path, "add.c").write_text(EXAMPLES["add"])
    found = {}
    for level in ("-O0", "-O2"):
        command = ["gcc", level, "-fcf-protection=none", "-c", "add.c", "-o", "add.o"]
        subprocess.run(command, cwd=tmp_path, check=True)
        subprocess.run(["objcopy", "-O", "binary", "-j", ".text", "add.o", "add.bin"], cwd=tmp_path, check=True)
        found[level] = Path(tmp_path, "add.bin").read_bytes()
    assert found["-O0"] == bytes.fromhex(ESSAY)
    assert found["-O2"] == bytes.fromhex("8d 04 37 c3")
    ours = {early: events(source=EXAMPLES["add"], early=early)[Bytes].data.tobytes() for early in (False, True)}
    assert ours[False] == found["-O2"]
    assert ours[True][:10] == found["-O0"][:10]  # the same frame and the same two stores
    assert len(ours[True]) > 4 * len(ours[False])


@pytest.mark.parametrize("kind", ["long", "unsigned long", "unsigned", "short", "unsigned char", "_Bool", "double"])
@pytest.mark.parametrize("value", [-1, 0, 255, -(2**31), 2**31 - 1, -(2**63), 2**63 - 1])
def test_an_argument_of_any_size_reaches_the_function(kind: str, value: int) -> None:
    unit = compile_c(f"{kind} f({kind} a) {{ return a; }}")
    found = answer.ask(unit, (value,))
    expected = unit.routines["f"].type.returns
    if isinstance(expected, Integer):
        assert found.value == str(expected.wrap(value)), found.fault
    else:
        assert float(found.value) == float(value)


def test_names_that_mean_something_to_llvm_or_an_assembler_are_no_trouble() -> None:
    source = """int t1 = 3, L2 = 4, entry;
      int add(int t1, int L1) { int entry = t1 + L1; { int t1 = entry; return t1 + L2; } }"""
    for target in TARGETS:
        found = events(source=source, target=target, level="O0")[Run]
        assert found.answer == "24"


def test_numbers_of_every_width_and_kind_come_out_the_same(tmp_path: Path) -> None:
    source = (
        """
      char c = -3; unsigned char u = 250; short s = -300; long l = 1L << 40; float f = 0.1f; double d = 0.1;
      _Bool yes = 1; int *p = &((int[4]){0})[0];
    """.replace("int *p = &((int[4]){0})[0];", "int cells[4] = {1, 2, 3, 4}; int *p = &cells[1];")
        + """
      struct pair { char tag; int *at; long wide; } one = {'x', &cells[2], -7};
      double all(int a, int b) {
        struct pair two; two = one; two.at++;
        char copy[8]; memset(copy, a, sizeof copy);
        unsigned w = a * 3000000000u; long distance = two.at - p;
        _Bool odd = a & 1, some = d; int shifted = (a << 3) >> b % 5 ^ ~b;
        unsigned char narrow = u + a; short down = s - b; c += b; l /= b | 1; f *= a; d = d - f;
        return c + narrow + down + l % 1000 + f + d + odd + some + shifted + *p++ + *p + *two.at + distance
          + w / 3 + (w >> 3) + copy[3] + (a < b ? -1.5 : 2.5f) + !a + (a && b) + two.wide + (int)(d * 3) + -a;
      }
    """
    )
    said = answer.ask(compile_c(source), (12, 8))
    head = "#include <stdio.h>\n#include <string.h>\n"
    whole = f'{head}{source}\nint main(void) {{ printf("%.17g", all(12, 8)); return 0; }}'
    theirs = gcc.run(whole, tmp_path).stdout.decode()
    assert said.value == theirs
    for each in LEVELS:
        found = events(source=source, target="WebAssembly", level=each)[Run]
        (tmp_path / f"{each}.wasm").write_bytes(found.module.tobytes())
    same = {f"{each}.all(12, 8)": float(said.value) for each in LEVELS}
    assert in_webassembly(list(same), tmp_path) == same


WHOLE = (HERE / "whole.c").read_text()


def test_structs_functions_and_jumps_come_out_the_same(tmp_path: Path) -> None:
    pairs = [(12, 8), (3, -5), (0, 1)]
    said = [answer.ask(compile_c(WHOLE), pair) for pair in pairs]
    calls = "".join(f'printf("%ld ", all({a}, {b}));' for a, b in pairs)
    theirs = gcc.run(f"#include <stdio.h>\n{WHOLE}\nint main(void) {{ {calls} return 0; }}", tmp_path)
    assert [each.value for each in said] == theirs.stdout.decode().split()
    for each in LEVELS:
        found = events(source=WHOLE, target="WebAssembly", level=each)[Run]
        (tmp_path / f"{each}.wasm").write_bytes(found.module.tobytes())
    same = {
        f"{level}.all({a}, {b})": float(each.value)
        for level in LEVELS
        for (a, b), each in zip(pairs, said, strict=True)
    }
    assert in_webassembly(list(same), tmp_path) == same
    for target in ("x86-64", "AArch64", "RISC-V"):
        assert events(source=WHOLE, target=target, level="O0")[Run].answer == said[0].value
