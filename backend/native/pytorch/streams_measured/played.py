"""Executes a program on a GPU with PyTorch, and notes when the host and the device did what.

A kernel spins for as long as the program says, a copy moves what a pinned one would move in that time. All tensors
are of one size, as in the model, and large enough for a segment of their own. PyTorch's profiler says when each
kernel and copy ran; its clock and the host's are one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from labs.contract import LabError
from labs.models.streams.host import Settings
from labs.models.streams.language import Do

from native.models import cuda_driver
from native.pytorch.streams_measured.replay import Log

LEAST = 32 << 20  # bytes of a tensor
THREADS = 1024  # of a block; two blocks fill a multiprocessor
EARLY = 20  # µs by which the profiler's clock may be wrong


def event() -> Any:
    import torch

    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Rates:
    """Bytes that a µs moves from pinned memory, and back."""

    to_device: float
    to_host: float


def rates() -> Rates:
    import torch

    there = torch.zeros(LEAST, dtype=torch.uint8, pin_memory=True)
    here = torch.empty(LEAST, dtype=torch.uint8, device="cuda")

    def rate(target: Any, source: Any) -> float:
        found = []
        for _ in range(5):
            before, after = event(), event()
            before.record()
            target.copy_(source, non_blocking=True)
            after.record()
            after.synchronize()
            found.append(float(before.elapsed_time(after)) * 1e3)
        return LEAST / sorted(found)[2]

    return Rates(rate(here, there), rate(there, here))


def to_stream(handle: int) -> Any:
    import torch

    return torch.cuda.ExternalStream(handle)  # type: ignore[no-untyped-call]


@dataclass
class Stage:
    """What a program needs: memory on both sides, the streams that it names, and the kernel."""

    settings: Settings
    rates: Rates
    kernel: Any
    blocks: int
    """That fill the device"""
    streams: dict[str, Any] = field(default_factory=dict)
    host: dict[tuple[int, bool], Any] = field(default_factory=dict)

    def stream(self, name: str) -> Any:
        """PyTorch's own, from its pool; or as cudaStreamCreate makes them."""
        import torch

        if name not in self.streams:
            if name == "default":
                self.streams[name] = torch.cuda.default_stream() if self.settings.legacy else to_stream(2)
            elif self.settings.blocking:
                from cuda.bindings import runtime

                _, handle = runtime.cudaStreamCreate()
                self.streams[name] = to_stream(int(handle))
            else:
                self.streams[name] = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        return self.streams[name]

    def size(self, do: Do) -> int:
        rate = self.rates.to_device if do.verb == "to_device" else self.rates.to_host
        return max(THREADS * 4, int(do.us * rate))

    def buffer(self, do: Do, number: int) -> Any:
        """Memory of the host for one copy, written once, so that the system has given it."""
        import torch

        size = self.size(do)
        if (number, do.pinned) not in self.host:
            self.host[number, do.pinned] = torch.ones(size, dtype=torch.uint8, pin_memory=do.pinned)
        return self.host[number, do.pinned]


def stage(settings: Settings) -> Stage:
    import torch

    many = torch.cuda.get_device_properties().multi_processor_count
    return Stage(settings, rates(), cuda_driver.load("spin.cu", "spin"), 2 * many)


def played(program: list[Do], stage: Stage, times: int) -> list[Log]:
    """So many runs, each after the GPU has become idle. The first two, which fill caches, are not counted."""
    from torch.profiler import ProfilerActivity, profile

    largest = max([LEAST, *(stage.size(do) for do in program if do.verb in ("to_device", "to_host"))])
    for number, do in enumerate(program):  # memory and streams beforehand: making them takes long
        stage.stream(do.target if do.verb == "stream" else do.stream)
        if do.verb in ("to_device", "to_host"):
            stage.buffer(do, number)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as seen:
        runs = [_Run(stage, largest) for _ in range(times + 2)]
        for run in runs:
            run.all(program)
    found = iter(_ran(seen))
    logs = []
    for run in runs:
        work = [next(found) for _ in run.asked]
        if any(begun < asked - EARLY for (begun, _), asked in zip(work, run.asked, strict=True)):
            raise LabError("The clocks of the host and the GPU disagree: run it again.")
        zero = run.lines[0][0]

        def since(at: float, zero: float = zero) -> int:
            return round(at - zero)

        lines, ran = ([(since(first), since(last)) for first, last in each] for each in (run.lines, work))
        logs.append(Log(lines, ran, [round(each) for each in run.elapsed], run.stopped))
    return logs[2:]


