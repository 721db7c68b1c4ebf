"""Random C programs in which everything is defined, so that every compiler must make them print the same."""

from __future__ import annotations

import random

INTEGERS = (
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
)
FLOATS = ("float", "double")
WRAPPING = ("unsigned", "unsigned long")


class Program:
    """One function ``void program_<n>(void)`` that computes for a while and prints all its variables."""

    def __init__(self, number: int, seed: int) -> None:
        self.number, self.chance = number, random.Random(seed)
        self.variables = {f"v{n}": self.chance.choice(INTEGERS + FLOATS) for n in range(self.chance.randint(3, 7))}
        self.arrays = {f"a{n}": (self.chance.choice(INTEGERS), 1 << self.chance.randint(1, 3)) for n in range(2)}
        self.counters = 0

    def text(self) -> str:
        n = self.number
        lines = [f"struct s{n} {{ char tag; {self.chance.choice(INTEGERS)} inner[3]; double wide; short last; }};"]
        lines += [f"static {kind} helper_{n}({kind} x, int depth) {{"
                  f" return depth <= 0 ? x : helper_{n}(x / 2 + 1, depth - 1); }}"
                  for kind in [self.chance.choice(("int", "unsigned long", "short"))]]  # fmt: skip
        lines += [f"void program_{n}(void) {{"]
        lines += [f"  {kind} {name} = {self.number_of(kind)};" for name, kind in self.variables.items()]
        lines += [f"  {kind} {name}[{size}] = {{{self.number_of(kind)}, {self.number_of(kind)}}};"
                  for name, (kind, size) in self.arrays.items()]  # fmt: skip
        lines += [
            f"  struct s{n} one = {{'x', {{1, 2}}, 0.5, -3}}, two;",
            "  two = one; two.inner[1] += 4; two.last--;",
        ]
        for _ in range(self.chance.randint(4, 9)):
            lines += [f"  {line}" for line in self.statement(3)]
        for name, kind in self.variables.items():
            lines.append(self.show(name, kind))
        for name, (kind, size) in self.arrays.items():
            lines += [self.show(f"{name}[{n}]", kind) for n in range(size)]
        lines += [
            f'  printf("%d %d ", (int)sizeof(struct s{n}), (int)two.inner[1]);',
            '  printf("%g %d %d\\n", two.wide, two.last, one.tag);',
        ]
        return "\n".join([*lines, "}"])

    def show(self, place: str, kind: str) -> str:
        if kind in FLOATS:
            return f'  printf("{place} %.9g\\n", (double){place});'
        wide = "%lu" if kind == "unsigned long" else "%ld"
        return f'  printf("{place} {wide}\\n", ({"unsigned " * (wide == "%lu")}long){place});'

    def number_of(self, kind: str) -> str:
        if kind in FLOATS:
            return repr(round(self.chance.uniform(-50, 50), 3)) + ("f" if kind == "float" else "")
        low = 0 if kind.startswith("unsigned") else -100
        return str(self.chance.choice((0, 1, 2, self.chance.randint(low, 100))))

    def place(self) -> tuple[str, str]:
        if self.chance.random() < 0.3:
            name, (kind, size) = self.chance.choice(list(self.arrays.items()))
            index = f"{self.whole(1)} & {size - 1}"
            return self.chance.choice(
                (f"{name}[{index}]", f"(*({name} + ({index})))", f"(*&{name}[{index}])")
            ), kind
        return self.chance.choice(list(self.variables.items()))

    def whole(self, depth: int) -> str:
        """Between -999 and 999, so that the next operator cannot overflow an int."""
        return f"((int)({self.value(depth)}) % 1000)"

    def value(self, depth: int) -> str:
        """An expression whose value fits into an int."""
        pick = self.chance.randrange(14) if depth > 0 else self.chance.randrange(2)
        if pick == 0:
            return str(self.chance.randint(-99, 99))
        if pick == 1:
            name, kind = self.chance.choice(list(self.variables.items()))
            return (
                name
                if kind in ("char", "signed char", "unsigned char", "short", "int")
                else f"(short)(long){self.tame(name, kind)}"
            )
        one, other = self.whole(depth - 1), self.whole(depth - 1)
        if pick <= 4:
            return f"{one} {self.chance.choice('+-*')} {other}"
        if pick == 5:
            return f"{one} {self.chance.choice('/%')} ({other} | 1)"
        if pick == 6:
            return f"{one} {self.chance.choice('&|^')} {other}"
        if pick == 7:
            return f"{one} {self.chance.choice(('<', '<=', '>', '>=', '==', '!='))} {other}"
        if pick == 8:
            return f"({one} {self.chance.choice(('&&', '||'))} {other})"
        if pick == 9:
            return f"({one} ? {other} : {self.whole(depth - 1)})"
        if pick == 10:
            wrapping = self.chance.choice(WRAPPING)
            mixed = f"({wrapping}){one} * 2654435761u {self.chance.choice('+-*^')} ({wrapping}){other}"
            return f"(short)(({mixed}) >> ({one} & 15))"
        if pick == 11:
            return f"({self.chance.choice('-~!')}{one})"
        if pick == 12:
            return f"(int)helper_{self.number}({self.whole(0)}, {self.chance.randint(0, 5)})"
        return f"(int)(({one} * 0.25 - {other} / 3.0) * {self.chance.choice(('1.5f', '2.0', '0.1f'))})"

    def tame(self, name: str, kind: str) -> str:
        """A floating value may be too large for any integer; then it is left out."""
        return f"({name} > -1e6 && {name} < 1e6 ? {name} : 0)" if kind in FLOATS else name

    def statement(self, depth: int) -> list[str]:
        pick = self.chance.randrange(9) if depth > 0 else self.chance.randrange(4)
        place, kind = self.place()
        if pick <= 1:
            return [f"{place} = {self.value(3)};"]
        if pick == 2:
            if kind in WRAPPING or kind in FLOATS:
                return [f"{place} {self.chance.choice('+-*')}= {self.whole(2)};"]
            return [f"{place} = ({place} % 100) {self.chance.choice('+-*')} {self.whole(1)} % 100;"]
        if pick == 3:
            step = self.chance.choice(("++", "--"))
            if kind in ("int", "long", *FLOATS):
                return [f"{place} = {self.chance.randint(-9, 9)};", f"{place}{step};"]
            return [f"{place}{step};" if self.chance.random() < 0.5 else f"{step}{place};"]
        inner = [f"  {line}" for _ in range(self.chance.randint(1, 2)) for line in self.statement(depth - 1)]
        if pick == 4:
            return [f"if ({self.value(2)}) {{", *inner, "} else {", f"  {place} = {self.value(1)};", "}"]
        self.counters += 1
        i = f"i{self.counters}"
        if pick == 5:
            leave = self.chance.choice(("break", "continue"))
            return [f"for (int {i} = 0; {i} < {self.chance.randint(1, 5)}; {i}++) {{",
                    f"  if ({i} == 3 && {self.value(1)}) {leave};", *inner, "}"]  # fmt: skip
        if pick == 6:
            return [
                f"{{ int {i} = {self.chance.randint(1, 4)};",
                f"  do {{ {i}--;",
                *inner,
                f"  }} while ({i} > 0); }}",
            ]
        if pick == 7:
            otherwise = f"  {place} = {self.value(1)};"
            return [f"switch ({self.whole(2)} & 3) {{", "case 0:", *inner, "case 1:", *inner, "  break;",
                    "default:", otherwise, "}"]  # fmt: skip
        name, (kind, size) = self.chance.choice(list(self.arrays.items()))
        pointer = f"p{self.counters}"
        return [f"for ({kind} *{pointer} = {name}; {pointer} < {name} + {size}; {pointer}++)",
                f"  *{pointer} = (*{pointer} % 7) + {self.whole(1)} % 9;"]  # fmt: skip


def unit(seeds: range) -> str:
    """One file of many programs, each behind a line that names it."""
    made = [Program(n, seed).text() for n, seed in enumerate(seeds)]
    calls = "\n".join(f'  puts("-- {seed}"); program_{n}();' for n, seed in enumerate(seeds))
    return "\n\n".join(["#include <stdio.h>", *made, f"int main(void) {{\n{calls}\n  return 0;\n}}"])
