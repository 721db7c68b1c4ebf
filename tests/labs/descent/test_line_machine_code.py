"""Machine code for four processors: capstone reads it as we write it, and it comes to our result."""

import ctypes
import mmap
import platform
import random
import re
import struct
import subprocess
from pathlib import Path

import capstone
import numpy as np
import pytest
from labs.descent.one_line.given import given
from labs.descent.one_line.machine.all import MACHINES
from labs.descent.one_line.machine.code import CrowdedError, Instruction
from labs.descent.one_line.scalar import Value, follow
from labs.models.one_line.line import SHAPES, read
from labs.models.programs.trouble import ProgramError
from random_lines import line, numbers

READERS = {
    "x86-64": (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
    "AArch64": (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    "RISC-V": (capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV64),
}


def elements() -> list[tuple[Value, dict[str, np.ndarray], int]]:
    found = []
    for seed in range(120):
        rng = random.Random(seed)
        source, inputs = line(rng), {name: given(name, numbers(rng, name)) for name in SHAPES}
        try:
            root = read(source).root
        except ProgramError:
            continue
        place = rng.randrange(int(np.prod(root.shape)))
        index = tuple(int(each) for each in np.unravel_index(place, root.shape))
        found.append((follow(root, index, inputs), inputs, place))
    return found


ELEMENTS = elements()


def code(machine: str, root: Value, place: int) -> list[Instruction]:
    try:
        return list(MACHINES[machine](root, place))
    except CrowdedError:
        return []


def plain(text: str) -> str:
    """Numbers as decimals, and no blanks."""
    return re.sub(r"0x[0-9a-f]+", lambda found: str(int(found[0], 16)), text).replace(" ", "")


@pytest.mark.parametrize("machine", READERS)
def test_capstone_reads_every_instruction_as_it_is_written(machine: str) -> None:
    reader, seen = capstone.Cs(*READERS[machine]), set()
    for root, _, place in ELEMENTS:
        for each in code(machine, root, place):
            (read_back,) = reader.disasm(each.data, 0)
            assert read_back.size == len(each.data)
            assert plain(f"{read_back.mnemonic} {read_back.op_str}") == plain(each.text)
            seen.add(read_back.mnemonic)
    assert len(seen) >= 8


@pytest.mark.skipif(platform.machine() != "x86_64", reason="its instructions are of another processor")
def test_the_bytes_of_x86_come_to_the_result_bit_by_bit() -> None:
    room = mmap.mmap(-1, 1 << 16, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    start = ctypes.addressof(ctypes.c_char.from_buffer(room))
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(start)
    ran = 0
    for root, inputs, place in ELEMENTS:
        if not (instructions := code("x86-64", root, place)):
            continue
        room.seek(0)
        room.write(b"".join(each.data for each in instructions))
        y = np.full(16, np.nan, np.float32)
        function(*(each.ctypes.data for each in (*inputs.values(), y)))
        assert y[place] == root.number
        assert np.isnan(np.delete(y, place)).all(), "it wrote elsewhere, too"
        ran += 1
    assert ran > 60


def module(body: bytes) -> bytes:
    """A module of WebAssembly whose function f takes four addresses in the memory m."""

    def part(number: int, data: bytes) -> bytes:
        return bytes([number]) + leb(len(data)) + data

    function = b"\x00" + body
    return (
        b"\0asm\1\0\0\0"
        + part(1, b"\x01\x60\x04\x7f\x7f\x7f\x7f\x00")
        + part(3, b"\x01\x00")
        + part(5, b"\x01\x00\x01")
        + part(7, b"\x02\x01f\x00\x00\x01m\x02\x00")
        + part(10, b"\x01" + leb(len(function)) + function)
    )


def leb(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + leb(number >> 7)


RUN = """
const rows = require("fs").readFileSync(0, "utf8").trim().split("\\n").map((row) => JSON.parse(row));
for (const { module, numbers, place } of rows) {
  const made = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(module, "hex"))).exports;
  const memory = new Float32Array(made.m.buffer);
  numbers.forEach((each, n) => each.forEach((one, at) => { memory[64 * n + at] = one; }));
  made.f(0, 256, 512, 768);
  const bytes = Buffer.from(made.m.buffer, 768 + 4 * place, 4);
  console.log(bytes.toString("hex"));
}
"""


def test_a_browser_would_come_to_the_same_bits(tmp_path: Path) -> None:
    import json
    import sys

    rows, wanted = [], []
    for root, inputs, place in ELEMENTS:
        body = b"".join(each.data for each in code("WebAssembly", root, place))
        flat = [each.reshape(-1).tolist() for each in inputs.values()]
        rows.append(json.dumps({"module": module(body).hex(), "numbers": flat, "place": place}))
        wanted.append(struct.pack("<f", root.number + np.float32(0)).hex())
    node = Path(sys.prefix) / "bin" / "node"
    done = subprocess.run([node, "-e", RUN], input="\n".join(rows), capture_output=True, text=True, check=True)
    found = [
        struct.pack("<f", struct.unpack("<f", bytes.fromhex(each))[0] + 0.0).hex() for each in done.stdout.split()
    ]
    assert found == wanted
