"""What the compiler passes on from stage to stage, in lines that can be followed; each knows where it is from."""

from __future__ import annotations

import dis
import re
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

import torch

from native.models.stages.marks import KEY, MARK, Operations, taken, together
from native.models.stages.pictures import Marks, Row

STATEMENT = re.compile(r'^\s+(\w+)(?:: "([^"]*)")? = (.*?)(?:;  .*)?$')
SHAPE = re.compile(r"(\w+\[[^\]]*\]).*")  # a type without strides and device


def source(lines: Iterable[str]) -> list[Row]:
    return [Row(text, line=number) for number, text in enumerate(lines, 1)]


def bytecode(code: CodeType, first: int, file: str) -> list[Row]:
    """Of a function; what Dynamo has added comes from no line."""
    rows = []
    labels = dis.findlabels(code.co_code)  # type: ignore[arg-type]  # which takes bytes
    for each in dis.get_instructions(code):
        if each.opname in ("CACHE", "RESUME", "NOP"):
            continue
        at = each.positions.lineno if each.positions else None
        # What Dynamo adds has the line of the function's name.
        inside = code.co_filename == file and at is not None and at > first
        jump = "»" if each.offset in labels else " "
        argument = re.sub(r" at 0x\w+|, file \"[^\"]*\", line \d+", "", each.argrepr)
        rows.append(Row(f"{jump} {each.opname} {argument}".rstrip(), line=at - first + 1 if inside and at else 0))
    return rows


def graph(module: torch.fx.GraphModule, operations: Operations) -> list[Row]:
    """A graph's inputs, its operations as PyTorch prints them, and what it returns."""
    nodes = {node.name: node for node in module.graph.nodes}
    rows = [
        Row(f"input {node.name}: {_type(node)}", head=True) for node in nodes.values() if node.op == "placeholder"
    ]
    for line in module.print_readable(print_output=False).splitlines():
        found = STATEMENT.match(line)
        node = nodes.get(found[1]) if found else None
        if not found or node is None or not node.op.startswith("call_"):
            continue
        kind = SHAPE.sub(r"\1", found[2]) if found[2] else ""
        text = found[3].replace("torch.ops.", "").replace(" = ", "=")
        text = re.sub(r"(\w+), = ", r"\1 = ", text)
        rows.append(Row(f"{node.name}{f': {kind}' if kind else ''} = {text}", operations.of(node)))
    (output,) = module.graph.output_node().args
    names = [str(each) for each in torch.utils._pytree.tree_leaves(output) if isinstance(each, torch.fx.Node)]
    return [*rows, Row(f"return {', '.join(names)}", head=True)]


def _type(node: torch.fx.Node) -> str:
    value = node.meta.get("val", node.meta.get("example_value"))
    if not isinstance(value, torch.Tensor):
        return "a whole number" if value is not None else "?"
    return f"{torch.utils._dtype_abbrs.dtype_abbrs[value.dtype]}{[*value.shape]}".replace("'", "")


def loops(nodes: Iterable[Any], operations: Operations) -> list[Row]:
    """Inductor's own form: loops over elements, those that were fused below one heading."""
    rows = []
    for node in nodes:
        parts = node.get_nodes()
        if len(parts) > 1:
            rows.append(Row(f"fused: {', '.join(part.get_name() for part in parts)}", head=True))
        for part in parts:
            rows += _loop(part, operations)
    return rows


def _loop(node: Any, operations: Operations) -> Iterator[Row]:
    body = getattr(node, "_body", None)
    writes = ", ".join(node.get_buffer_names())
    if body is None:
        outer = node.node
        reads = ", ".join(sorted(dep.name for dep in node.read_writes.reads))
        name = getattr(outer, "python_kernel_name", None) or type(outer).__name__
        yield Row(f"{node.get_name()}: {writes} = {name}({reads})", of_buffer(outer, operations), head=True)
        return
    first = len(body.vars[0])
    sizes = [f"{name} < {size}" for name, size in body.var_ranges.items()]
    over = "; ".join(
        filter(None, (", ".join(sizes[:first]), f"for each: {', '.join(sizes[first:])}" * (first < len(sizes))))
    )
    yield Row(f"{node.get_name()}: {writes}, {over or 'once'}", head=True)
    yield from _block(body, body.root_block.graph, "  ")


