"""What content/bits/02-stacks-heaps-pointers.mdx says, asked of the labs and of their recordings."""

from __future__ import annotations

import itertools
import re
import resource
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import gcc
import numpy as np
import pytest
from article import Article, recorded
from labs.bits import heap_allocator as heap
from labs.bits import memory_machine as machine

ROOT = Path(__file__).parents[2]
ARTICLE = Article("bits/02-stacks-heaps-pointers.mdx")
says = ARTICLE.says


@cache
def pictures(name: str, unchecked: bool = False) -> list[machine.Picture]:
    return list(machine.run(machine.Params(source=machine.LESSONS[name], unchecked=unchecked)))


def end(**params: Any) -> heap.State:
    *_, last = heap.run(heap.Params(**params))
    return last


@cache
def costs() -> np.ndarray:
    """[ways, sizes] as recorded: local array, arena, malloc, calloc, many alive."""
    found: np.ndarray = recorded("bits/alloc_cost")[-1]["median"]
    return found


def test_the_opening_numbers() -> None:
    says("as much as one of 16 bytes", "an allocation costs more than a hundred times as much")
    local, malloc = costs()[0], costs()[2]
    assert local.max() < 2 * local.min()
    assert malloc[7] > 100 * malloc[6]
    places = re.findall(r"cost\.median(\[.+?\])\"", ARTICLE.text)
    assert places[:3] == ["[a local array][262144]", "[malloc and free][262144]", "[malloc and free][65536]"]


