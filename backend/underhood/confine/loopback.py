"""A network for a run whose subject is the network: a loopback of its own, and nothing else.

A network namespace has its own interfaces, ports and sockets: nobody else's servers can be reached from it, not
even those of this machine. Making one takes root's rights, or a user namespace, which gives them to its maker.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import struct
from pathlib import Path

from underhood.confine import linux

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
NAMED = struct.Struct("16sh14x")  # of struct ifreq: a name, and the flags of an interface


def leave_for_loopback() -> bool:
    """Leave this machine's network for such a one. False if the kernel refuses; nothing has changed then."""
    if linux.unshare(CLONE_NEWNET):
        return _up()
    user, group = os.getuid(), os.getgid()
    if not linux.unshare(CLONE_NEWUSER | CLONE_NEWNET):
        return False
    # Who we are stays the same in the new user namespace.
    maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
    for name, line in maps.items():
        with contextlib.suppress(OSError):
            Path("/proc/self", name).write_text(line)
    return _up()


def _up() -> bool:
    """Switch the loopback on."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = fcntl.ioctl(any_socket, SIOCGIFFLAGS, NAMED.pack(b"lo", 0))
        _, flags = NAMED.unpack(asked)
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, NAMED.pack(b"lo", flags | IFF_UP))
        return True
    return False
