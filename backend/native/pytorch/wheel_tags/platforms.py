"""The tags that a Python accepts on any platform: pip's own list, given the tags of the platform."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from labs.contract import LabError
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms

if TYPE_CHECKING:
    from native.pytorch.wheel_tags import Params

OLD_NAMES = {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}
MUSL = 2
"""The minor version of musl: 1.2 is of 2020"""
MAC = (14, 0)
FREE_THREADED_SINCE = (3, 13)


def accepted(params: Params) -> list[Tag]:
    """Triples, the best first."""
    major, minor = (int(each) for each in params.python.split("."))
    if params.free_threaded and (major, minor) < FREE_THREADED_SINCE:
        raise LabError(
            f"There is no free-threaded Python {params.python}: choose 3.13 or newer, or the usual build."
        )
    on = list(platforms(params))
    interpreter = f"cp{major}{minor}"
    abi = interpreter + ("t" if params.free_threaded else "")
    return [
        *cpython_tags((major, minor), [abi], on),
        *compatible_tags((major, minor), interpreter, on),
    ]


def platforms(params: Params) -> Iterator[str]:
    """The platform's own tags, the best first; a system accepts what was built for an older one."""
    arm = params.machine == "arm64"
    match params.system:
        case "macOS":
            yield from mac_platforms(MAC, params.machine)
        case "Windows":
            yield "win_arm64" if arm else "win_amd64"
        case _:
            machine = "aarch64" if arm else "x86_64"
            yield f"linux_{machine}"
            if params.system == "Linux, glibc":
                yield from manylinux(params.glibc, machine)
            else:
                yield from (f"musllinux_1_{minor}_{machine}" for minor in range(MUSL, -1, -1))


def manylinux(glibc: int, machine: str) -> Iterator[str]:
    """From glibc 2.``glibc`` down to the oldest that wheels are built for; three have an older name, too."""
    for minor in range(glibc, 4 if machine == "x86_64" else 16, -1):
        yield f"manylinux_2_{minor}_{machine}"
        if minor in OLD_NAMES:
            yield f"{OLD_NAMES[minor]}_{machine}"
