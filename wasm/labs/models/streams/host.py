"""The host: executes a program line by line, puts work into the queues of a device, and waits where it has to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from labs.contract import Sentence
from labs.models.programs.trouble import ProgramError
from labs.models.streams.device import Kind, Op
from labs.models.streams.language import Do
from labs.models.streams.names import Answer, Clock, Event, Names
from labs.models.streams.pictures import Doing, Reading, Span
from labs.models.streams.tell import NOT_READY, told

MARK = 2  # µs that record and wait take the host


@dataclass(frozen=True)
class Settings:
    launch: int
    legacy: bool
    blocking: bool
    one_by_one: bool
    """Wait for each operation, as CUDA_LAUNCH_BLOCKING=1 says"""


@dataclass(frozen=True)
class Step:
    """After a line."""

    line: int
    at: int
    text: Sentence
    spans: int
    """How many there are by now; and so on"""
    readings: int
    issued: int
    blocks: list[tuple[str, str]]
    """[blocks] the stream, and the tensor in it"""
    stopped: bool = False


@dataclass
class Host(Names):
    settings: Settings = field(kw_only=True)
    spans: list[Span] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    early: list[tuple[Op, int]] = field(default_factory=list)
    """Copies to the host that it read without knowing that they had ended, and when"""

    def run(self, program: list[Do]) -> Iterator[Step]:
        """Raises ``ProgramError``."""
        for do in program:
            before, began, busy = len(self.device.ops), self.now, len(self.spans)
            ready = self.execute(do)
            if do.verb in ("stream", "event", "enter"):
                continue
            waited = any(span.doing == "wait" for span in self.spans[busy:])
            took, ops = self.now - began, self.device.ops[before:]
            text = told(do, ops, took, waited, *self.readings[-1:]) if ready else NOT_READY
            yield self.step(do.line, text, stopped=not ready)
            if not ready:
                return

    def step(self, line: int, text: Sentence, stopped: bool = False) -> Step:
        blocks = [*zip(self.memory.owners, self.memory.holds, strict=True)]
        return Step(
            line, self.now, text, len(self.spans), len(self.readings), len(self.device.ops), blocks, stopped
        )

    def execute(self, do: Do) -> bool:
        """False if it cannot be, as PyTorch would say."""
        match do.verb:
            case "stream":
                self.new_stream(do)
            case "event":
                self.bind(do.line, do.target, Event())
            case "enter":
                self.stream(do, do.names[0])
            case "time":
                self.bind(do.line, do.target, Clock(self.now, len(self.device.ops)))
            case "empty":
                self.bind(do.line, do.target, self.allocate(do))
            case "alias":
                tensor = self.tensor(do, do.names[0])
                tensor.names.add(do.target)
                if self.names.get(do.target) is not tensor:
                    self.bind(do.line, do.target, tensor)
            case "kernel" | "kernel_" | "to_device" | "to_host":
                self.launch(do)
            case "record":
                event, stream = self.event(do, do.target), self.stream(do, do.names[0])
                self.spend(do, "launch", MARK)
                event.recorded = self.queue(do, stream, "record", do.target)
            case "wait_event" | "wait_stream":
                self.wait(do)
            case "synchronize":
                self.synchronize(do)
            case "record_stream":
                self.tensor(do, do.target).used_on.add(self.stream(do, do.names[0]))
            case "del":
                self.tensor(do, do.target)
                self.drop(do.target)
                del self.names[do.target]
            case "work":
                self.spend(do, "work", do.us)
            case "since":
                clock = self.thing(do, do.names[0], Clock, "what time() has given")
                running = any(not 0 <= op.end <= self.now for op in self.device.ops[clock.issued :])
                self.readings.append(Reading(do.line, "host", clock.at, self.now, self.now - clock.at, running))
            case "elapsed_time":
                return self.elapsed(do)
            case "read":
                answer = self.thing(do, do.names[0], Answer, "what to_host has made; copy a tensor first")
                if not self.known & answer.op.bit:
                    self.early.append((answer.op, self.now))
        return True

    def launch(self, do: Do) -> None:
        stream = self.stream(do, do.stream)
        reads = [self.tensor(do, name) for name in do.names]
        writes = [self.tensor(do, do.target)] if do.verb == "kernel_" else []
        if do.verb in ("kernel", "to_device"):
            writes = [self.allocate(do)]
        self.spend(do, "launch", self.settings.launch)
        kinds: dict[str, Kind] = {"to_device": "to device", "to_host": "to host"}
        op = self.queue(do, stream, kinds.get(do.verb, "kernel"), do.target)
        for tensor in reads:
            self.memory.touch(op, tensor, writes=False)
        for tensor in writes:
            self.memory.touch(op, tensor, writes=True)
        if do.verb in ("kernel", "to_device"):
            self.bind(do.line, do.target, writes[0])
        elif do.verb == "to_host":
            self.bind(do.line, do.target, Answer(op))
        copies = op.kind != "kernel"
        if self.settings.one_by_one or (copies and not (do.pinned and do.non_blocking)):
            self.wait_for(do, [op])

    def queue(self, do: Do, stream: str, kind: Kind, label: str, also: tuple[Op, ...] = ()) -> Op:
        copy_or_kernel = kind not in ("record", "wait")
        op = Op(
            len(self.device.ops), do.line, stream, kind, label,
            us=do.us if copy_or_kernel else 0, share=do.share if kind == "kernel" else 0, issued=self.now,
        )  # fmt: skip
        others = []
        if self.settings.legacy and self.settings.blocking:
            others = [each for each in self.last if each != "default"] if stream == "default" else ["default"]
        implicit = [self.last[each] for each in others if each in self.last and each != stream]
        ahead = [self.last[stream]] if stream in self.last else []
        op.implicit = [each.number for each in implicit]
        op.known = self.known
        for each in (*ahead, *also, *implicit):
            op.after.append(each.number)
            op.known |= each.known | each.bit
        self.device.issue(op)
        self.last[stream] = op
        return op

    def wait(self, do: Do) -> None:
        stream = self.stream(do, do.target)
        self.spend(do, "launch", MARK)
        if do.verb == "wait_stream":
            other = self.stream(do, do.names[0])
            recorded: Op | None = self.queue(do, other, "record", other)
        else:
            recorded = self.event(do, do.names[0]).recorded
        self.queue(do, stream, "wait", do.names[0], (recorded,) if recorded else ())

    def synchronize(self, do: Do) -> None:
        if not do.target:
            return self.wait_for(do, [*self.last.values()])
        thing = self.names.get(do.target)
        if isinstance(thing, Event):
            return self.wait_for(do, [thing.recorded] if thing.recorded else [])
        stream = self.stream(do, do.target)
        return self.wait_for(do, [self.last[stream]] if stream in self.last else [])

    def wait_for(self, do: Do, ops: list[Op]) -> None:
        end = self.device.finish(ops)
        self.spend(do, "wait", max(0, end - self.now))
        for op in ops:
            self.known |= op.known | op.bit

    def elapsed(self, do: Do) -> bool:
        first, second = (self.event(do, name).recorded for name in do.names)
        if first is None or second is None:
            raise ProgramError(f"line {do.line}: record both events before you ask for the time between them")
        if not all(0 <= op.end <= self.now for op in (first, second)):
            return False
        self.readings.append(Reading(do.line, "events", first.end, second.end, second.end - first.end, False))
        return True

    def spend(self, do: Do, doing: Doing, us: int) -> None:
        if us:
            self.spans.append(Span(do.line, doing, self.now, self.now + us))
        self.now += us
        self.device.advance(self.now)
