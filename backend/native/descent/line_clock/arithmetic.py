"""The arithmetic of a line and nothing else: machine code by LLVM, without loops, tensors or checks."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import numpy as np
from labs.models.one_line.line import SHAPES, Line, Node, Shape

HEAD = """
define void @work(i64 %rounds, ptr %x, ptr %w, ptr %b, ptr %y) {
entry:
  br label %loop
loop:
  %n = phi i64 [ 0, %entry ], [ %next, %loop ]
"""
# The compiler is told each time that memory may have changed, so that no round is left out.
FOOT = """
  call void asm sideeffect "", "r,~{memory}"(ptr %y)
  %next = add i64 %n, 1
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""
OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul"}


class Writer:
    """Writes each number on the way once, in the order in which the line computes it."""

    def __init__(self, line: Line) -> None:
        self.rows: list[str] = []
        self.flops = 0
        self.known: dict[tuple[Node, Shape], str] = {}
        for place, index in enumerate(np.ndindex(line.root.shape)):
            value = self.value(line.root, index)
            at = self.put(f"getelementptr float, ptr %y, i64 {place}")
            self.rows.append(f"store float {value}, ptr {at}")

    def text(self) -> str:
        return HEAD + "\n".join(f"  {row}" for row in self.rows) + FOOT

    def put(self, row: str) -> str:
        name = f"%v{len(self.rows)}"
        self.rows.append(f"{name} = {row}")
        return name

    def operate(self, row: str) -> str:
        self.flops += 1
        return self.put(row)

    def value(self, node: Node, index: Shape) -> str:
        index = index[len(index) - len(node.shape) :]
        if (node, index) not in self.known:
            self.known[node, index] = self.made(node, index)
        return self.known[node, index]

    def made(self, node: Node, index: Shape) -> str:
        match node.op:
            case "const":
                return constant(node.number)
            case "input":
                place = int(np.ravel_multi_index(index, SHAPES[node.name]))
                at = self.put(f"getelementptr float, ptr %{node.name}, i64 {place}")
                return self.put(f"load float, ptr {at}")
            case "t":
                return self.value(node.inputs[0], index[::-1])
            case "matmul":
                left, right = node.inputs
                total = ""
                for k in range(left.shape[1]):
                    factors = self.value(left, (index[0], k)), self.value(right, (k, index[1]))
                    one = self.operate(f"fmul float {factors[0]}, {factors[1]}")
                    total = self.operate(f"fadd float {total}, {one}") if total else one
                return total
            case "neg":
                return self.operate(f"fneg float {self.value(node.inputs[0], index)}")
            case "relu":
                below = self.value(node.inputs[0], index)
                positive = self.put(f"fcmp ogt float {below}, 0.0")
                return self.operate(f"select i1 {positive}, float {below}, float 0.0")
        left_value, right_value = (self.value(each, index) for each in node.inputs)
        return self.operate(f"{OPERATIONS[node.op]} float {left_value}, {right_value}")


def constant(number: float) -> str:
    """As LLVM writes a float: the bits of the double that it is."""
    (bits,) = struct.unpack(">Q", struct.pack(">d", float(np.float32(number))))
    return f"0x{bits:016X}"


class Arithmetic:
    """The machine code of a line, ready to be called with addresses of float32."""

    def __init__(self, line: Line) -> None:
        import llvmlite.binding as llvm

        from native.models.compiler.machine import target

        writer = Writer(line)
        self.flops = writer.flops
        self.machine, made = target(), llvm.parse_assembly(writer.text())
        tuning = llvm.create_pipeline_tuning_options(speed_level=3)
        tuning.slp_vectorization = True
        builder = llvm.create_pass_builder(self.machine, tuning)
        builder.getModulePassManager().run(made, builder)
        self.engine: Any = llvm.create_mcjit_compiler(made, self.machine)
        self.engine.finalize_object()
        pointers = [ctypes.c_void_p] * 4
        kind = ctypes.CFUNCTYPE(None, ctypes.c_long, *pointers)
        self.function = kind(self.engine.get_function_address("work"))

    def __call__(self, rounds: int, *arrays: Any) -> None:
        self.function(rounds, *(each.ctypes.data for each in arrays))
