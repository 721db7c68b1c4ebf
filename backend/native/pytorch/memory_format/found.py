"""What torch shows of each line: strides, addresses, and whose copies it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor

from native.models.messages import first_sentence
from native.pytorch.memory_format.chain import Line
from native.pytorch.memory_format.formats import format_of
from native.pytorch.memory_format.op import Op
from native.pytorch.memory_format.watch import Copies


def laid(lines: Sequence[Line], x: Tensor) -> tuple[list[Op], list[Tensor]]:
    """Each line that runs, up to one that fails; and the tensors: the input, and the results of those that ran."""
    ops, tensors = [], [x]
    for line in lines:
        before = format_of(x)
        try:
            out = line.call(x)
        except RuntimeError as error:
            ops.append(Op(line.name, line.written, [], [], before, "", error=first_sentence(str(error))))
            break
        shares = out.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
        ops.append(
            Op(line.name, line.written, [*out.shape], [*out.stride()], before, format_of(out), shares=shares)
        )
        tensors.append(x := out)
    return ops, tensors


def charged(op: Op, line: Line, x: Tensor, copies: Copies) -> Op:
    return replace(
        op,
        kernel=copies.kernel,
        visible_bytes=sum(copies.visible) * x.element_size(),
        inside_bytes=sum(copies.inside) * x.element_size(),
        weights_copied=bool(copies.inside) and line.weights is not None and format_of(x) == "channels_last",
    )
