"""CPython itself as the reference: the same program traced instruction by instruction, and programs made up for it.

Plain Python, so that the browser's interpreter can run it, too.
"""

from __future__ import annotations

import contextlib
import dis
import io
import random
import sys
from functools import cache
from types import CodeType, FrameType
from typing import Any

from labs.bits.bytecode_vm.machine import Machine

FORMATS = ("'{} {:>5}'", "'{1:<4}|{0!r}'", "'{} {1}'", "'{2}'")


@cache
def skipped(code: CodeType) -> frozenset[int]:
    """Offsets that tracing reports in some versions only: before the first event, and of longer instructions."""
    found, long = set(), False
    for each in dis.get_instructions(code):
        if long or each.opname in ("EXTENDED_ARG", "RESUME", "MAKE_CELL", "COPY_FREE_VARS"):
            found.add(each.offset)
        long = each.opname == "EXTENDED_ARG"
    return frozenset(found)


def traced(source: str) -> tuple[list[tuple[str, int]], str, str]:
    """What CPython does: (function, offset) of every instruction, what it prints, how it fails if it does."""
    seen: list[tuple[str, int]] = []

    def note(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != "<program>":
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_lasti not in skipped(frame.f_code):
            seen.append((frame.f_code.co_name, frame.f_lasti))
        return note

    code = compile(source, "<program>", "exec", dont_inherit=True, optimize=0)
    printed, failure = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        sys.settrace(note)
        try:
            exec(code, {})
        except Exception as problem:
            failure = f"{type(problem).__name__}: {problem}"
        finally:
            sys.settrace(None)
    return seen, printed.getvalue(), failure


def stepped(source: str) -> tuple[list[tuple[str, int]], str, str]:
    """The same of our machine."""
    machine = Machine(source)
    seen = []
    for did in machine.run():
        if did.instruction.offset not in skipped(did.frame.listing.code):
            seen.append((did.frame.listing.name, did.instruction.offset))
    failure = f"{type(machine.failure).__name__}: {machine.failure}" if machine.failure else ""
    return seen, machine.output, failure


def differ(source: str) -> str:
    """What is not the same, or nothing."""
    theirs, ours = traced(source), stepped(source)
    if theirs == ours:
        return ""
    for n, (left, right) in enumerate(zip(theirs[0], ours[0], strict=False)):
        if left != right:
            return f"instruction {n}: CPython is at {left}, the machine at {right} in\n{source}"
    lengths = len(theirs[0]), len(ours[0])
    return f"CPython: {lengths[0]}, {theirs[1:]}; the machine: {lengths[1]}, {ours[1:]} in\n{source}"


class Writer:
    """Writes programs that end: loops are bounded, functions call only those before them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.functions: list[tuple[str, int]] = []
        self.fresh = 0

    def pick(self, *of: Any) -> Any:
        return self.rng.choice(of)

    def value(self, names: list[str], depth: int = 0) -> str:
        rng = self.rng
        if depth > 2 or rng.random() < 0.3:
            return self.simple(names) if rng.random() < 0.9 else self.pick("True", "'ab'", "None")
        one, two = (lambda: self.value(names, depth + 1)), (lambda: self.value(names, depth + 1))
        kinds = [
            lambda: f"({one()} {self.pick('+', '-', '*', '//', '%', '/', '&', '|', '^')} {two()})",
            lambda: f"({one()} {self.pick('+', '-', '*')} {two()})",
            lambda: f"({one()} {self.pick('<', '<=', '>', '>=', '==', '!=', 'is', 'is not')} {two()})",
            lambda: f"({one()} < {two()} <= {one()})",
            lambda: f"({one()} {self.pick('and', 'or')} {two()})",
            lambda: f"({one()} if {two()} else {one()})",
            lambda: f"({self.pick('-', '~', 'not ', '+')}{one()})",
            lambda: f"[{one()}, {two()}][{self.pick('0', '-1', '1', '5')}]",
            lambda: f"({one()}, {two()})[0:1]",
            lambda: "{'a': " + one() + ", 'b': " + two() + "}[" + self.pick("'a'", "'b'", "'c'") + "]",
            lambda: "f'{" + self.simple(names) + "}" + self.pick("", "-{" + self.simple(names) + "!r:>6}") + "'",
            lambda: f"[y * 2 for y in range({rng.randint(0, 4)}) if y != {one()}]",
            lambda: f"sum([{self.pick('i', '1')} for i in range({rng.randint(0, 3)})])",
            lambda: f"{self.pick('len', 'str', 'abs', 'int', 'bool', 'repr')}({one()})",
            lambda: f"{self.pick('max', 'min')}({one()}, {two()})",
            lambda: f"({one()} in [{two()}, {one()}])",
            lambda: "{y: y * y for y in range(3)}",
            lambda: f"{self.pick('sorted', 'list', 'max', 'min')}([{one()}, {two()}, {one()}])",
            lambda: f"{self.pick('sorted', 'max', 'min')}([3, {two()}, 1], key=lambda y: y % {self.pick(-3, 2)})",
            lambda: f"list({self.pick('map', 'filter')}(lambda y: y and {one()}, [{two()}, 0, 2]))",
            lambda: f"[y for y in {self.pick('map(str', 'filter(bool', 'map(lambda y: -y')}, [{one()}, 1])]",
            lambda: f"sorted({{{one()}, {two()}, 7}} {self.pick(*'|&-^')} {{y % 3 for y in range(5)}})",
            lambda: self.pick(*FORMATS) + f".format({one()}, 3)",
            lambda: f"sum(map(lambda y, z: y * z, [1, 2, {one()}], [3, 4, 5]))",
            lambda: f"(lambda p, q=2: p + q)({one()})",
            lambda: self.call(names, depth),
        ]
        return str(self.pick(*kinds[: 6 if rng.random() < 0.6 else None])())

    def simple(self, names: list[str]) -> str:
        number = self.pick(self.rng.randint(-3, 12), self.rng.randint(1, 400), self.rng.randint(0, 9) / 2)
        return str(self.pick(*names, *names, number))

    def call(self, names: list[str], depth: int) -> str:
        if not self.functions:
            return self.value(names, depth + 1)
        name, many = self.pick(*self.functions)
        given = [self.value(names, depth + 1) for _ in range(many)]
        if many and self.rng.random() < 0.3:
            given[-1] = f"p{many - 1}={given[-1]}"
        return f"{name}({', '.join(given)})"

    def body(self, names: list[str], depth: int, inside: str = "") -> list[str]:
        lines: list[str] = []
        for _ in range(self.rng.randint(1, 3)):
            lines += self.statement(names, depth, inside)
        return lines

    def statement(self, names: list[str], depth: int, inside: str) -> list[str]:
        rng = self.rng
        indent = "    "
        inner = lambda more="": [indent + each for each in self.body(names, depth + 1, inside + more)]  # noqa: E731
        kind = rng.random()
        if depth > 1 or kind < 0.35:
            name = self.pick("a", "b", "c", "d")
            line = f"{name} = {self.value(names)}"
            if name in names and rng.random() < 0.4:
                line = f"{name} {self.pick('+=', '-=', '*=', '|=')} {self.value(names)}"
            if name not in names:
                names.append(name)
            return [line]
        if kind < 0.45:
            return [f"print({self.value(names)}, {self.value(names)}{self.pick('', ', sep=chr(45)')})"]
        if kind < 0.6:
            orelse = ["else:", *inner()] if rng.random() < 0.5 else []
            return [f"if {self.value(names)}:", *inner(), *orelse]
        if kind < 0.7:
            over = self.pick(
                f"range({rng.randint(0, 4)})", "[1, 'x', None]", "'abc'", "enumerate((5, 6))", "{'k': 1}"
            )
            orelse = ["else:", *inner()] if rng.random() < 0.2 else []
            leave = [f"{indent}if {self.value(names)}: {self.pick('break', 'continue')}"] * (rng.random() < 0.4)
            return [f"for {self.pick('i', 'j')} in {over}:", *inner("l"), *leave, *orelse]
        if kind < 0.76:
            self.fresh += 1
            count = f"n{self.fresh}"
            step = [f"{indent}{count} += 1"]
            return [f"{count} = 0", f"while {count} < {rng.randint(1, 3)}:", *step, *inner("l")]
        if kind < 0.84:
            caught = self.pick("Exception", "TypeError", "(ValueError, ZeroDivisionError)", "LookupError as e")
            last = self.pick([], ["finally:", "    print(1)"], ["else:", *inner()])
            return ["try:", *inner(), f"except {caught}:", *inner(), *last]
        if kind < 0.9:
            return [
                "xs = [3, 1, 2]",
                self.pick("xs.append(4)", "xs.sort()", "xs[0] += 1", "xs[1:2] = [7, 8]", "del xs[0]", "xs += 'ab'"),
                self.pick("a, b = xs[0], xs[-1]", "a, *b = xs", "a, b, c = xs", "print(xs.index(2), xs[::-1])"),
            ]
        if kind < 0.95:
            return [self.pick("assert a, 'no a'", "raise ValueError('made')", "a.upper()", "pass", "print(zz)")]
        return [
            *("def make(s):", "    def inner(t=1):", "        nonlocal s", "        s += t", "        return s"),
            *("    return inner", "step = make(3)", "print(step(), step(2), step(t=4))"),
        ]

    def program(self) -> str:
        lines: list[str] = []
        for n in range(self.rng.randint(0, 2)):
            many = self.rng.randint(0, 3)
            names = [f"p{i}" for i in range(many)]
            parameters = ", ".join([*names[:-1], f"{names[-1]}={self.pick('1', 'None')}"] if names else [])
            lines += [f"def f{n}({parameters}):"]
            lines += ["    " + each for each in self.body(list(names), 1)]
            lines += [f"    return {self.value(names)}"]
            self.functions.append((f"f{n}", many))
        lines += [f"print({name}({', '.join('731'[:many])}))" for name, many in self.functions]
        for _ in range(self.rng.randint(1, 3)):  # a mistake in one of them does not end the program
            lines += [
                "try:",
                *("    " + each for each in self.body(["1"], 1)),
                "except Exception as e:",
                "    print(e)",
            ]
        lines += self.body(["2"], 0)
        return "\n".join([*lines, "print('end')"]) + "\n"
