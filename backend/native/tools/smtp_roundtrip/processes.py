"""The mailer as a process, its password given in one of four ways, and what other processes see of it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from labs.contract import LabError

from native.tools.smtp_roundtrip import mailer
from native.tools.smtp_roundtrip.people import PASSWORD, USER

Way = Literal["an argument", "the environment", "a file", "standard input"]


@dataclass(frozen=True)
class Place:
    """Where another process may look."""

    name: str
    mode: str
    """Who may read it, as `ls -l` writes that."""
    shows: str
    """What stands there, as far as it is about the mailer."""
    holds: bool
    """Whether the password does."""


@dataclass
class Mailer:
    process: subprocess.Popen[str]
    way: Way
    file: Path

    def heard(self) -> dict[str, Any]:
        """What it says next."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise LabError("The mailer ended before it was done: run it again.")
        found: dict[str, Any] = json.loads(line)
        return found

    def tell(self, line: str = "") -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def seen(self) -> list[Place]:
        """By another process: arguments as ``ps -f`` reads them, the environment as ``ps e`` does, and the file."""
        here = Path("/proc", str(self.process.pid))
        _, script, *given = here.joinpath("cmdline").read_bytes().decode().rstrip("\0").split("\0")
        # Folders and the name of the interpreter differ from machine to machine, and are left out.
        command = " ".join(["python", Path(script).name, *given]).replace(str(self.file), self.file.name)
        variables = here.joinpath("environ").read_bytes().decode("utf-8", "replace").split("\0")
        ours = " ".join(each for each in variables if each.startswith("MAIL_"))
        places = [place("arguments", here / "cmdline", command), place("environment", here / "environ", ours)]
        if self.way == "a file":
            places.append(place("file", self.file, self.file.read_text()))
        return places


def place(name: str, path: Path, shows: str) -> Place:
    return Place(name, stat.filemode(path.stat().st_mode), shows, PASSWORD in shows)


@contextmanager
def started(way: Way, folder: Path, job: dict[str, Any]) -> Iterator[Mailer]:
    """A mailer that is ready to send, and killed at the end."""
    if not Path("/proc/self/cmdline").exists():
        raise LabError("This machine has no /proc to look at processes in: run the lab on Linux.")
    file = folder / "password"
    given = {
        "an argument": ["--password", PASSWORD],
        "the environment": [],
        "a file": ["--password-file", str(file)],
        "standard input": ["--password-from-input"],
    }[way]
    variables = {"MAIL_PASSWORD": PASSWORD} if way == "the environment" else {}
    if way == "a file":
        file.touch(mode=0o600)
        file.write_text(PASSWORD)
    command = [sys.executable, mailer.__file__, "--user", USER, *given]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **variables},
    ) as process:
        made = Mailer(process, way, file)
        try:
            made.tell(json.dumps(job))
            if way == "standard input":
                made.tell(PASSWORD)
            made.heard()
            yield made
        finally:
            process.kill()
