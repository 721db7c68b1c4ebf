"""A seccomp filter that refuses sockets, written out in the kernel's packet-filter instructions.

io_uring is refused as well: through it a process could make sockets that no filter sees.
"""

from __future__ import annotations

import ctypes
import errno
import platform

from underhood.confine import linux

PR_SET_SECCOMP, MODE_FILTER = 22, 2
LOAD, EQUAL, ABOVE, RETURN = 0x20, 0x15, 0x35, 0x06  # load a word; jump if =, if >=; return
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # byte offsets in what the filter sees of a call
ALLOW, REFUSE = 0x7FFF0000, 0x00050000  # the latter plus an errno
FOREIGN = 0x40000000  # call numbers from here on are x32's second copies of x86-64's
IO_URING_SETUP = 425

CALLS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}  # architecture's own number, number of socket()


class Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("k", ctypes.c_uint32))


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("first", ctypes.POINTER(Instruction)))


def deny_sockets(but: int | None) -> bool:
    """From now on ``socket()`` makes only this family, or any if None. False if the kernel cannot do it."""
    if platform.machine() not in CALLS:
        return False
    architecture, socket_call = CALLS[platform.machine()]
    refuse, allow = (RETURN, 0, 0, REFUSE | errno.EACCES), (RETURN, 0, 0, ALLOW)
    code = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        refuse,
        (LOAD, 0, 0, NUMBER),
        (ABOVE, 0, 1, FOREIGN),
        refuse,
        (EQUAL, 0, 1, IO_URING_SETUP),
        refuse,
    ]
    if but is not None:
        code += [(EQUAL, 0, 3, socket_call), (LOAD, 0, 0, FIRST_ARGUMENT), (EQUAL, 1, 0, but), refuse]
    code.append(allow)
    instructions = (Instruction * len(code))(*(Instruction(*each) for each in code))
    program = Program(len(code), instructions)
    return linux.no_new_privileges() and linux.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.addressof(program))
