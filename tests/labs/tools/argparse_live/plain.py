"""The reference: the declaration executed as the Python that it is, with plain argparse; and random declarations.

As a program it reads cases as JSON, ``[[declaration, command line], ...]``, and writes what becomes of each.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import shlex
import sys
from typing import Any

KINDS = ["", ', nargs="?"', ', nargs="*"', ', nargs="+"', ", nargs=2", ', nargs="..."']
TYPES = ["", "", ", type=int", ", type=float", ", type=bool", ', choices=["a", "b"]', ", type=int, choices=[1, 2]"]
FLAGS = ["-n", "--number", "--name", "-x", "-y", "-5", "--verbose", "--value", "-word", "--no-thing", "-z"]
WORDS = [
    "a",
    "b",
    "1",
    "2",
    "1",
    "2",
    "-3",
    "-0.5",
    "-5",
    "--",
    "-",
    "",
    "two words",
    "-x y",
    "word",
    "1_000",
    "-1_000",
    "-1e3",
]


MOST = 48  # characters of a value that the figure shows


def outcome(source: str, line: str) -> list[Any]:
    """Names with their values, the exit code (-1 while the program goes on), standard output, standard error."""
    names = dict(vars(argparse))
    out, err = io.StringIO(), io.StringIO()
    found: dict[str, str] = {}
    status = -1
    exec(source, names)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            parsed = names["parser"].parse_args(shlex.split(line))
            found = {name: short(repr(value)) for name, value in vars(parsed).items()}
        except SystemExit as ended:
            status = int(ended.code or 0)
    return [found, status, out.getvalue(), err.getvalue()]


def short(text: str) -> str:
    return text if len(text) <= MOST else text[: MOST - 1] + "…"


class Writer:
    """Random declarations, and command lines for them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.flags: list[str] = ["-h", "--help"]
        self.commands: list[str] = []
        self.count = 0

    def some(self, share: float) -> bool:
        return self.chance.random() < share

    def option(self, owner: str, free: list[str]) -> str:
        names = [free.pop(self.chance.randrange(len(free))) for _ in range(1 + self.some(0.4)) if free]
        self.flags += names
        spelled = ", ".join(f'"{name}"' for name in names)
        kind = self.chance.randrange(5)
        required = ", required=True" if self.some(0.15) and not owner.startswith("group") else ""
        if kind == 0:
            action = self.chance.choice(["store_true", "store_false", "count"])
            return f'{owner}.add_argument({spelled}, action="{action}"{required})'
        if kind == 1:
            return f'{owner}.add_argument({spelled}, action="append"{self.chance.choice(TYPES)}{required})'
        default = self.chance.choice(["", "", ", default=7", ', default="8"', ', default=["a"]'])
        shape = self.chance.choice([*KINDS[:5], ', nargs="?", const="1"'])
        return f"{owner}.add_argument({spelled}{shape}{self.chance.choice(TYPES)}{default}{required})"

    def positional(self, owner: str) -> str:
        self.count += 1
        shape = self.chance.choice(KINDS if self.some(0.5) else KINDS[:1])
        default = ', default="b"' if "?" in shape or ("*" in shape and self.some(0.5)) else ""
        return f'{owner}.add_argument("p{self.count}"{shape}{self.chance.choice(TYPES)}{default})'

    def arguments(self, owner: str) -> list[str]:
        free = list(FLAGS)
        made = [self.option(owner, free) for _ in range(self.chance.randrange(4))]
        made += [self.positional(owner) for _ in range(self.chance.randrange(3))]
        self.chance.shuffle(made)
        if self.some(0.2):
            group = f"group{len(owner)}"
            made.append(f"{group} = {owner}.add_mutually_exclusive_group(required={self.some(0.5)})")
            made += [self.option(group, free) for _ in range(2)]
        return made

    def declaration(self) -> str:
        made = [f'parser = ArgumentParser(prog="p"{", allow_abbrev=False" if self.some(0.1) else ""})']
        made += self.arguments("parser")
        if self.some(0.3):
            made.append(f'commands = parser.add_subparsers(dest="command", required={self.some(0.7)})')
            for name in ("add", "drop"):
                self.commands.append(name)
                made.append(f'{name} = commands.add_parser("{name}")')
                made += self.arguments(name)
        return "\n".join(made) + "\n"

    def line(self) -> str:
        return shlex.join(self.token() for _ in range(self.chance.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7])))

    def token(self) -> str:
        if self.commands and self.some(0.2):
            return self.chance.choice(self.commands)
        if self.some(0.45):
            flag = self.chance.choice(self.flags[2:] or FLAGS if self.some(0.9) else ["-h", "--help", *FLAGS])
            if flag.startswith("--") and self.some(0.3):
                flag = flag[: self.chance.randrange(3, len(flag) + 1)]
            if self.some(0.25):
                flag += self.chance.choice(["=1", "=", "a", "2", "xy", "=word"])
            return flag
        return self.chance.choice(WORDS)


if __name__ == "__main__":
    json.dump([outcome(*case) for case in json.load(sys.stdin)], sys.stdout)
