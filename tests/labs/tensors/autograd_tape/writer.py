"""Writes programs at random: tensors of fitting shapes, views, changes in place, loops, walks back."""

from __future__ import annotations

import random

SHAPES = [(), (2,), (3,), (2, 3), (3, 2), (1, 3), (3, 3)]
ONE = [
    "tanh({})",
    "sin({})",
    "({}).relu()",
    "exp({} * 0.3)",
    "-{}",
    "{} * {}",
    "{} ** 2",
    "({}).sigmoid()",
    "{} * 0.5 + 1.",
    "abs({})",
    "({}).sqrt()",
    "2 ** {}",
    "1 / {}",
    "({}).clamp(-0.5, 0.5)",
    "square({})",
    "({} * {}).sqrt()",
    "where({} > 0, {}, 0.1)",
]
TWO = ["{} + {}", "{} * {}", "{} - {}", "maximum({}, {})", "{} / ({} * {} + 2.)", "({} * 0.5) ** {}", "max({}, {})"]
ROWS = ["softmax", "log_softmax", "cumsum"]
MANY = ["sum", "mean", "amax", "logsumexp", "norm", "std", "max"]


class Writer:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.leaves: list[str] = []
        self.count = 0

    def program(self) -> str:
        for _ in range(self.chance.randint(1, 3)):
            self.leaf()
        for _ in range(self.chance.randint(2, 7)):
            self.chance.choices(
                [
                    self.compute,
                    self.view,
                    self.write,
                    self.reduce,
                    self.section,
                    self.detached,
                    self.walk,
                    self.slope,
                ],
                [8, 4, 3, 2, 1, 1, 1, 1],
            )[0]()
        self.walk()
        if self.chance.random() < 0.2:
            self.lines.append(self.lines[-1])  # a walk too many
        return "\n".join(self.lines) + "\n"

    def name(self, shape: tuple[int, ...]) -> str:
        self.count += 1
        name = f"v{self.count}"
        self.shapes[name] = shape
        return name

    def some(self) -> str:
        return self.chance.choice(list(self.shapes))

    def numbers(self, shape: tuple[int, ...]) -> str:
        if not shape:
            return f"{self.chance.uniform(-1.5, 1.5):.2f}"
        return f"[{', '.join(self.numbers(shape[1:]) for _ in range(shape[0]))}]"

    def leaf(self) -> None:
        shape = self.chance.choice(SHAPES)
        wants = ", requires_grad=True" if self.chance.random() < 0.8 else ""
        name = self.name(shape)
        self.lines.append(f"{name} = tensor({self.numbers(shape)}{wants})")
        self.leaves.append(name)

    def compute(self) -> None:
        a = self.some()
        fitting = [b for b, shape in self.shapes.items() if shape == self.shapes[a] or shape == ()]
        if self.chance.random() < 0.5:
            form, shape = self.chance.choice(ONE), self.shapes[a]
            if shape and self.chance.random() < 0.2:
                form = f"({{}}).{self.chance.choice(ROWS)}(0)"
            self.lines.append(f"{self.name(shape)} = {form.format(a, a, a)}")
        elif len(self.shapes[a]) == 2 and self.chance.random() < 0.4:
            n, m = self.shapes[a]
            b = next((b for b, shape in self.shapes.items() if shape in ((m, n), (m,))), None)
            other = b or f"ones({m})"
            shape = (n, *(self.shapes[b][1:] if b else ()))
            self.lines.append(f"{self.name(shape)} = {a} @ {other}")
        else:
            b = self.chance.choice(fitting)
            self.lines.append(f"{self.name(self.shapes[a])} = {self.chance.choice(TWO).format(a, b, b)}")

    def view(self) -> None:
        a = self.some()
        shape = self.shapes[a]
        if not shape:
            return
        choices = [(f"{a}[0]", shape[1:]), (f"{a}[:1]", (1, *shape[1:])), (f"{a}.unsqueeze(0)", (1, *shape))]
        if len(shape) == 2:
            choices += [(f"{a}.T", shape[::-1]), (f"{a}[:, 0]", shape[:1])]
            if (
                a in self.leaves
            ):  # of what comes of a transposed tensor PyTorch's reshape may copy, where ours need not
                n = shape[0] * shape[1]
                choices.append((f"{a}.reshape({n})", (n,)))
        form, found = self.chance.choice(choices)
        self.lines.append(f"{self.name(found)} = {form}")

    def write(self) -> None:
        a = self.some()
        by = self.chance.choice([b for b, shape in self.shapes.items() if shape in ((), self.shapes[a])])
        form = self.chance.choice(["{} += {}", "{}.mul_({})", "{} *= 0.5", "{} -= {}", "{}.add_({})", "{}.zero_()"])
        line = form.format(a, by)
        if self.shapes[a] and self.chance.random() < 0.3:
            line = self.chance.choice([f"{a}[0] = 0.25", f"{a}[0] += 1.5"])
        if a in self.leaves or self.chance.random() < 0.3:
            self.lines += ["with no_grad():", f"    {line}"]
        else:
            self.lines.append(line)

    def reduce(self) -> None:
        a = self.some()
        shape = self.shapes[a]
        if len(shape) == 2:
            self.lines.append(f"{self.name(shape[1:])} = {self.many(a, '0')}")
        else:
            self.lines.append(f"{self.name(())} = {self.many(a, '' if shape == () else '0')}")

    def many(self, a: str, dim: str) -> str:
        how = self.chance.choice(MANY)
        if how == "norm":
            return f"{a}.norm({f'dim={dim}' if dim else ''})"
        picks = "[0]" if how == "max" and dim else ""
        return f"{a}.{how}({dim or ('0' if how == 'logsumexp' else '')}){picks}"

    def section(self) -> None:
        a = self.some()
        self.lines.append(f"{self.name(self.shapes[a])} = checkpoint(lambda h: tanh(h * h) * h, {a})")

    def detached(self) -> None:
        a = self.some()
        self.lines.append(f"{self.name(self.shapes[a])} = {a}.detach(){self.chance.choice(['', '.clone()'])}")

    def slope(self) -> None:
        a, b = self.some(), self.some()
        line = f"grad(({a} * {a}).sum(), {b}, create_graph=True)[0]"
        self.lines.append(f"{self.name(self.shapes[b])} = {line}")

    def walk(self) -> None:
        a = self.some()
        keep = self.chance.choice(["", "", "retain_graph=True"])
        self.lines.append(
            f"({a} * {a}).sum().backward({keep})" if self.chance.random() < 0.7 else f"{a}.backward({keep})"
        )
