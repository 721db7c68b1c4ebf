"""The process of one run: confined, it iterates the lab and sends what it yields. It loads nothing of the web."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import signal
import socket
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from labs.contract import ImpossibleError, LabError, as_base64, pack
from numpy.typing import NDArray

from underhood.confine import linux, sandbox
from underhood.processes.frames import allowed_kind, frame

SIGNALS = (signal.SIGINT, signal.SIGTERM)  # blocked from birth until this process can take them
YIELD = 10  # of the 19 steps of nice: beside a run in the foreground it gets about a tenth of a core
INLINE = 64 << 10  # bytes: larger arrays travel apart from their event, once, and are fetched by their hash


def become_run(channel: int, log: int, directory: Path, parent: int) -> NoReturn:
    """Become the process of a run, run it, exit. The descriptors are the supervisor's channel and the log."""
    os.setsid()
    linux.die_with(parent)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, *SIGNALS):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.closerange(3, channel)
    os.closerange(channel + 1, 4096)
    with socket.socket(fileno=channel) as connection:
        code = 1
        try:
            code = work(connection, directory)
        finally:
            # Not sys.exit: what the parent registered for its own exit is not ours to run.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)


def work(connection: socket.socket, directory: Path) -> int:
    line = connection.makefile("rb").readline()
    if not line:
        return 0  # the server left before it said what to do
    job = json.loads(line)
    os.chdir(directory)
    environ = {name: os.environ[name] for name in sandbox.KEEP if name in os.environ}
    os.environ.clear()
    os.environ.update(environ, HOME=str(directory), TMPDIR=str(directory))
    tempfile.tempdir = None  # forget where the parent put its files

    def send(letter: bytes, payload: bytes = b"") -> None:
        connection.sendall(frame(letter, payload))

    try:
        if job["background"]:
            linux.yield_processor(YIELD)
        module = importlib.import_module(job["module"])
        package = job["module"].partition(".")[0]
        sandbox.confine(directory, job["limits"], package, network=getattr(module, "LOOPBACK", False))
        iterate(module, job["params"], send)
        send(b"D")
        return 0
    except LabError as error:
        send(b"I" if isinstance(error, ImpossibleError) else b"F", str(error).encode())
    except BaseException as error:
        traceback.print_exc()
        send(b"F", reader_message(error).encode())
    return 1


def iterate(module: Any, values: dict[str, Any], send: Any) -> None:
    apart: set[str] = set()

    def place(array: NDArray[Any]) -> dict[str, Any]:
        if array.dtype.kind not in "biuf":
            raise TypeError(f"an event holds an array of {array.dtype}; only numbers and booleans travel")
        if array.nbytes <= INLINE:
            return as_base64(array)
        data = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).tobytes()
        digest = hashlib.sha256(data).hexdigest()
        if digest not in apart:
            send(b"B", data)
            apart.add(digest)
        return {"dtype": array.dtype.name, "shape": list(array.shape), "blob": digest}

    params = module.Params(**{name: tuple(v) if isinstance(v, list) else v for name, v in values.items()})
    for event in module.run(params):
        packed = pack(event, place)
        kind = packed["kind"]
        if not allowed_kind(kind):
            raise ValueError(f"a lab may not call an event {kind!r}")
        data = json.dumps(packed, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        send(b"E", f"{kind}\n{data}".encode())


def reader_message(error: BaseException) -> str:
    """What the reader hears of an exception; the traceback is for the server's log."""
    name = type(error).__name__
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return "The lab needed more memory than a run may use. Choose smaller parameters."
    article = "an" if name[0] in "AEIOU" else "a"
    mistake = "a mistake in the lab, not in your parameters. The server's log says where."
    return f"The lab stopped with {article} {name}: {mistake}"
