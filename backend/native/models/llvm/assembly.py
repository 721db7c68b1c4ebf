"""Assembly text, and the bytes of each of its instructions.

A label before and behind every instruction, and a section that holds the distances: so the assembler itself says
where each begins and ends. It is the one of the C compiler from PyPI, which is LLVM's, too.
"""

from __future__ import annotations

import re
import struct
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from labs.contract import LabError

from native.models.llvm.targets import Target
from native.models.llvm.wasm import bodies

FOR_TOOLS = re.compile(r"\.L(tmp|func|debug|sec_end|Lframe|line)\w*:|\.L\w*\d*\$\w+:")  # labels that no code uses


@dataclass(frozen=True)
class Row:
    """A line of assembly: an instruction with its bytes, or a label without."""

    text: str
    place: int
    """The line of the module that it comes from, counted from 0; -1 for none."""
    address: int = -1
    size: int = 0


@dataclass(frozen=True)
class Bytes:
    rows: list[Row]
    data: bytes
    """Of all functions. Addresses of rows count from its start."""


def read(text: str, target: Target) -> list[tuple[int, Row]]:
    """The code in assembly text, each row with its number of line."""
    rows: list[tuple[int, Row]] = []
    code, place, graphics = True, -1, "nvptx" in target.triple
    for number, raw in enumerate(text.split("\n")):
        line = raw.split(f"{target.comment} ")[0].split(f"\t{target.comment}")[0].rstrip()
        words = line.split() or [""]
        if words[0] in (".text", ".data", ".bss", ".section"):
            code = words[0] == ".text" or (words[1:2] != [] and words[1].startswith(".text"))
        elif words[0] == ".loc":
            place = int(words[2]) - 1
        elif not words[0] or not code or words[0] == target.comment or FOR_TOOLS.fullmatch(words[0]):
            continue
        elif graphics:
            if words[0] not in (".file", ".section", ".version", ".target", ".address_size"):
                rows.append((number, Row(line.strip(), place if line.startswith("\t") else -1)))
        elif words[0].endswith(":"):
            rows.append((number, Row(line.strip(), -1)))
        elif not words[0].startswith("."):
            rows.append((number, Row(" ".join(words), place)))
    return rows


def place_bytes(rows: list[tuple[int, Row]], text: str, target: Target, made: bytes) -> Bytes:
    """Rows with their addresses. ``made`` is the object that LLVM wrote. Raises ``LabError``."""
    if target.narrow:
        return place_wasm(rows, made)
    lines = text.split("\n")
    labelled = [number for number, row in rows if not row.text.endswith(":")]
    for n, number in enumerate(labelled):
        lines[number] = f".LI{n}:\n{lines[number]}\n.LE{n}:"
    start = next(number for number, line in enumerate(lines) if line.strip() == ".text")
    lines[start] += "\n.LS:"
    where = "\n".join(f"\t.long .LI{n}-.LS\n\t.long .LE{n}-.LS" for n in range(len(labelled)))
    found = assemble("\n".join([*lines, '\t.section where,"",@progbits', where, ""]), target)
    distances = memoryview(section(found, "where")).cast("i")
    places = {number: (distances[2 * n], distances[2 * n + 1]) for n, number in enumerate(labelled)}
    data, again = section(made, ".text"), section(found, ".text")
    # Not of the padding between them: which of the long nops to take is a matter of taste.
    if any(data[begin:end] != again[begin:end] for begin, end in places.values()):
        raise AssertionError("the assembler and LLVM do not agree on the bytes")
    placed = []
    for number, row in rows:
        begin, end = places.get(number, (-1, -1))
        placed.append(replace(row, address=begin, size=end - begin))
    return Bytes(placed, data)


def place_wasm(rows: list[tuple[int, Row]], made: bytes) -> Bytes:
    """An instruction of WebAssembly says itself where it ends, and assembly has one a line."""
    data, found = bytearray(), iter(bodies(made))
    placed: list[Row] = []
    steps: list[tuple[int, int]] = []
    for _, row in rows:
        if row.text.startswith("."):  # a label that nothing jumps to: blocks have their own ends
            continue
        if row.text.endswith(":"):
            assert not steps, "a function of WebAssembly has more instructions than lines"
            body = next(found)
            begun = len(data)
            data += body.data
            steps = [(begun + at, size) for at, size in body.instructions]
            placed.append(row)
            placed.append(Row(f"{body.locals} locals" if body.locals != 1 else "1 local", -1, begun, body.head))
        else:
            address, size = steps.pop(0)
            placed.append(replace(row, address=address, size=size))
    return Bytes(placed, bytes(data))


def assemble(text: str, target: Target) -> bytes:
    """The object made of assembly. Raises ``LabError`` for what the assembler refuses: a name of the program, since
    all else is LLVM's own."""
    import ziglang

    zig = Path(ziglang.__file__).with_name("zig")
    features = [part for each in target.features.split(",") if each for part in ("-target-feature", each)]
    cpu = ["-target-cpu", target.cpu] if target.cpu else []
    with TemporaryDirectory() as directory:
        source, made = Path(directory, "p.s"), Path(directory, "p.o")
        source.write_text(text)
        machine = ["-triple", target.triple, "-mrelocation-model", "pic", *cpu, *features]
        command: list[str | Path] = [zig, "clang", "-cc1as", *machine, "-filetype", "obj", source, "-o", made]
        done = subprocess.run(command, capture_output=True, timeout=10, check=False)
        if done.returncode:
            first = done.stderr.decode(errors="replace").partition("error: ")[2].split("\n")[0]
            raise LabError(f"The assembler does not take a name of this program; it says: {first}.")
        return made.read_bytes()


def section(data: bytes, name: str) -> bytes:
    """Of a 64-bit ELF object, by its name; empty if there is none."""
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    heads = [struct.unpack_from("<IIQQQQ", data, table + n * size) for n in range(count)]
    words = heads[names][4]
    for word, _, _, _, offset, length in heads:
        if data[words + word :].startswith(name.encode() + b"\0"):
            return data[offset : offset + length]
    return b""
