"""The hook that averages buckets in a thread of its own, over gloo, and is then as slow as the reader's network.

DDP reads the types of a hook as objects, so annotations are not kept as text here.
"""

import queue
import threading
import time
from dataclasses import dataclass, field

import torch
import torch.distributed as dist

LINKS = {"loopback": 0.0, "10 Gbit/s": 10e9 / 8, "2.5 Gbit/s": 2.5e9 / 8, "1 Gbit/s": 1e9 / 8}
"""Bytes a second; 0 adds nothing to what the loopback takes."""


def in_a_ring(size: int, processes: int, delay: float, rate: float) -> float:
    """Seconds that a ring takes for so many bytes: twice round, less one stop, with an nth of them at a time."""
    return 2 * (processes - 1) * (delay + (size / processes / rate if rate else 0.0))


@dataclass
class Exchange:
    """What one process clocked of one bucket. Seconds of the monotonic clock, which all processes share."""

    parameters: list[int]
    bytes: int
    launched: float
    entered: float = 0.0
    done: float = 0.0


@dataclass
class Network:
    """Of one process. Buckets are averaged one after the other, in the order in which all processes fill them."""

    processes: int
    delay: float
    rate: float
    number: dict[int, int]
    """Of each parameter, by its id"""
    log: list[Exchange] = field(default_factory=list)
    holds: bool = False
    """Nothing leaves before the last bucket is full: a step without overlap."""

    def __post_init__(self) -> None:
        self.waiting: queue.SimpleQueue[tuple[torch.Tensor, Exchange, torch.futures.Future[torch.Tensor]]]
        self.waiting = queue.SimpleQueue()
        self.open = threading.Event()
        threading.Thread(target=self.carry, daemon=True).start()

    def hook(self, _: object, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:  # type: ignore[name-defined]
        """DDP calls it in backward for each bucket that is full, and goes on at once."""
        buffer = bucket.buffer()
        parameters = [self.number[id(each)] for each in bucket.parameters()]
        exchange = Exchange(parameters, buffer.nbytes, time.monotonic())
        self.log.append(exchange)
        future = torch.futures.Future[torch.Tensor]()
        if not self.holds or bucket.is_last():
            self.open.set()
        self.waiting.put((buffer, exchange, future))
        return future

    def carry(self) -> None:
        while True:
            buffer, exchange, future = self.waiting.get()
            self.open.wait()
            exchange.entered = time.monotonic()
            try:
                dist.all_reduce(buffer.div_(self.processes))
            except RuntimeError as error:  # another process is gone
                future.set_exception(error)  # type: ignore[arg-type]
                continue
            time.sleep(in_a_ring(buffer.nbytes, self.processes, self.delay, self.rate))
            exchange.done = time.monotonic()
            future.set_result(buffer)

    def begin(self, holds: bool) -> None:
        """Before a step, when nothing is on its way."""
        self.log = []
        self.holds = holds
        self.open.clear()
