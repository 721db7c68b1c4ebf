"""What the article says of compilers of C, asked of gcc and LLVM; of registers, asked of the lab."""

from __future__ import annotations

import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest
from article import recorded
from execution_article import ROOT, allocated, says
from labs.bits import register_allocation as registers
from native.bits import code_to_bytes


def code_of(source: str, name: str, place: Path, *flags: str) -> str:
    """The bytes of a function as gcc writes them, in hexadecimal."""
    (place / "f.c").write_text(source)
    built = [
        "gcc",
        "-w",
        "-c",
        "-fcf-protection=none",
        "-ffunction-sections",
        *flags,
        "-o",
        place / "f.o",
        place / "f.c",
    ]
    subprocess.run(built, check=True, timeout=60)
    copied = ["objcopy", "-O", "binary", f"--only-section=.text.{name}", place / "f.o", place / "f.bin"]
    subprocess.run(copied, check=True, timeout=60)
    return (place / "f.bin").read_bytes().hex(" ").upper()


ADD = "int add(int a, int b) { return a + b; }"


def test_four_bytes_add_two_numbers_and_twenty_do_so_unoptimised(tmp_path: Path) -> None:
    says("four bytes are left, `8D 04 37 C3`", "twenty of them, beginning with `55 48 89 E5`")
    says("With `-O2` the four bytes above are all there is.", "(`-O0 -fcf-protection=none`)")
    assert code_of(ADD, "add", tmp_path, "-O2") == "8D 04 37 C3"
    plain = code_of(ADD, "add", tmp_path, "-O0")
    assert plain == "55 48 89 E5 89 7D FC 89 75 F8 8B 55 FC 8B 45 F8 01 D0 5D C3"
    assert len(plain.split()) == 20


def compiled(**params: Any) -> list[Any]:
    return list(code_to_bytes.run(code_to_bytes.Params(**params)))


def bytes_of(events: list[Any]) -> bytes:
    return bytes(next(event.data for event in events if event.kind == "bytes"))


def test_llvm_makes_the_same_four_bytes_and_the_mistake_others() -> None:
    says(
        "takes such bytes for the result of the passes: it shows all passes, and then bytes that have been through "
        "none of them"
    )
    says("(LLVM needs eighteen; it adds straight from memory.)")
    add = code_to_bytes.EXAMPLES["add"]
    assert bytes_of(compiled(source=add)).hex(" ").upper() == "8D 04 37 C3"
    early = compiled(source=add, early=True)
    assert len(bytes_of(early)) == 18 and any(event.kind == "pass" for event in early)


def test_the_steps_that_the_words_lead_to() -> None:
    says("First SROA takes the variables out of memory", "until one pass sees that its result has a formula")
    says("and the next pass deletes the loop", "At level O0 none of this happens.")
    shown = recorded("bits/code_to_bytes")
    kinds = [shown[n - 1]["kind"] for n in (1, 2, 3, 4, 25, 26)]
    assert kinds == ["tokens", "tree", "code", "values", "bytes", "run"]
    assert [shown[n - 1]["name"] for n in (7, 16, 17)] == ["SROA", "IndVarSimplify", "LoopDeletion"]
    assert shown[21]["stage"] == "registers"


def test_the_bytes_of_sum_on_two_machines() -> None:
    says("`sum` is ten instructions for x86-64, of one to four bytes each. For AArch64 it is eight, and those take")
    shown = next(event for event in compiled() if event.kind == "bytes")
    sizes = [row.size for row in shown.rows if row.size]
    assert len(sizes) == 10 and sum(sizes) == 25 and {min(sizes), max(sizes)} == {1, 4}
    assert len(bytes_of(compiled(target="AArch64"))) == 32


def test_forty_two_needs_optimising(tmp_path: Path) -> None:
    says("Three listings from an essay", "`B8 2A 00 00 00 C3`, return 42, needs at least `-O1`")
    source = "int f(void) { return 42; }"
    assert code_of(source, "f", tmp_path, "-O1") == "B8 2A 00 00 00 C3"
    assert code_of(source, "f", tmp_path, "-O0") != "B8 2A 00 00 00 C3"


def test_the_bits_of_lea() -> None:
    says(
        "`lea eax, [rdi + rsi]`",
        "| `04` | 00 000 100 |",
        "| `37` | 00 110 111 |",
        "The four bytes are then `8D 0C 37 C3`",
    )
    import capstone

    reader = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    (add, ret) = reader.disasm(bytes.fromhex("8D0437C3"), 0)
    assert (add.mnemonic, add.op_str, ret.mnemonic) == ("lea", "eax, [rdi + rsi]", "ret")
    assert next(reader.disasm(bytes.fromhex("8D0C37"), 0)).op_str == "ecx, [rdi + rsi]"
    assert [f"{0x04:08b}", f"{0x37:08b}", f"{0x0C:08b}"] == ["00000100", "00110111", "00001100"]


