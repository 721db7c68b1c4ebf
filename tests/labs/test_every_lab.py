"""What holds for every lab there is: a new lab is tested here before it has a test of its own."""

import json
import random
import re
import time
from typing import Any

import pytest
from draws import drawn, edges
from labs.contract import LabError, pack
from labs.discover import Lab, find
from underhood.contract.validation import validate
from underhood.machine.provenance import has_cuda

# What measures its reader's device runs in tests/e2e/test_device.py.
HERE = [lab for lab in find().values() if not lab.on_device and (has_cuda() or lab.runs_on != ("cuda",))]
LABS = pytest.mark.parametrize("lab", HERE, ids=lambda lab: lab.id)
DETERMINISTIC = pytest.mark.parametrize("lab", [lab for lab in HERE if not lab.measures], ids=lambda lab: lab.id)
EVENTS, EVENT_BYTES = 300, 64 * 1024  # by default parameters: what a page can scrub through and load at once
SLOW = 1.0  # seconds; a lab that takes longer is not run over its whole space of parameters
DRAWS = 25


def check(lab: Lab, values: dict[str, Any]) -> tuple[list[str], float]:
    """The packed log of a run, and the seconds that it took. Every event is one that the lab declares."""
    begun = time.perf_counter()
    log = []
    try:
        for event in lab.run(validate(lab, values)):
            assert type(event) in lab.events, f"{type(event).__name__} is not in the signature of run"
            assert event.kind == type(event).kind
            assert is_sentence(event.text), f"not one sentence: {event.text!r}"
            log.append(json.dumps(pack(event), allow_nan=False))
    except LabError as problem:  # combinations that make no sense may be refused, with advice
        assert values, f"the defaults are refused: {problem}"
        assert is_sentence(str(problem)), f"not one sentence: {str(problem)!r}"
    return log, time.perf_counter() - begun


def is_sentence(text: str) -> bool:
    """One sentence: it begins like one, ends in a full stop, and no other begins within."""
    return bool(re.fullmatch(r"[^\s]((?![.!?]\s+[A-Z])[^\n])*[.!?…]", text))


@LABS
def test_a_default_run_is_small_and_starts_at_once(lab: Lab) -> None:
    log, _ = check(lab, {})
    assert 0 < len(log) <= EVENTS
    assert max(map(len, log)) <= EVENT_BYTES


@DETERMINISTIC
def test_a_deterministic_lab_gives_the_same_log_twice(lab: Lab) -> None:
    (first, seconds), (second, _) = check(lab, {}), check(lab, {})
    assert first == second
    for seed in range(1 if seconds > SLOW else 3):
        values = drawn(lab, random.Random(seed))
        assert check(lab, values)[0] == check(lab, values)[0], values


@LABS
def test_any_valid_parameters_give_a_log_or_advice(lab: Lab) -> None:
    _, seconds = check(lab, {})
    rng = random.Random(lab.id)
    space = [drawn(lab, rng) for _ in range(DRAWS)] + list(edges(lab))
    for values in space[: 1 if seconds > SLOW else None]:
        check(lab, values)


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("The loss is 0.25.", True),
        ("1.3 / 0.2333 + -4 = 1.57, which rounds to 2.", True),
        ("Two words: yes, e.g. a clause; and another (1.5 dB).", True),
        ("", False),
        ("No full stop", False),
        ("One. Two.", False),
        ("One\nline.", False),
        (" Space.", False),
    ],
)
def test_what_counts_as_one_sentence(text: str, one: bool) -> None:
    assert is_sentence(text) == one
