"""The rest of the road, in a process of its own: a library is loaded for good, and a broken one may end it."""

from __future__ import annotations

import json
import os
import signal
import socket
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labs.contract import LabError

from native.models.alone import alone, reason
from native.pytorch.cpp_extension import calls, clock
from native.pytorch.cpp_extension.symbols import bound

if TYPE_CHECKING:
    from native.pytorch.cpp_extension import Params

SECONDS = 30
LOST = 127
"""The exit code with which the loader ends a process whose symbol it does not find"""


def steps(library: Path, params: Params) -> Iterator[dict[str, Any]]:
    """What the other process tells, one step after the other; where it ends early, why, as ``{"error": …}``."""
    import torch

    assert torch  # before the fork: there it would be loaded anew
    ours, theirs = socket.socketpair()
    with tempfile.TemporaryFile() as complaints, ours:
        pid = os.fork()
        if not pid:
            ours.close()
            alone(partial(_carry_out, library, params, theirs, complaints.fileno()), SECONDS)
        theirs.close()
        code = 0
        try:
            with ours.makefile() as lines:
                while _asked(ours) and (line := lines.readline()):
                    yield json.loads(line)
        finally:
            ours.shutdown(socket.SHUT_RDWR)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code == -signal.SIGALRM:
            raise LabError(f"The extension was stopped after {SECONDS} seconds: take fewer numbers.")
        if code:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip().rpartition("\n")[2]
            if code != LOST:
                raise RuntimeError(f"the extension ended with {reason(code)}: {said}")
            yield {"error": _short(said, library), "exit": code}


def _asked(ours: socket.socket) -> bool:
    """Ask for more, so that nothing is measured while nobody waits; false if it is gone."""
    try:
        ours.sendall(b"?")
    except BrokenPipeError:
        return False
    return True


def _carry_out(library: Path, params: Params, theirs: socket.socket, complaints: int) -> None:
    import torch

    os.dup2(complaints, 2)
    torch.set_num_threads(1)
    work = _work(library, params)
    while theirs.recv(1) and (told := next(work, None)):
        theirs.sendall(json.dumps(told).encode() + b"\n")


def _work(library: Path, params: Params) -> Iterator[dict[str, Any]]:
    loaded = calls.load(library, params.binding)
    if "error" in loaded:
        yield {"step": "load", **loaded, "error": _short(loaded["error"], library)}
        return
    now = bound(library, loaded["at"])
    yield {"step": "load", **loaded, "registered": calls.registered(params.op), "bound": now}
    first = calls.first(params)
    yield {"step": "call", **first, "bound": bound(library, loaded["at"])}
    if "error" in first:
        return
    yield {"step": "check", "checks": calls.checks(params)}
    yield {"step": "time", **clock.timed(library, params)}


def _short(said: str, library: Path) -> str:
    """Without the folder of the run, and without which program it was."""
    said = said.replace(f"{library.parent}/", "")
    return said.partition(": symbol lookup error: ")[2] or said