def _ran(seen: Any) -> list[tuple[float, float]]:
    """When kernels of ours and copies ran, in the order in which the host asked for them, in µs."""
    from torch._C._autograd import DeviceType

    found: dict[int, tuple[float, float]] = {}
    for each in seen.profiler.kineto_results.events():
        if each.device_type() == DeviceType.CUDA and each.name().startswith(("spin", "Memcpy")):
            begun = each.start_ns() / 1e3
            span = begun, begun + each.duration_ns() / 1e3
            first = found.setdefault(each.correlation_id(), span)
            found[each.correlation_id()] = min(first[0], span[0]), max(first[1], span[1])
    return [span for _, span in sorted(found.items())]


@dataclass
class _Run:
    stage: Stage
    size: int
    """Bytes of every tensor"""
    held: dict[str, Any] = field(default_factory=dict)
    """Tensors and events by their names"""
    lines: list[tuple[float, float]] = field(default_factory=list)
    """When the host began with each and went on, in µs"""
    asked: list[float] = field(default_factory=list)
    """When it began with the lines that launch a kernel or copy"""
    elapsed: list[float] = field(default_factory=list)
    stopped: bool = False

    def all(self, program: list[Do]) -> None:
        import torch

        torch.cuda.synchronize()
        for number, do in enumerate(program):
            before = time.time_ns() / 1e3
            going = self.do(do, number)
            self.lines.append((before, time.time_ns() / 1e3))
            if do.verb in ("kernel", "kernel_", "to_device", "to_host"):
                self.asked.append(before)
            if not going:
                self.stopped = True
                break
        torch.cuda.synchronize()
        torch.cuda.set_stream(torch.cuda.default_stream())
        self.held.clear()

    def do(self, do: Do, number: int) -> bool:
        """False if PyTorch would refuse to go on."""
        import torch

        stream = self.stage.stream(do.stream)
        if torch.cuda.current_stream() != stream:
            torch.cuda.set_stream(stream)
        match do.verb:
            case "event":
                self.held[do.target] = event()
            case "empty":
                self.held[do.target] = self.tensor()
            case "alias":
                self.held[do.target] = self.held[do.names[0]]
            case "kernel" | "kernel_":
                made = self.held[do.target] if do.verb == "kernel_" else self.tensor()
                read = self.held[do.names[0]] if do.names else made
                blocks = max(1, self.stage.blocks * do.share // 100)
                cuda_driver.launch(self.stage.kernel, (blocks, 1), (THREADS, 1), (do.us, read, made))
                self.held[do.target] = made
            case "to_device":
                buffer, made = self.stage.buffer(do, number), self.tensor()
                made[: len(buffer)].copy_(buffer, non_blocking=do.non_blocking)
                self.held[do.target] = made
            case "to_host":
                buffer = self.stage.buffer(do, number)
                buffer.copy_(self.held[do.names[0]][: len(buffer)], non_blocking=do.non_blocking)
                self.held[do.target] = buffer
            case "record":
                self.held[do.target].record(self.stage.stream(do.names[0]))
            case "wait_event":
                self.stage.stream(do.target).wait_event(self.held[do.names[0]])
            case "wait_stream":
                self.stage.stream(do.target).wait_stream(self.stage.stream(do.names[0]))
            case "synchronize":
                what = (
                    self.held[do.target] if do.target in self.held else do.target and self.stage.stream(do.target)
                )
                what.synchronize() if what else torch.cuda.synchronize()
            case "record_stream":
                self.held[do.target].record_stream(self.stage.stream(do.names[0]))
            case "del":
                del self.held[do.target]
            case "work":
                until = time.time_ns() + 1000 * do.us
                while time.time_ns() < until:
                    pass
            case "elapsed_time":
                first, second = (self.held[name] for name in do.names)
                if not (first.query() and second.query()):
                    return False
                self.elapsed.append(first.elapsed_time(second) * 1e3)
        return True

    def tensor(self) -> Any:
        import torch

        return torch.empty(self.size, dtype=torch.uint8, device="cuda")
