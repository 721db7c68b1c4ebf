"""WebAssembly: the bodies of an object's functions cut into instructions, and a module linked from it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

CODE = 10  # the number of the section
BLOCK, LOOP, IF, BR_TABLE, F32_CONST, F64_CONST, PREFIX = 0x02, 0x03, 0x04, 0x0E, 0x43, 0x44, 0xFC
# Codes of instructions that one number follows, and of those that two follow.
ONE, TWO = (
    (BLOCK, LOOP, IF, 0x0C, 0x0D, 0x10, *range(0x20, 0x25), 0x3F, 0x40, 0x41, 0x42),
    (0x11, *range(0x28, 0x3F)),
)
# Behind the prefix: how many numbers follow, by the number of the instruction; none if it is not here.
BULK = {8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}
MOST_MEMORY = 64 << 20


@dataclass(frozen=True)
class Body:
    data: bytes
    locals: int
    head: int
    """Bytes before the first instruction: how many locals there are of which type."""
    instructions: list[tuple[int, int]]
    """Of each, where it begins and how many bytes it has."""


class Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """LEB128: seven bits a byte, the eighth says that more follow. A sign does not matter here."""
        value = shift = 0
        while (byte := self.byte()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
        return value | byte << shift

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


def bodies(data: bytes) -> Iterator[Body]:
    """The functions of an object, in order."""
    reader = Reader(data)
    reader.take(8)  # magic and version
    while reader.at < len(data):
        number, size = reader.byte(), reader.number()
        inside = Reader(reader.take(size))
        if number == CODE:
            for _ in range(inside.number()):
                yield body(inside.take(inside.number()))


def body(data: bytes) -> Body:
    reader = Reader(data)
    count = 0
    for _ in range(reader.number()):
        count += reader.number()
        reader.byte()
    head, steps = reader.at, []
    while reader.at < len(data):
        begun = reader.at
        skip(reader)
        steps.append((begun, reader.at - begun))
    return Body(data, count, head, steps)


def skip(reader: Reader) -> None:
    """Past one instruction."""
    op = reader.byte()
    if op in ONE:
        reader.number()
    elif op in TWO:
        reader.number(), reader.number()
    elif op == BR_TABLE:
        for _ in range(reader.number() + 1):
            reader.number()
    elif op in (F32_CONST, F64_CONST):
        reader.take(4 if op == F32_CONST else 8)
    elif op == PREFIX:
        for _ in range(BULK.get(reader.number(), 0)):
            reader.number()


def link(made: bytes, function: str) -> bytes:
    """A module that exports one function of an object, and its memory. Raises ``CalledProcessError``."""
    import ziglang

    zig = Path(ziglang.__file__).with_name("zig")
    with TemporaryDirectory() as directory:
        source, linked = Path(directory, "p.o"), Path(directory, "p.wasm")
        source.write_bytes(made)
        options = ["--no-entry", f"--export={function}", "--strip-all", f"--max-memory={MOST_MEMORY}"]
        subprocess.run(
            [zig, "wasm-ld", *options, source, "-o", linked], capture_output=True, timeout=10, check=True
        )
        return linked.read_bytes()