def _block(body: Any, block: torch.fx.Graph, indent: str) -> Iterator[Row]:
    indices: dict[Any, Any] = {}
    for node in block.nodes:
        marks = node.meta.get(KEY, ())
        args = [str(indices.get(each, each)) for each in node.args[1:]] if node.op == "call_method" else []
        match node.op, node.target:
            case "call_module", "get_index":
                indices[node] = body.indexing_exprs[node.args[0]]
                continue
            case "call_module", target:
                yield Row(f"{indent}{node.name} = {target}({', '.join(map(str, node.args))})", marks)
                if target in body.subblocks:
                    yield from _block(body, body.subblocks[target].graph, indent + "  ")
                continue
            case "call_method", "load":
                text = f"{node.name} = {args[0]}[{args[1]}]"
            case "call_method", "store" | "store_reduction":
                text = f"{args[0]}[{args[1]}] = {args[2]}"
            case "call_method", "reduction":
                text = f"{node.name} = {args[2]}({args[3]})"
            case "call_method", "constant":
                text = f"{node.name} = {args[0]}"
            case "call_method", target:
                text = f"{node.name} = {target}({', '.join(args)})"
            case _:
                continue
        yield Row(indent + text.replace("torch.", ""), marks)


def of_buffer(buffer: Any, operations: Operations) -> Marks:
    origin = buffer.get_origin_node() if hasattr(buffer, "get_origin_node") else None
    return operations.of(origin) or together(operations.of(each) for each in getattr(buffer, "origins", ()))


KERNEL = re.compile(r"^(\w+) = async_compile\.cpp_pybinding\((\[.*?\]), r'''\n(.*?)'''\)", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"^    def call\(self, args\):\n(.*?)(?=^\S|^    def|\Z)", re.DOTALL | re.MULTILINE)


NOISE = re.compile(r"^\s*$|^#include|integer_div_error")


def _plain(line: str) -> str:
    """Without what only tells C++ of which width a number is."""
    line = re.sub(r"^ +", lambda found: found[0][::2], line)  # half as far to the right
    line = re.sub(r"static_cast<int64_t>\(([^()]*)\)", r"\1", line.replace("at::vec::", ""))
    return re.sub(r"\b(\d+)L\b", r"\1", line)


def kernels(text: str) -> dict[str, str]:
    """The C++ of each kernel in what Inductor has written, marks and all."""
    return {name: code for name, _, code in KERNEL.findall(text)}


def cpp(text: str, buffers: Mapping[str, Marks]) -> list[Row]:
    """The kernels, and the Python that calls them."""
    rows = []
    of_kernel: dict[str, Marks] = {}
    for name, code in kernels(text).items():
        lines = [
            Row(_plain(text), marks) for text, marks in map(taken, code.splitlines()) if not NOISE.search(text)
        ]
        of_kernel[name] = together(row.operations for row in lines)
        rows += [Row(f"// {name}", head=True), *lines]
    rows.append(Row("# and the Python around them", head=True))
    called = CALL.search(text)
    for line in called[1].splitlines() if called else ():
        line = MARK.sub("", line[4:]).rstrip()
        if not line.strip() or re.match(r"\s+(assert_|args\.clear|del |#)", line):
            continue
        kernel = re.match(r"\s+(\w+)\(", line)
        marks = of_kernel.get(kernel[1], ()) if kernel else ()
        if "extern_kernels." in line or "torch.ops." in line:
            named = re.search(r"out=(?:reinterpret_tensor\()?(buf\d+)", line) or re.match(r"\s+(buf\d+) = ", line)
            marks = buffers.get(named[1], ()) if named else ()
        rows.append(Row(line, marks))
    return rows
