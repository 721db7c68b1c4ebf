"""Random functions of whole numbers that end, and in which everything is defined."""

from __future__ import annotations

import random


class Writer:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.names = ["a", "b", "c"]
        self.loops = 0

    def value(self, depth: int = 0) -> str:
        chance = self.chance
        if depth > 1 or chance.random() < 0.45:
            return chance.choice([*self.names, str(chance.randint(0, 99))])
        op = chance.choice(["+", "-", "*", "&", "|", "^", "==", "<", ">", "<=", "!=", "&&", "||"])
        if chance.random() < 0.1:
            return f"({self.value(depth + 1)} ? {self.value(depth + 1)} : {self.value(depth + 1)})"
        return f"({self.value(depth + 1)} {op} {self.value(depth + 1)})"

    def statement(self, depth: int) -> str:
        chance, kind = self.chance, self.chance.random()
        if kind < 0.3 and len(self.names) < 9:
            value, name = self.value(), f"v{len(self.names)}"
            if depth:
                return f"{chance.choice(self.names)} = {value};"
            self.names.append(name)
            return f"unsigned {name} = {value};"
        if depth > 1 or kind < 0.6:
            return f"{chance.choice(self.names)} {chance.choice(['=', '+=', '^='])} {self.value()};"
        if kind < 0.8:
            otherwise = f" else {self.block(depth + 1)}" if chance.random() < 0.6 else ""
            return f"if ({self.value()}) {self.block(depth + 1)}{otherwise}"
        self.loops += 1
        i, leave = (
            f"i{self.loops}",
            chance.choice(["", f"if ({self.value()}) break;", f"if ({self.value()}) continue;"]),
        )
        if kind < 0.85:
            return f"unsigned {i} = 0; do {{ {i}++; {leave} {self.block(depth + 1)} }} while ({i} < 3);"
        times = chance.randint(1, 4)
        return f"for (unsigned {i} = 0; {i} < {times}; {i}++) {{ {leave} {self.block(depth + 1)} }}"

    def block(self, depth: int) -> str:
        return "{ " + " ".join(self.statement(depth) for _ in range(self.chance.randint(1, 2))) + " }"

    def function(self) -> str:
        body = " ".join(self.statement(0) for _ in range(self.chance.randint(2, 4)))
        return f"unsigned f(unsigned a, unsigned b, unsigned c) {{ {body} return {' + '.join(self.names)}; }}\n"