def test_llvm_leaves_no_loop_of_the_sum() -> None:
    says("its result has a formula, $(n-1)(n-2)/2 + (n-1)$; the halving is a shift")
    last = [event for event in compiled() if event.kind == "pass"][-1]
    code = [line.text.strip() for line in last.ir if line.change != "gone"]
    assert any(" mul " in line for line in code) and any(" lshr " in line for line in code)
    assert all(any(f"%n, -{less}" in line for line in code) for less in (1, 2))
    assert all((n - 1) * (n - 2) // 2 + n - 1 == sum(range(n)) for n in range(1, 100))
    places = {line.partition(":")[0]: n for n, line in enumerate(code) if re.match(r"[\w.]+:", line)}
    jumps = [
        (n, way) for n, line in enumerate(code) if "br " in line for way in re.findall(r"label %([\w.]+)", line)
    ]
    assert jumps and all(places[way] > n for n, way in jumps)  # nothing leads back


def test_four_lines_and_two_registers() -> None:
    says("1 a = load x a 2 b = load y a b 3 c = a + b b c 4 d = b * c d return d", "a ─── b ─── c d")
    lines = [("a", ["x"]), ("b", ["y"]), ("c", ["a", "b"]), ("d", ["b", "c"])]
    alive = runpy.run_path(str(ROOT / "content/bits/tasks/alive.py"))["alive"]
    after = [set(alive(lines[n + 1 :], ["d"])) - {"x", "y"} for n in range(4)]
    assert after == [{"a"}, {"a", "b"}, {"b", "c"}, {"d"}]
    edges = {
        frozenset((set_, other)) for (set_, _), live in zip(lines, after, strict=True) for other in live - {set_}
    }
    assert edges == {frozenset("ab"), frozenset("bc")}


def test_inc_is_not_llvms() -> None:
    says("And LLVM's own language has no `inc i32`; it adds one with `add`.")
    with pytest.raises(RuntimeError, match="expected instruction opcode"):
        llvm.parse_assembly("define i32 @f(i32 %a) {\n  %b = inc i32 %a\n  ret i32 %b\n}")
    llvm.parse_assembly("define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}")


def test_seven_values_and_eight_registers() -> None:
    says(
        "keeps up to seven values alive and gets four registers",
        "At seven, the number of values alive at once, the spills end",
    )
    says("The eighth register is never used, and still saves lines")
    graph = next(event for event in recorded("bits/register_allocation") if event["stage"] == "graph")
    assert (graph["marks"] // registers.BEHIND).sum(axis=1).max() == 7 and graph["registers"] == 4
    touched = {k: allocated(registers=k).memory or 0 for k in (4, 6, 7, 8)}
    assert touched[6] > 0 == touched[7] == touched[8]
    eight = allocated(registers=8)
    assert not any("r7" in line for line in eight.lines)
    assert (eight.executed or 0) < (allocated(registers=7).executed or 0)


def test_steps_of_the_figure_are_what_the_caption_says() -> None:
    says("liveness is found backwards, becomes a graph")
    shown = recorded("bits/register_allocation")
    assert shown[1]["stage"] == "liveness" and shown[1]["block"] == max(shown[1]["block_of"])
    assert shown[16]["stage"] == "graph"
    assert "so it goes to memory" in shown[43]["text"]


def test_hope_saves_a_third() -> None:
    says("With hope, about a third fewer executed lines touch memory.")
    hoping = allocated("three loops", registers=3).memory or 0
    giving_up = allocated("three loops", registers=3, optimistic=False).memory or 0
    assert 0.6 < hoping / giving_up < 0.73


def test_the_mistakes_do_what_is_said() -> None:
    says("The loop then never ends, and the figure stops it after a hundred thousand lines")
    says("this returns 0 instead of 5", "The colouring is valid and the result is right")
    never = allocated(one_sweep=True)
    assert never.result is None and (never.executed or 0) > 100_000
    wrong = allocated("a branch", registers=3, first_way=True)
    assert (wrong.result, wrong.expected) == (0, 5)
    says("One test is not enough to find either mistake")
    lucky = allocated("a branch", registers=3, first_way=True, arguments="5 3 10")
    never_in = allocated(one_sweep=True, arguments="3 5 0")
    assert lucky.result == lucky.expected and never_in.result == never_in.expected
    served = allocated(first_come=True)
    assert served.result == served.expected and (served.memory or 0) > 3 * (allocated().memory or 0)
    assert recorded("bits/register_allocation", "first_come")[-1]["memory"] == served.memory


def test_the_exercise_on_six_registers() -> None:
    says("`n` once in each test of the loop, and the loop is tested eleven times")
    six = allocated(registers=6)
    says("11. The allocator spills `a`, which is only read")
    assert six.memory == 11 and six.in_memory == ["a_1"]
