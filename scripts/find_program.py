"""Find the servers that the tests start and the programs they compare with, or get them from apt as root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# program: the Debian package that holds it
PROGRAMS = {
    "redis-server": "redis-server",
    "caddy": "caddy",
    "gcc": "build-essential",
    "curl": "curl",
    "wrk": "wrk",
}


def find(program: str) -> str:
    """The path of a program. Exits with what to do when it is not there and cannot be had."""
    if (path := shutil.which(program)) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        # No questions; and a service that cannot start, as in a container, is no failure here.
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
        for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", PROGRAMS[program]]):
            subprocess.run(["apt-get", *command], check=False, stdout=sys.stderr, env=quiet)
        path = shutil.which(program)
    if path is None:
        raise SystemExit(f"No {program}: install it with your package manager ({PROGRAMS[program]} in Debian).")
    return path


if __name__ == "__main__":
    for name in PROGRAMS:
        print(find(name))
