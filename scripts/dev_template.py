"""What a change is tried in: forks of a process that holds our code as it was loaded before.

That process, the template, serves nobody and has no threads. Asked for a newer server it forks; the fork forgets
what is old, reads it anew, and takes over if it loads.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dev_modules
from dev_load import load

QUIET_S = 1  # from a change until its notebooks are written: an author looks at the page first
LOADED, FAILED, ANEW = b".", b"!", b"?"  # ANEW: so much is old that a new template is as soon there


@dataclass
class Template:
    listener: socket.socket
    told: Path
    link: socket.socket  # to the process that watches; when it closes, everything here ends
    patience: float  # seconds that code may take to load
    server: int = 0
    files: dev_modules.Files = field(default_factory=dev_modules.files)  # as they were before any was read

    def hold(self) -> None:
        """Load everything, serve it, and answer requests for something newer."""
        gc.disable()  # nothing that is loaded is thrown away again
        if not (labs := load(self.told)):
            return
        self.server = fork(lambda: self._serve(labs))
        try:
            self.link.send(LOADED)
            modules = dev_modules.loaded()
            gc.freeze()  # a collection in a fork would touch, and so copy, all that it shares with us
            while self.link.recv(1):
                self.link.send(self._renew(modules))
        finally:
            os.killpg(0, signal.SIGKILL)

    def _renew(self, modules: dict[str, dev_modules.Module]) -> bytes:
        changed = dev_modules.differing(self.files, dev_modules.files())
        old = dev_modules.old(changed, modules)
        if len(old) > len(modules) / 2 or any(path.endswith(dev_modules.READ) for path in changed):
            return ANEW
        ours, theirs = socket.socketpair()

        def newer() -> None:
            ours.close()
            dev_modules.forget(old)
            if labs := load(self.told):
                theirs.send(LOADED)
                theirs.recv(1)  # nothing: it closes when the server before this one is gone
                self._serve(labs)

        pid = fork(newer)
        theirs.close()
        with ours:
            loaded = hear(ours, self.patience)
            end(self.server if loaded else pid)
        if not loaded:
            return FAILED
        self.server = pid
        return LOADED

    def _serve(self, labs: dict[str, Any]) -> None:
        self.link.close()
        sys.dont_write_bytecode = True  # nor do its labs: the next change would read theirs, if it is as long
        gc.enable()
        serve(self.listener, labs)


def serve(listener: socket.socket, labs: dict[str, Any]) -> None:
    import pack_labs
    import uvicorn
    from underhood.logging_config import LOGGING
    from underhood.web.app import create_app

    threading.Timer(QUIET_S, lambda: pack_labs.write_notebooks(pack_labs.without_notebook(labs.values()))).start()
    config = uvicorn.Config(create_app(labs=labs), log_config=LOGGING, access_log=False, lifespan="on")
    uvicorn.Server(config).run(sockets=[listener])


def fork(work: Callable[[], None]) -> int:
    """A process that does this and ends, whatever comes of it."""
    sys.stdout.flush()
    if not (pid := os.fork()):
        try:
            work()
        except Exception:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(1)
    return pid


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)  # nothing here is worth a farewell; streams are taken up again
    os.waitpid(pid, 0)


def hear(link: socket.socket, patience: float, stop: threading.Event | None = None) -> bytes:
    """What the process at the other end says when it has tried; nothing if it ends, or nothing comes of it."""
    give_up = time.monotonic() + patience
    while not (stop and stop.is_set()):
        if select.select([link], [], [], 0.1)[0]:
            return link.recv(1)
        if time.monotonic() > give_up:
            print(f"The labs did not load within {patience} s: does one of them loop when it is imported?")
            break
    return b""
