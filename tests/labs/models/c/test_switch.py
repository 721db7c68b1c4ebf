"""Switches whose jumps pass declarations by, beside gcc."""

import random
from pathlib import Path

import gcc
import pytest
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_60_switches_that_pass_declarations_by(first: int, tmp_path: Path) -> None:
    """Variables are declared before and between cases, in blocks and loops of the switch: a jump passes them by."""
    source = "#include <stdio.h>\n" + "".join(switching(seed) for seed in range(first, first + 20))
    calls = "".join(f'printf("%d\\n", f{seed}({x}));' for seed in range(first, first + 20) for x in range(7))
    source += f"int main(void) {{ {calls} return 0; }}"
    machine = Machine(compile_c(source))
    machine.run()
    assert bytes(machine.output) == gcc.run(source, tmp_path).stdout


def switching(seed: int) -> str:
    """A function with one switch, which gives each variable a value before it is read."""
    rng = random.Random(seed)
    names, cases = iter("abcdefgh"), iter(rng.sample(range(6), 6))

    def part(depth: int, known: list[str]) -> str:
        text = ""
        for _ in range(rng.randint(1, 3)):
            kind = rng.random()
            if kind < 0.3 and (name := next(names, None)):
                text += f"int {name}; "
                known = [*known, name]
            elif kind < 0.7 and (number := next(cases, None)) is not None:
                text += f"case {number}: " + "".join(f"{name} = x + {rng.randint(0, 9)}; " for name in known)
                text += f"n += {' + '.join(known) or '1'}; " + rng.choice(["", "", "break; "])
            elif depth < 2:
                inner = part(depth + 1, known)
                text += rng.choice(["{{ {} }} ", "do {{ {} }} while (x-- > 3); "]).format(inner)
        return text

    return f"int f{seed}(int x) {{ int n = 0; switch (x) {{ {part(0, [])} default: n += 100; }} return n; }}\n"
