"""Time work on a GPU by its own clock: warm, in graphs that leave no gaps between launches, with the spread.

An event is a stamp that the GPU puts down when it gets there. The host's clock sees how long it took to ask.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass

from labs.models.timing import Timing, summary

WARM = 3  # calls before any is timed: the first loads code and libraries, the next ones wake the clocks
LONG_ENOUGH = 5e-3  # seconds of a repetition: ten thousand times what an event resolves
MOST_ROUNDS = 1000  # launches in a graph
BUSY = 0.1  # seconds of work while the driver is asked


def timed(work: Callable[[], object], repetitions: int, most: float) -> Timing:
    """``work`` puts one round on torch's stream. All repetitions take about ``most`` seconds, if one takes less."""
    import torch

    for _ in range(WARM):
        took = between_events(work, 1)
    rounds = rounds_for(took, repetitions, most)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(rounds):
            work()
    graph.replay()
    return summary([between_events(graph.replay, 1) for _ in range(repetitions)], rounds)


def rounds_for(took: float, repetitions: int, most: float) -> int:
    """How many rounds make a repetition that is long enough, and longer where ``most`` allows."""
    return max(1, min(MOST_ROUNDS, int(max(LONG_ENOUGH, most / repetitions) / took)))


def between_events(work: Callable[[], object], rounds: int) -> float:
    """Seconds for all rounds by the GPU's clock."""
    import torch

    before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
    before.record()
    for _ in range(rounds):
        work()
    after.record()
    after.synchronize()
    return float(before.elapsed_time(after)) / 1e3


@dataclass(frozen=True)
class Weather:
    """How the GPU did at a moment; 0 where its driver does not say."""

    clock: int
    """MHz of the multiprocessors"""
    temperature: int
    """degrees Celsius"""
    power: float
    """W"""


def weather(work: Callable[[], object], seconds: float) -> Weather:
    """How the GPU does while it works: ``work`` takes it so many seconds."""
    import torch

    for _ in range(max(1, min(MOST_ROUNDS, int(BUSY / seconds)))):
        work()
    found = _ask_driver(str(torch.cuda.get_device_properties().uuid))
    torch.cuda.synchronize()
    return found


def _ask_driver(uuid: str) -> Weather:
    """By the driver's own library, which answers within a millisecond."""
    try:
        library = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return Weather(0, 0, 0.0)
    device = ctypes.c_void_p()
    if library.nvmlInit_v2() or library.nvmlDeviceGetHandleByUUID(f"GPU-{uuid}".encode(), ctypes.byref(device)):
        return Weather(0, 0, 0.0)

    def ask(name: str, *which: int) -> int:
        found = ctypes.c_uint()
        return 0 if getattr(library, name)(device, *which, ctypes.byref(found)) else found.value

    return Weather(
        clock=ask("nvmlDeviceGetClockInfo", 1),  # NVML_CLOCK_SM
        temperature=ask("nvmlDeviceGetTemperature", 0),  # NVML_TEMPERATURE_GPU
        power=ask("nvmlDeviceGetPowerUsage") / 1e3,  # it says milliwatts
    )
