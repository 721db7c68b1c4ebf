"""The process that all labs are born from: it loads NumPy, torch and the labs once, then forks in milliseconds.

It is ours and not ``multiprocessing``'s because it must also bury the dead: it is the parent and the subreaper of
every lab, so when a lab ends it kills the lab's process group, finds children that left the group, removes the
lab's directory, and only then reports. When the server dies, even by SIGKILL, the control socket closes and
everything here ends with it.

Control, one line a message. From the server: ``fork N`` with two descriptors (channel, log), ``term N``,
``kill N``. To the server: ``layers 0 names`` (of the sandbox, with commas; - for none), ``ready 0 -`` (all is
imported), ``forked N pid`` (0: it could not be done), ``ended N code`` (below 0: minus the signal's number).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import inspect
import os
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from underhood.confine import linux, sandbox
from underhood.processes import child
from underhood.settings import Limits

LOOK_S = 0.5


class Forkserver:
    def __init__(self, control: socket.socket, scratch: Path) -> None:
        self.control = control
        self.scratch = scratch  # a directory for each lab is made in it
        self.running: dict[int, int] = {}  # pid of a lab's process -> its number
        # A signal only wakes select(); the work is done in the loop. The handler must exist for that.
        self.wakeup, signals = os.pipe()
        for end in (self.wakeup, signals):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(signals)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # A service manager may signal every process; the end of the control socket is the only order here. Blocked
        # and not ignored: what reaches a child before it is ready is kept for it, not lost.
        signal.pthread_sigmask(signal.SIG_BLOCK, child.SIGNALS)

    def serve(self) -> None:
        """Work until the server closes the control socket, or dies."""
        pending = b""
        sources: list[socket.socket | int] = [self.control, self.wakeup]
        while True:
            ready, _, _ = select.select(sources, [], [])
            if self.wakeup in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self.wakeup, 4096)
                self.reap()
            if self.control in ready:
                received, descriptors, _, _ = socket.recv_fds(self.control, 4096, 2)
                if not received:
                    return
                *orders, pending = (pending + received).split(b"\n")
                for order in orders:
                    verb, number = order.split()
                    self.obey(verb.decode(), int(number), descriptors)

    def obey(self, verb: str, number: int, descriptors: list[int]) -> None:
        if verb == "fork":
            self.fork(number, descriptors)
            return
        for pid, known in self.running.items():
            if known == number:  # not yet reaped, so the pid cannot have been given to anyone else
                kill(pid, signal.SIGTERM if verb == "term" else signal.SIGKILL)

    def fork(self, number: int, descriptors: list[int]) -> None:
        directory = self.scratch / str(number)
        parent, pid = os.getpid(), 0
        try:
            directory.mkdir(mode=0o700)
            if not (pid := os.fork()):
                try:
                    channel, output = descriptors
                    child.become_run(channel, output, directory, parent)
                finally:
                    os._exit(70)  # whatever went wrong, a child must not go on as a second forkserver
            self.running[pid] = number
        except OSError as error:  # no memory, no room: the server hears of it, and this process lives on
            sys.stderr.write(f"cannot start a lab: {error}\n")
        for descriptor in descriptors:
            os.close(descriptor)
        self.send(f"forked {number} {pid}")

    def reap(self) -> None:
        """Bury every lab that has ended, with all that it started, and only then say so."""
        ended = self.collect()
        give_up = time.monotonic() + 1  # a process that hangs in the kernel must not hold up all others
        while self.kill_strays() and time.monotonic() < give_up:
            time.sleep(0.001)
            ended += self.collect()
        for number, code in ended:
            shutil.rmtree(self.scratch / str(number), ignore_errors=True)
            self.send(f"ended {number} {code}")

    def collect(self) -> list[tuple[int, int]]:
        """Number and exit code of each lab whose process is dead; its group is, too, by then."""
        ended = []
        while (pid := self.first_dead()) is not None:
            if pid in self.running:
                # Before waitpid: as long as its leader is a zombie, the group's number belongs to this group.
                kill(pid, signal.SIGKILL)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if (number := self.running.pop(pid, None)) is not None:
                ended.append((number, code))
        return ended

    def kill_strays(self) -> int:
        """Kill the orphans of dead labs, and say how many there were: their children come to us in turn.

        We adopt them as their subreaper. Those in the session of a living lab may stay until it ends.
        """
        strays = 0
        for pid in linux.children_of(os.getpid()):
            if pid not in self.running and linux.session_of(pid) not in self.running:
                strays += 1
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        return strays

    def first_dead(self) -> int | None:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return None
        return found.si_pid if found else None

    def send(self, line: str) -> None:
        with contextlib.suppress(OSError):  # the server is gone; serve() will notice
            self.control.sendall(line.encode() + b"\n")

    def close(self) -> None:
        for pid in self.running:
            kill(pid, signal.SIGKILL)
        while self.running or linux.children_of(os.getpid()):  # orphans come one generation at a time
            time.sleep(0.005)
            self.reap()
        shutil.rmtree(self.scratch, ignore_errors=True)


def kill(pid: int, number: int) -> None:
    """Signal a lab's whole group, or the process alone if it has not had time to make its group."""
    try:
        os.killpg(pid, number)
    except OSError:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


@contextlib.contextmanager
def not_alone(server: Forkserver) -> Iterator[None]:
    """A module may loop when it is imported: nobody reads the control socket then, and its end is looked for."""
    control = select.poll()
    control.register(server.control, 0)  # its end is reported unasked

    def look(*_: object) -> None:
        if control.poll(0):
            shutil.rmtree(server.scratch, ignore_errors=True)
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def main(descriptor: str, scratch: str, *modules: str) -> None:
    linux.become_subreaper()
    server = Forkserver(socket.socket(fileno=int(descriptor)), Path(scratch))
    held = sandbox.probe(asdict(Limits()) | {"cores": 1})  # first: the server says from its start what holds
    server.send(f"layers 0 {','.join(held) or '-'}")
    with not_alone(server):
        for module in modules:
            # What cannot be imported here fails again in the run that needs it, where the reader hears of it.
            with contextlib.suppress(Exception):
                importlib.import_module(module)
        with contextlib.suppress(Exception):  # which a module may raise when it is looked at
            # Finds the file of every module, or a run waits for that when it first registers an operator.
            inspect.getmodule(main.__code__, "")
    gc.collect()
    gc.freeze()  # a collection in a child would touch, and so copy, every page it shares with us
    server.send("ready 0 -")
    try:
        server.serve()
    finally:
        server.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
