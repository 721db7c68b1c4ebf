"""What the chapter on the caching allocator says, asked of its model and of the recorded step."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from article import Article
from article import recorded as run_of
from labs.models.allocator.blocks import MIB
from labs.models.allocator.course import State
from labs.models.allocator.traces import lengths, recorded, trace
from labs.pytorch.caching_allocator import Params, run
from labs.pytorch.caching_allocator.allocator import LAG, Allocator

ROOT = Path(__file__).parents[2]
says = Article("pytorch/07-the-caching-allocator.mdx").says


@cache
def log(**params: Any) -> list[State]:
    return list(run(Params(**params)))


def last(**params: Any) -> State:
    return log(**params)[-1]


def fails(**params: Any) -> bool:
    return last(**params).stage == "out of memory"


def test_the_message_at_default_settings() -> None:
    says(
        "Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 768.00 MiB of which 50.00 MiB is free.",
        "451.14 MiB is allocated by PyTorch, and 266.86 MiB is reserved by PyTorch but unallocated.",
        "More than four times as much as was asked for is free",
        "The program had finished four training steps",
        "With longer sequences in every step the same program needs more memory, and finishes",
    )
    failed = last()
    assert failed.message == (
        "CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 768.00 MiB of which "
        "50.00 MiB is free. Of the allocated memory 451.14 MiB is allocated by PyTorch, and 266.86 MiB is reserved "
        "by PyTorch but unallocated."
    )
    assert failed.unallocated > 4 * 64
    assert log()[-2].stage == "step 5"
    equal = last(length="equal")
    assert not fails(length="equal") and equal.peak > last(memory=2048).peak > failed.peak


def test_requests_of_a_step() -> None:
    says("A step of this small model makes almost a hundred requests")
    made = sum(isinstance(entry, list) for entry in recorded()["step"])
    assert 90 < made < 100


def test_equal_lengths_ask_the_device_no_more() -> None:
    says("never again after the second step has begun its backward pass")
    *_, asked = (
        event for before, event in pairwise(log(length="equal")) if event.device_calls > before.device_calls
    )
    assert asked.stage in ("step 1", "step 2") and asked.device_calls == last(length="equal").device_calls
    assert asked.phase == "backward" or asked.stage == "step 1"


def test_how_it_comes_apart() -> None:
    says("In step 1 they have 226 tokens", "In step 2 they have 235", "In step 5 there are 252 tokens")
    tokens = lengths("varying", 6, 256, 0)
    assert (tokens[0], tokens[1], tokens[4]) == (226, 235, 252) and max(tokens[2:4]) < 226
    says("for the largest three")
    second = [event for event in log() if event.stage == "step 2"]
    asked = [event for before, event in pairwise(second) if event.device_calls > before.device_calls]
    largest = max(each.size for each in trace(16, tokens, 1) if each.stage == "step 2") / MIB
    assert [event.wanted for event in asked] == [largest] * 3
    assert log()[30] is asked[-1] and asked[-1].unreserved <= 2
    says(
        "One request of 63 MiB is still served",
        "112 MiB in all, to get one of 64 MiB",
        "The next request needs 63 MiB again",
    )
    before, failed = log()[-2:]
    assert before.wanted == failed.wanted == 63 and before.returned - log()[-3].returned == 112
    assert "the device gives 64 MiB" in before.text and failed.requests == before.requests + 1
    assert failed.unreserved < 64


def test_luck() -> None:
    says("On a device of 680 MiB equal sequences of 256 tokens fit", "seven of the first thirty seeds fail")
    assert not fails(memory=680, length="equal")
    assert sum(fails(memory=680, seed=seed) for seed in range(30)) == 7
    says("of the thirty seeds none fails")
    assert not any(fails(memory=680, seed=seed, expandable=True) for seed in range(30))


def test_what_helps() -> None:
    says("The same six steps then finish")
    assert last(expandable=True).stage == "end"
    assert len(last(expandable=True).segments) == 2
    says("At 0.6 this run survives, at 0.8 it does not")
    assert not fails(collect="0.6") and fails(collect="0.8")
    says("With 48 the run survives. With 64, which none of its tensors reaches, it does not.")
    assert not fails(max_split="48") and fails(max_split="64")
    assert max(each.size for each in trace(16, lengths("varying", 6, 256, 0), 1)) < 64 * MIB


def test_the_batch_waits_for_the_other_stream() -> None:
    says("After each step it waits, in this model for forty more requests and frees")
    assert LAG == 40
    waiting = {event.stage for event in log(streams=2) if event.waiting}
    assert {"step 2", "step 3", "step 4", "step 5"} <= waiting | {"step 1", "step 2"}
    assert {"step 1", "step 2", "step 3", "step 4"} & waiting


def test_twelve_million_bytes() -> None:
    says("Both are 12 MiB")
    allocator = Allocator(64 * MIB)
    allocator.malloc(12_000_000, 0)
    assert allocator.reserved == allocator.allocated == 12 * MIB


def test_who_reserves_most() -> None:
    says("Growing lengths are the worst", "If the longest batch comes first")
    reserved = {kind: last(length=kind, memory=2048).peak_reserved for kind in ("equal", "varying", "growing")}
    assert reserved["equal"] < reserved["varying"] < reserved["growing"]


def test_the_addresses_of_an_h200() -> None:
    says(
        "there the same run took other blocks, and its six steps fitted into the same 768 MiB",
        "in 80 runs on that GPU, with every setting below, it chose the same block for each of the 89,000 requests",
    )
    runs = np.load(ROOT / "tests/labs/pytorch/caching_allocator/on_an_h200.npz")  # compared beside that file
    cases = json.loads(str(runs["cases"]))
    assert len(cases) == 80
    assert round(sum(len(runs[f"found_{n}"]) for n in range(80)), -3) == 89_000
    first = next(n for n, each in enumerate(cases) if each["case"] == {"length": "varying", "seed": 0})
    assert not cases[first]["message"] and fails()
    says("The driver of an H200 went from the top down")
    found = runs[f"found_{first}"]
    grew = np.flatnonzero(np.diff(found[:, 1], prepend=0) >= 20)  # each a new segment, which begins at the tensor
    addresses = found[grew, 0]
    assert (np.diff(addresses) < 0).mean() > 0.9


def test_the_same_steps_on_a_gpu() -> None:
    says("Here the six steps finish", "PyTorch runs out of memory in step 5, as the model does")
    whole = run_of("pytorch/allocator_snapshot")
    assert (
        whole[-1]["stage"] == "end"
        and whole[-1]["tokens"] == last(memory=2048).tokens
        and "H200" in whole[0]["gpu"]
    )
    assert [each["requests"] for each in whole][-1] == whole[-1]["total_requests"] == last(memory=2048).requests
    says("The device in the first figure hands out addresses from the bottom up", "went from the top down")
    begins = [int(whole[-1]["starts"][whole[-1]["segment_of"] == n][0]) for n in range(len(whole[-1]["segments"]))]
    assert (np.diff(begins) < 0).mean() > 0.8
    failed = run_of("pytorch/allocator_snapshot", "memory_720")
    assert failed[-2]["stage"] == "step 5" and failed[-1]["message"].startswith("CUDA out of memory")
    assert fails(memory=720) and log(memory=720)[-2].stage == "step 5"
