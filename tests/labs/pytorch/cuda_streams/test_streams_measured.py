"""What was measured becomes pictures. Given the model's own times in place of a GPU's, they are the model's."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from labs.contract import LabError
from labs.models.streams.examples import EXAMPLES
from labs.models.streams.host import Host, Settings
from labs.models.streams.language import Do
from labs.models.streams.moments import Moment, course
from native.pytorch.streams_measured import Params, end, run, shown
from native.pytorch.streams_measured.replay import Log, Replay
from underhood.machine.provenance import has_cuda

from .graph import random_program


@dataclass
class Noting(Host):
    """A host of the model that notes when it did what, as one on a GPU does."""

    noted: list[tuple[int, int]] = field(default_factory=list)

    def execute(self, do: Do) -> bool:
        began = self.now
        ready = super().execute(do)
        self.noted.append((began, self.now))
        return ready


def both(program: str, **settings: bool) -> tuple[list[Moment], list[Moment], Log]:
    of = Settings(**{"launch": 7, "legacy": True, "blocking": False, "one_by_one": False, **settings})  # type: ignore[arg-type]
    model = Noting(settings=of)
    computed = [*course(model, program)]
    stopped = computed[-1].stage == "stopped" or any(each.stage == "stopped" for each in computed)
    work = [(op.start, op.end) for op in model.device.ops if op.us]
    log = Log(model.noted, work, [each.us for each in model.readings if each.clock == "events"], stopped)
    return computed, [*course(Replay(settings=of, log=log), program)], log


FREE = ", pinned=True, non_blocking=True"


def freed(program: str) -> str:
    """Its copies without waiting: where the host waits, nobody sees the end of the launch, and the replay takes the
    beginning of the copy for it."""
    return re.sub(rf"(to_\w+\([^)]*?)({FREE}|, pinned=True|, non_blocking=True)?\)", rf"\1{FREE})", program)


SAME = (
    "stage", "line", "now", "end", "streams", "waiting", "work", "arrows", "compute", "conflicts", "readings",
    "blocks", "ran", "overlapped", "text",
)  # fmt: skip


def assert_same(computed: list[Moment], shown: list[Moment]) -> None:
    assert len(computed) == len(shown)
    for one, other in zip(computed, shown, strict=True):
        for name in SAME:
            assert getattr(one, name) == getattr(other, name), name


@pytest.mark.parametrize("blocking", [False, True])
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_come_out_as_they_went_in(name: str, blocking: bool) -> None:
    computed, shown, _ = both(freed(EXAMPLES[name]), blocking=blocking)
    assert_same(computed, shown)


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_come_out_as_they_went_in(seed: int) -> None:
    graph = random_program(seed, legacy=seed % 2 == 1, waits=0.3)
    program = freed("\n".join(graph.lines))
    computed, shown, log = both(program, blocking=seed % 2 == 1)
    assert_same(computed, shown)
    assert end(log) == computed[-1].end


def test_the_median_of_the_repetitions_is_shown() -> None:
    of = Settings(launch=1, legacy=True, blocking=False, one_by_one=False)
    program = EXAMPLES["missing_wait"]
    logs = [
        Log([(0, 1)] * 3 + [(2, 9), (9, 20), (20, end)], [(8, 88), (21, end)], []) for end in (90, 85, 100, 95, 93)
    ]
    *_, last = shown(program, of, logs, "a GPU")
    assert (last.end, last.low, last.high, last.repetitions, last.gpu) == (93, 90, 95, 5, "a GPU")
    (conflict,) = last.conflicts
    assert conflict.wrong and "without waiting" in conflict.words


def test_a_line_that_took_longer_makes_the_host_late() -> None:
    """A kernel that the device began before the host came back from launching it, as a real one does."""
    of = Settings(launch=1, legacy=True, blocking=False, one_by_one=False)
    log = Log([(0, 9), (9, 30)], [(4, 27)], [])
    *_, last = course(Replay(settings=of, log=log), "x = kernel(20)\nsynchronize()")
    (work,) = last.work
    assert (work.issued, work.start, work.end) == (9, 4, 27)
    assert [(span.doing, span.start, span.end) for span in last.host] == [("launch", 0, 9), ("wait", 9, 30)]


def test_a_kernel_that_fits_in_part_fills_the_device() -> None:
    of = Settings(launch=1, legacy=True, blocking=False, one_by_one=False)
    program = "s = Stream()\na = kernel(9, share=60)\nwith stream(s):\n    b = kernel(9, share=60)\nsynchronize()"
    log = Log([(0, 0), (0, 1), (1, 1), (1, 2), (2, 20)], [(2, 12), (4, 18)], [])
    *_, last = course(Replay(settings=of, log=log), program)
    assert [each.percent for each in last.compute] == [60, 100, 60]


@pytest.mark.skipif(has_cuda(), reason="there it measures")
def test_a_program_is_refused_before_a_gpu_is_asked() -> None:
    with pytest.raises(LabError, match="none here"):
        list(run(Params()))
    for program in ("x = kernel(5)\ndel y", f"{EXAMPLES['not_ready']}del y"):  # behind a line that may end it, too
        with pytest.raises(LabError, match=r"[Ll]ine \d"):
            list(run(Params(program=program)))
