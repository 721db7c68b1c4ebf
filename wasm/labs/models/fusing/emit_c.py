"""Loops as C that a person can read: a function for each kernel, and for each line the node it comes from.

Threads and vectors are asked for as OpenMP does; a compiler that knows nothing of it leaves both out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from labs.models.fusing.accesses import named
from labs.models.fusing.c_helpers import HELPERS, RESERVED, TYPES, WRAPPED
from labs.models.fusing.c_text import at, bracket, number, place
from labs.models.fusing.graph import FLOATS
from labs.models.fusing.loops import (
    Apply,
    Area,
    Buffer,
    Const,
    Expr,
    Kernel,
    Let,
    Load,
    Loop,
    Product,
    Program,
    Ref,
    Start,
    Statement,
    Store,
    Update,
    statements,
)
from labs.models.fusing.neutral import NEUTRAL
from labs.models.fusing.space import wide

CLAUSES = {"sum": "+", "prod": "*", "amax": "max", "amin": "min"}
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&&", "or": "||"} | {
    **{"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
}


@dataclass(frozen=True)
class Line:
    text: str
    node: int = -1
    """Of the graph; −1 if it belongs to none."""


def emit_c(program: Program) -> list[Line]:
    """A file; the helpers that it needs come first."""
    kernels: list[Line] = []
    used: set[str] = set()
    for each in program.kernels:
        writer = Writer(each)
        kernels += [Line(""), *writer.kernel()]
        used |= writer.used
    return [*(Line(each) for each in preamble(used)), *kernels]


def preamble(used: set[str]) -> Iterator[str]:
    yield from ("#include <math.h>", "#include <stdint.h>")
    for name, (_, needs) in reversed(HELPERS.items()):
        if name in used:
            used |= set(needs)
    for name, (text, _) in HELPERS.items():
        if name in used:
            yield from ("", *text.strip().splitlines())


@dataclass
class Writer:
    source: Kernel
    used: set[str] = field(default_factory=set)
    lines: list[Line] = field(default_factory=list)
    limits: list[Loop] = field(default_factory=list)
    depth: int = 0

    def __post_init__(self) -> None:
        self.buffers = {each.name: each for each in self.source.buffers}
        self.names = {each.name: each.name + "_" * (each.name in RESERVED) for each in self.source.buffers}
        self.written = {name for each in statements(self.source.body) for name in writes(each)}

    def say(self, text: str, node: int = -1) -> None:
        self.lines.append(Line("  " * self.depth + text, node))

    def kernel(self) -> list[Line]:
        shared = [each for each in self.source.buffers if each.role != "local"]
        self.say(f"// {self.source.says}")
        self.say(f"{self.head()}({', '.join(map(self.parameter, shared))}) {{")
        self.depth += 1
        for each in self.source.body:
            self.statement(each)
        self.depth -= 1
        self.say("}")
        return self.lines

    def head(self) -> str:
        return f"void {self.source.name}"

    def parameter(self, buffer: Buffer) -> str:
        const = "" if buffer.name in self.written else "const "
        return f"{const}{TYPES[buffer.dtype]} *restrict {self.names[buffer.name]}"

    # statements

    def statement(self, it: Statement) -> None:
        match it:
            case Loop():
                self.loop(it)
            case Let():
                self.say(f"const {self.type(it.value.dtype)} {it.name} = {self.value(it.value)};", it.node)
            case Start():
                for name, first in zip(it.names, NEUTRAL[it.monoid], strict=True):
                    self.say(f"{self.type(it.dtype)} {name} = {number(first, it.dtype)};", it.node)
            case Update():
                self.update(it)
            case Store():
                value = self.stored(it.value, self.buffers[it.buffer].dtype)
                self.say(f"{self.names[it.buffer]}[{place(it.index)}] = {value};", it.node)
            case Product():
                self.product(it)

    def loop(self, it: Loop) -> None:
        begun = {name for each in statements(it.body) if isinstance(each, Start) for name in each.names}
        updates = [each for each in statements(it.body) if isinstance(each, Update) and each.names[0] not in begun]
        plain = all(each.monoid in CLAUSES for each in updates)
        clauses = "".join(f" reduction({self.clause(each)} : {each.names[0]})" for each in updates if plain)
        if it.kind == "parallel" and plain:
            self.say(f"#pragma omp parallel for{clauses}")
        elif it.kind == "vector" and plain:
            self.say(f"#pragma omp simd{clauses}")
        self.head_of(it)
        self.depth += 1
        if it.kind == "parallel":
            self.own(it.body)
        self.inside(it)
        self.depth -= 1
        self.say("}")

    def inside(self, it: Loop) -> None:
        if it.limit and not it.outer:
            self.limits.append(it)
        for each in it.body:
            self.statement(each)
        if it.limit and not it.outer:
            self.limits.pop()

    def head_of(self, it: Loop) -> None:
        name = it.variable
        self.say(f"for (long {name} = 0; {name} < {self.end(it)}; {name}++) {{")

    def end(self, it: Loop) -> str:
        """How many turns it makes: the last block may be shorter."""
        if not (it.limit and it.outer):
            return str(it.extent)
        self.used.add("least")
        return f"least({it.extent}, {it.limit} - {it.extent} * {it.outer})"

    def clause(self, it: Update) -> str:
        """How OpenMP joins parts. Its own max and min lose what is no number."""
        kind = wide(it.values[0].dtype)
        lossy = it.monoid in ("amax", "amin") and kind in FLOATS
        return self.helper(f"{it.monoid}_{kind}") if lossy else CLAUSES[it.monoid]

    def own(self, body: tuple[Statement, ...]) -> None:
        names = {name for each in statements(body) for name in named(each)}
        for each in self.source.buffers:
            if each.role == "local" and each.name in names:
                self.say(f"{TYPES[each.dtype]} {each.name}[{each.size}];")

    def update(self, it: Update) -> None:
        parts = [self.value(each) for each in it.values]
        if it.monoid in ("sum", "prod"):
            self.say(f"{it.names[0]} {'+' if it.monoid == 'sum' else '*'}= {parts[0]};", it.node)
        elif it.monoid in ("amax", "amin"):
            name = self.helper(f"{it.monoid[1:]}_{wide(it.values[0].dtype)}")
            self.say(f"{it.names[0]} = {name}({it.names[0]}, {parts[0]});", it.node)
        else:
            name = self.helper(f"{it.monoid}_{wide(it.values[0].dtype)}")
            self.say(f"{name}({', '.join('&' + each for each in it.names)}, {', '.join(parts)});", it.node)

    def product(self, it: Product) -> None:
        """Row after row; the packed kernel of the machine code is another story."""
        rows, r, c, k = self.rows(it), "row", "column", "depth"
        kind = wide(self.buffers[it.out.buffer].dtype)
        self.say(f"for (long {r} = 0; {r} < {rows}; {r}++)", it.node)
        self.say(f"  for (long {c} = 0; {c} < {it.columns}; {c}++) {{", it.node)
        self.depth += 2
        self.dot(it, kind, r, c, k)
        self.depth -= 2
        self.say("  }")

    def dot(self, it: Product, kind: str, r: str, c: str, k: str) -> None:
        left, right = self.corner(it.left, r, k), self.corner(it.right, k, c)
        self.say(f"{TYPES[kind]} dot = 0;", it.node)
        self.say(f"for (long {k} = 0; {k} < {it.depth}; {k}++) dot += {left} * {right};", it.node)
        out = self.round("dot", self.buffers[it.out.buffer].dtype)
        self.say(f"{self.names[it.out.buffer]}[{at(it.out, r, c)}] = {out};", it.node)

    def rows(self, it: Product) -> str:
        if not self.limits or self.limits[-1].limit % it.rows == 0:
            return str(it.rows)
        self.used.add("least")
        limit = self.limits[-1]
        return f"least({it.rows}, {limit.limit} - {it.rows} * {limit.variable})"

    def corner(self, area: Area, down: str, along: str) -> str:
        return self.widened(f"{self.names[area.buffer]}[{at(area, down, along)}]", self.buffers[area.buffer].dtype)

    # values

    def type(self, dtype: str) -> str:
        return {"bf16": "float", "i8": "int32_t"}.get(dtype, TYPES[dtype])

    def helper(self, name: str) -> str:
        self.used.add(name)
        return name

    def value(self, it: Expr) -> str:
        match it:
            case Const():
                return number(it.value, it.dtype)
            case Load():
                return self.widened(f"{self.names[it.buffer]}[{place(it.index)}]", it.dtype)
            case Ref():
                return it.name
            case Apply():
                return self.apply(it)

    def widened(self, text: str, dtype: str) -> str:
        return f"{self.helper('from_bf16')}({text})" if dtype == "bf16" else text

    def round(self, text: str, dtype: str) -> str:
        return f"{self.helper(f'to_{dtype}')}({text})" if dtype in ("bf16", "i8") else text

    def stored(self, it: Expr, dtype: str) -> str:
        return self.round(self.value(it), dtype)

    def apply(self, it: Apply) -> str:
        args = [self.value(each) for each in it.args]
        kind = it.args[0].dtype if it.args else it.dtype
        match it.op:
            case "cast":
                return self.cast(args[0], kind, it.dtype)
            case "where":
                return f"({args[0]} ? {args[1]} : {args[2]})"
            case "neg" if kind not in ("i32", "i64"):
                return f"-{args[0]}" if args[0].isidentifier() else f"-({args[0]})"
            case "not":
                return f"!{args[0]}"
        if it.op in SIGNS and not (it.op in WRAPPED and it.dtype in ("i32", "i64")):
            return f"{bracket(args[0])} {SIGNS[it.op]} {bracket(args[1])}"
        if it.op in ("exp", "log", "sqrt", "sin", "cos", "tanh", "erf", "floor"):
            return f"{it.op}{'' if it.dtype == 'f64' else 'f'}({args[0]})"
        if it.op == "round":
            return f"rint{'' if it.dtype == 'f64' else 'f'}({args[0]})"
        if it.op == "abs" and it.dtype in ("f32", "f64", "bf16"):
            return f"fabs{'' if it.dtype == 'f64' else 'f'}({args[0]})"
        if it.op == "pow" and it.dtype in ("f32", "f64", "bf16"):
            return f"pow{'' if it.dtype == 'f64' else 'f'}({args[0]}, {args[1]})"
        return f"{self.helper(f'{it.op}_{wide(it.dtype)}')}({', '.join(args)})"

    def cast(self, text: str, source: str, dtype: str) -> str:
        if dtype == "bool":
            return f"{bracket(text)} != 0"
        if dtype == "bf16":
            return f"{self.helper('as_bf16')}({text})"
        if dtype in ("i64", "i32", "i8") and source in ("f32", "f64", "bf16"):
            return f"{self.helper(f'as_{dtype}')}({text})"
        return f"{self.helper('to_i8')}({text})" if dtype == "i8" else f"({TYPES[dtype]}){bracket(text)}"


def writes(it: Statement) -> list[str]:
    return [it.buffer] if isinstance(it, Store) else [it.out.buffer] if isinstance(it, Product) else []
