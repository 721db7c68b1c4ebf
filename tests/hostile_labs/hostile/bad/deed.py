"""Deed: does the one bad thing that it is asked to do."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from labs.contract import Event, Float32, Label, LabError

Deed = Literal[
    "advise",
    "crash",
    "segfault",
    "exit",
    "flood",
    "giant_event",
    "giant_array",
    "many_bytes",
    "stubborn",
    "stubborn_c_loop",
    "sleep",
    "breed_and_stay",
    "breed_and_leave",
    "print",
    "hog_memory",
    "hog_files",
    "burn_processor",
    "not_a_number",
    "reserved_kind",
    "scribble",
    "object_array",
    "spy",
    "look_around",
    "fork_bomb",
    "hog_gigabyte",
    "flood_output",
]


@dataclass(frozen=True)
class Params:
    deed: Annotated[Deed, Label("Deed")] = "sleep"


@dataclass(frozen=True)
class Told(Event):
    kind: Literal["told"] = "told"
    value: Any = None


@dataclass(frozen=True, kw_only=True)
class Heavy(Event):
    kind: Literal["heavy"] = "heavy"
    array: Float32


def run(params: Params) -> Iterator[Told | Heavy]:
    yield Told(text="It begins.", value=os.getpid())
    yield from DEEDS[params.deed]()


def advise() -> Iterator[Told]:
    raise LabError("Choose fewer bits: 40 do not fit.")
    yield


def crash() -> Iterator[Told]:
    yield Told(text="", value=1 / 0)


def segfault() -> Iterator[Told]:
    ctypes.string_at(0)
    yield Told(text="Never.")


def leave() -> Iterator[Told]:
    os._exit(3)
    yield


def flood() -> Iterator[Told]:
    while True:
        yield Told(text="More. " * 700)


def giant_event() -> Iterator[Told]:
    yield Told(text="x" * (2 << 20))


def giant_array() -> Iterator[Heavy]:
    yield Heavy(text="Large.", array=np.zeros(16 << 20, np.float32))


def many_bytes() -> Iterator[Heavy]:
    for n in range(1000):
        yield Heavy(text="Large.", array=np.full(1 << 20, n, np.float32))


def stubborn() -> Iterator[Told]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield Told(text="SIGTERM is ignored from here on.")
    while True:
        time.sleep(60)


def stubborn_c_loop() -> Iterator[Told]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield Told(text="Now in C, without looking up.")
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)


def sleep() -> Iterator[Told]:
    time.sleep(3600)
    yield Told(text="Never.")


def breed() -> list[int]:
    """A plain child; one that leads its own session and has a child; an orphan. All are deaf to SIGTERM."""
    reader, writer = os.pipe()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def bear(then: Callable[[], Any]) -> None:
        """A child that does this and sleeps; its parent tells of it, as it may not live long enough itself."""
        if pid := os.fork():
            os.write(writer, f"{pid}\n".encode())
            return
        then()
        time.sleep(3600)
        os._exit(0)

    def sleep() -> None:
        pass

    def lead() -> None:
        os.setsid()
        bear(sleep)

    def abandon() -> None:
        os.setsid()
        bear(sleep)
        os._exit(0)

    for then in (sleep, lead, abandon):
        bear(then)
    pids = b""
    while pids.count(b"\n") < 5:
        pids += os.read(reader, 100)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return [int(pid) for pid in pids.split()]


def breed_and_stay() -> Iterator[Told]:
    yield Told(text="They live.", value=breed())
    time.sleep(3600)


def breed_and_leave() -> Iterator[Told]:
    yield Told(text="They live.", value=breed())


def print_much() -> Iterator[Told]:
    for _ in range(100):
        sys.stdout.write("noise\n" * 2000)
        os.write(1, b"to the descriptor\n")
    yield Told(text="It was quiet here.")


def hog_memory() -> Iterator[Told]:
    held = []
    while True:
        held.append(bytearray(64 << 20))
        yield Told(text="More.", value=len(held))


def hog_files() -> Iterator[Told]:
    with Path("large").open("wb") as file:
        while True:
            file.write(bytes(16 << 20))
    yield


def burn_processor() -> Iterator[Told]:
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    while True:
        pass
    yield


def not_a_number() -> Iterator[Told]:
    yield Told(text="", value=float("nan"))


def reserved_kind() -> Iterator[Heavy]:
    kind: Any = "end"
    yield Heavy(text="", kind=kind, array=np.zeros(1, np.float32))


def scribble() -> Iterator[Told]:
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"!" * 100)
    yield Told(text="Still here?")


def fork_bomb() -> Iterator[Told]:
    """Children outside of its group, as many as the kernel lets be, up to 3,000."""
    for born in range(3000):
        try:
            if os.fork() == 0:
                os.setsid()
                time.sleep(60)
                os._exit(0)
        except BlockingIOError:
            yield Told(text="No more.", value=born)
            return
    yield Told(text="Nothing stopped it.", value=3000)


def hog_gigabyte() -> Iterator[Told]:
    held = np.ones(1 << 27)  # 8 bytes each
    yield Told(text="It is all mine.", value=held.nbytes)


def flood_output() -> Iterator[Told]:
    for _ in range(100):
        os.write(1, b"noise " * 170_000 + b"\n")
    yield Told(text="All said.")


def object_array() -> Iterator[Heavy]:
    yield Heavy(text="", array=np.array([object()], object))


def spy() -> Iterator[Told]:
    """Each thing that must not work, and whether it did."""
    attempts: dict[str, Callable[[], Any]] = {
        "read a secret": lambda: Path("/etc/shadow").read_bytes(),
        "read a file that all may read": lambda: Path("/tmp/underhood-secret").read_bytes(),
        "list home": lambda: os.listdir(os.path.expanduser("~root")),
        "write outside": lambda: Path("/tmp/underhood-spy").write_text("here"),
        "write to the machine's memory": lambda: os.open("/dev/mem", os.O_RDWR),
        "make a TCP socket": lambda: socket.socket(socket.AF_INET),
        "make a UDP socket": lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM),
        "signal the parent": lambda: os.kill(os.getppid(), 0),
        "read the parent's environment": lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
        "raise its own limit": lambda: __import__("resource").setrlimit(0, (-1, -1)),
    }
    for name, attempt in attempts.items():
        try:
            attempt()
        except (OSError, ValueError) as error:
            yield Told(text=name, value=[name, type(error).__name__])
        else:
            yield Told(text=name, value=[name, "done"])


def look_around() -> Iterator[Told]:
    directory = Path.cwd()
    Path("mine").write_text("this is allowed")
    yield Told(
        text="What a lab sees.",
        value={
            "directory": str(directory),
            "environ": dict(os.environ),
            "stdin": sys.stdin.read(),
            "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
            "session": os.getsid(0) == os.getpid(),
        },
    )


DEEDS: dict[str, Callable[[], Iterator[Any]]] = {name: globals().get(name, leave) for name in Deed.__args__}
DEEDS |= {"print": print_much, "exit": leave}
