"""What holds for every lab there is: a new lab is tested here before it has a test of its own."""

import json
import os
import random
import re
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import pytest
from declared import refuse_undeclared
from default_runs import each, packed
from draws import drawn, edges
from extent import ALL, MORE, draws
from labs.contract import LabError, Sentence, pack
from labs.discover import Lab, find
from notebook_runs import events
from underhood.contract.schema import describe
from underhood.contract.validation import validate
from underhood.machine.provenance import has_cuda

# What measures its reader's device runs in tests/e2e/test_device.py.
HERE = [lab for lab in find().values() if not lab.on_device and (has_cuda() or lab.runs_on != ("cuda",))]
LABS, DETERMINISTIC = each(HERE), each(lab for lab in HERE if not lab.measures)
EVENTS, EVENT_BYTES = 300, 64 * 1024  # by default parameters: what a page can scrub through and load at once
SECONDS = 0.4 * MORE if ALL else 0.2  # of this processor for a lab, over its whole space of parameters


def check(lab: Lab, values: dict[str, Any]) -> list[str]:
    """The packed log of a run, or of a lab that measures its start; every event is one that the lab declares."""
    assert values or not lab.measures, "its one default run is that of its notebook"
    log = []
    try:
        for event in islice(lab.run(validate(lab, values)), 1 if lab.measures and not ALL else None):
            assert type(event) in lab.events, f"{type(event).__name__} is not in the signature of run"
            assert event.kind == type(event).kind
            assert is_sentence(event.text), f"not one sentence: {event.text!r}"
            log.append(json.dumps(pack(event), allow_nan=False))
    except LabError as problem:  # combinations that make no sense may be refused, with advice
        assert values, f"the defaults are refused: {problem}"
        assert is_sentence(str(problem)), f"not one sentence: {str(problem)!r}"
    return log


def affordable(lab: Lab, space: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The first of these parameters and, if the lab does not measure, more until its seconds are spent."""
    spent = processor()
    for values in space:
        yield values
        if processor() - spent > SECONDS or (lab.measures and not ALL):
            return


def processor() -> float:
    """Seconds that this process and the children that it waited for have computed."""
    return sum(os.times()[:4])


def is_sentence(text: str) -> bool:
    """One sentence: it begins like one, ends in a full stop, and no other begins within."""
    return bool(re.fullmatch(r"[^\s]((?![.!?]\s+[A-Z])[^\n])*[.!?…]", text))


@LABS
def test_a_default_run_is_small_and_starts_at_once(lab: Lab, kept: Path) -> None:
    if lab.measures:
        log = [json.dumps(event) for event in events(lab, kept)]
        for event in events(lab, kept):
            refuse_undeclared(lab, event)
            said = Sentence.unpacked(event["text"])
            assert is_sentence(said), f"not one sentence: {said!r}"
    else:
        log = packed(lab)  # which the next test runs again, and looks at each event
    assert 0 < len(log) <= EVENTS
    assert max(map(len, log)) <= EVENT_BYTES


@DETERMINISTIC
def test_a_deterministic_lab_gives_the_same_log_twice(lab: Lab) -> None:
    for values in affordable(lab, [{}, *(drawn(lab, random.Random(seed)) for seed in range(3))]):
        assert check(lab, values) == (check(lab, values) if values else packed(lab)), values


@LABS
def test_any_valid_parameters_give_a_log_or_advice(lab: Lab) -> None:
    """Draws and edges by turns, none of them the defaults."""
    rng = random.Random(lab.id)
    ends = [*edges(lab)]
    rng.shuffle(ends)
    space = zip_longest((drawn(lab, rng) for _ in range(draws(25))), ends)
    for values in affordable(lab, (values for pair in space for values in pair if values is not None)):
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


def test_a_lab_asks_one_of_the_server_that_takes_what_it_is_asked_about() -> None:
    labs = find()
    asking = {lab.id: lab.asks for lab in labs.values() if lab.asks}
    assert asking
    for own, (other, *names) in asking.items():
        asks, takes = (describe(labs[each])["params"]["properties"] for each in (own, other))
        assert "cpu" in labs[other].runs_on, own
        assert names, own
        for name in names:
            if "examples" in asks[name]:  # of a text, a server is asked about these alone
                assert set(asks[name]["examples"].values()) == set(takes[name]["enum"]), (own, name)
            else:
                assert asks[name] == takes[name], (own, name)