def test_what_the_times_show() -> None:
    says("nearly as cheap", "its line rises with the size", "From 128 KiB on")
    local, arena, malloc, calloc, many = costs()
    assert arena[0] < 2 * local[0]
    assert calloc[6] > 10 * calloc[3] > 10 * calloc[0] / 2
    assert many[0] > malloc[0] > 3 * local[0]
    says("Its hump from one kilobyte on, highest at sixteen,")
    assert arena[3:].min() > 2 * arena[0] and arena.argmax() == 5  # 16 KiB
    says("most steeply where the zeros outgrow the nearest cache")
    assert (calloc[1:7] / calloc[:6]).argmax() == 5  # from 16 KiB to 64 KiB, below the cliff
    says("With 256 pieces alive at a time", "128 of 64 KiB, 32 of 256 KiB, 8 of one MiB")
    assert 5 < many[0] / local[0] < 40
    assert [min(256, (8 << 20) // size) for size in (64 << 10, 256 << 10, 1 << 20)] == [128, 32, 8]


def test_what_the_study_makes_of_one_object() -> None:
    says("makes the heap about 200 times as expensive", "a factor of ten would give the heap 22 % of the cycles")
    heap, cycles = 0.028, 0.85
    assert cycles / heap / ((1 - cycles) / (1 - heap)) == pytest.approx(200, rel=0.05)
    assert 10 * heap / (10 * heap + 1 - heap) == pytest.approx(0.22, abs=0.005)
    assert 5 < costs()[4, 0] / costs()[0, 0] < 40  # *256 alive* beside a local array: not 200


def test_the_earlier_cliff_is_the_top_of_the_heap_that_goes_back(tmp_path: Path) -> None:
    says("Tell glibc to keep it, with `M_TRIM_THRESHOLD`, and this cliff is gone.")
    program = gcc.build((ROOT / "wasm/kernels/alloc.c").read_text(), tmp_path, "-O2")

    def faults(tunables: str) -> int:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        command = [program, "many", "4096", "4096", "3", str(128 << 10)]
        subprocess.run(command, check=True, capture_output=True, env={"GLIBC_TUNABLES": tunables}, timeout=60)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before

    assert faults("") > 3 * faults("glibc.malloc.trim_threshold=268435456")


def test_the_map_of_the_memory(tmp_path: Path) -> None:
    says("from low addresses to high ones", "The heap grows upwards, the stack grows downwards")
    source = """
        #include <stdio.h>
        #include <stdlib.h>
        int limit = 10, count;
        int main(void) {
          int local = 0;
          printf("%p %p %p %p %p %p", (void *)main, "text", &limit, &count, malloc(16), &local);
        }"""
    places = [int(place, 16) for place in gcc.run(source, tmp_path).stdout.split()]
    assert len(places) == 6 and places == sorted(places)
    nothing, much = ("int main(void) {}", "char much[1 << 24]; int main(void) { much[5] = 1; }")
    sizes = [gcc.build(source, tmp_path).stat().st_size for source in (nothing, much)]
    assert sizes[1] < sizes[0] + 1000


def test_a_stack_that_runs_out() -> None:
    says("takes almost a quarter of the figure's stack", "The fifth call does not fit.", "one MiB in the figure")
    trouble, calls = pictures("too-deep")[-1].trouble, pictures("too-deep")[-1].calls
    assert trouble and trouble.what == "overflow" and "1,048,576" in trouble.says
    assert [call.name for call in calls] == ["main", *["total"] * 5]


def test_what_a_sanitizer_misses(tmp_path: Path) -> None:
    says("it misses a jump that leaves one live piece and lands inside another")
    source = """
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
          char *a = malloc(16), *b = malloc(16);
          long far = b - a;
          a[far] = 7;
          printf("%d", b[0]);
          free(a);
          free(b);
        }"""
    said = gcc.run(source, tmp_path, "-fsanitize=address")
    assert said.stdout == b"7" and b"overflow" not in said.stderr


def test_swap_shows_what_it_says() -> None:
    says("At step 3 `main` has two integers", "At step 4 a second frame", "At step 6 a statement inside `swap`")
    shown = pictures("swap")
    assert [piece.name for piece in shown[2].calls[0].pieces] == ["x", "y"]
    assert [call.name for call in shown[3].calls] == ["main", "swap"]
    assert {piece.size for piece in shown[3].calls[1].pieces if piece.name in "ab"} == {8}
    assert shown[5].text == "Line 5: x is 7."


def test_frames_of_factorial() -> None:
    says("24 bytes below that of its caller", "Six: `main` and five calls", "From 0x7fffffffdfd8 to 0x7fffffffdfc0")
    deepest = max(pictures("factorial"), key=lambda picture: len(picture.calls))
    assert len(deepest.calls) == 6
    places = [piece.address for call in deepest.calls for piece in call.pieces if piece.name == "n"]
    assert {high - low for high, low in itertools.pairwise(places)} == {24}
    assert places[:2] == [0x7FFFFFFFDFD8, 0x7FFFFFFFDFC0]


def test_pointers_that_walk_and_pointers_that_meet() -> None:
    says("In the last round, step 19", "it gives 12", "it gives 40", "`mine` is six bytes", "lead to six others")
    walking = pictures("array")[18]
    (p,) = [cell for call in walking.calls for piece in call.pieces for cell in piece.cells if cell.name == "p"]
    assert p.arrow and p.arrow.leads == "past the end"
    assert pictures("aliases")[-1].output == "12 40\n"
    strings = pictures("strings")[1]
    assert {piece.name: piece.size for call in strings.calls for piece in call.pieces} == {"mine": 6}
    assert [piece.size for piece in strings.globals if piece.name == "fixed"] == [8]


def test_structs_and_nodes_have_gaps() -> None:
    says("take 24 bytes in one order and 16 in another", "Each `push` asks the heap for 16 bytes")
    assert pictures("struct")[-1].output.startswith("24 16\n")
    node = next(picture for picture in pictures("list") if picture.heap).heap[0]
    assert [(cell.type, cell.size) for cell in node.cells] == [("int", 4), ("void", 4), ("struct node *", 8)]


def test_six_ways_to_be_wrong() -> None:
    says("Line 10 writes through `price`, which was freed in line 7", "prints it as somebody's age")
    trouble = pictures("use-after-free")[-1].trouble
    assert trouble and (trouble.line, trouble.freed) == (10, 7)
    assert pictures("use-after-free", unchecked=True)[-1].output == "99\n"
    says("`strcpy` copies ten bytes into eight", "the ninth lands in `allowed`", "the counter reads 1235")
    trouble = pictures("stack-overflow")[-1].trouble
    assert trouble and "write of 10 bytes" in trouble.says and "8 bytes" in trouble.says
    assert pictures("stack-overflow", unchecked=True)[-1].output == "0\n1\n"
    assert pictures("dangling-pointer", unchecked=True)[-1].output == "1235\n"
    says(
        "counts to eight, over an array of three",
        "Three of four items are incremented without ever having been set",
    )
    hit = [picture for picture in pictures("heap-overflow", unchecked=True) if picture.heap]
    assert hit[-1].output == "7\n"


def test_a_leak_is_not_an_overflow() -> None:
    says("`malloc` returns `NULL`, as the standard says it may, and the loop ends")
    full = pictures("leak-until-full")[-1]
    assert full.trouble is None and full.output == "10\n" and full.leaked_bytes == 1_000_000
    assert pictures("leak")[-1].leaked_bytes == 12


def test_what_an_allocator_wastes() -> None:
    says("A request for 40 bytes takes 48 here, one for 41 takes 64", "112 is the next multiple of 16")
    assert [int(end(pattern="written", written=f"a{size}").sizes[0]) for size in (40, 41, 100)] == [48, 64, 112]
    apart = end(pattern="every other")
    says("Half of the heap is free, and a request for two blocks fails")
    assert apart.free_bytes == apart.heap / 2 and apart.stage == "failed"


def test_the_policies_on_these_requests() -> None:
    says("refuse nothing", "next fit refuses two requests and worst fit three")
    failed = {policy: end(policy=policy).failed for policy in ("first", "next", "best", "worst")}
    assert failed == {"first": 0, "next": 2, "best": 0, "worst": 3}
    says("worst fit rarely escapes last place", "it looks at the fewest blocks")
    many = [{policy: end(policy=policy, seed=seed) for policy in failed} for seed in range(40)]
    most = [max(each.failed for each in states.values()) for states in many]
    assert sum(states["worst"].failed == top for states, top in zip(many, most, strict=True)) > 30
    mean = {policy: np.mean([states[policy].looks for states in many]) for policy in failed}
    assert min(mean, key=lambda policy: mean[policy]) == "next"


def test_blocks_have_to_be_merged() -> None:
    says("16 requests are refused, with more than nine tenths of the free bytes outside the largest piece")
    never = end(pattern="growing", never_merge=True)
    assert never.failed == 16 and never.external > 0.9
    assert end(pattern="growing").failed == 0
