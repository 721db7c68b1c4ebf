"""Who takes which token: listens to the four libraries while they parse.

The tokens are texts that know their place, and so are the parts that a library cuts out of them. What is listened
to is where each library hands a text to a parameter, which none of the four lets a program see.
"""

from __future__ import annotations

import argparse
import contextlib
import optparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, SupportsIndex
from unittest import mock


class Token(str):
    """A part of the command line that knows its place there."""

    place: int

    @classmethod
    def at(cls, place: int, text: str) -> Token:
        made = cls(text)
        made.place = place
        return made

    def __getitem__(self, key: SupportsIndex | slice) -> Token:
        return Token.at(self.place, super().__getitem__(key))

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return [Token.at(self.place, part) for part in super().split(sep, maxsplit)]


@dataclass
class Taken:
    """A token, or a part of it, that reached a parameter."""

    place: int
    """Of the token, from 0."""
    text: str
    """What the parameter took of it: its own name, or a value."""
    name: str
    """Of the parameter."""
    value: bool
    """Whether it is a value, not the parameter's name."""
    refused: bool = False
    """Whether the parameter could not make a value of it."""


class Watch:
    def __init__(self) -> None:
        self.taken: list[Taken] = []
        self.now: Any = None
        """The token in which the library reads options."""

    def values(self, name: str | None, value: Any) -> None:
        """A parameter takes its values, as they stand on the line."""
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(each, Token) and each != "--":
                self.taken.append(Taken(each.place, str(each), str(name), value=True))

    def option(self, token: Any, name: str | None, declared: list[str]) -> None:
        """A parameter finds its name in a token: whole, abbreviated, or one of several letters."""
        if isinstance(token, Token):
            short = next((each for each in declared if not each.startswith("--")), str(token))
            said = token.split("=")[0] if token.startswith("--") else short
            self.taken.append(Taken(token.place, str(said), str(name), value=False))

    @contextlib.contextmanager
    def refusing(self, name: str | None) -> Iterator[None]:
        try:
            yield
        except Exception:
            for each in self.taken:
                each.refused |= each.value and each.name == name
            raise


@contextlib.contextmanager
def watched() -> Iterator[Watch]:
    watch = Watch()
    with contextlib.ExitStack() as stack:
        for where, name, around in hooks(watch):
            stack.enter_context(mock.patch.object(where, name, around(getattr(where, name))))
        yield watch


Method = Callable[..., Any]


def hooks(watch: Watch) -> Iterator[tuple[Any, str, Callable[[Method], Method]]]:
    """A class, a method of it, and what to do around that."""
    import click.parser
    import typer._click.parser
    from typer.core import TyperArgument, TyperOption

    def named(method: Method) -> Method:
        def parse_optional(self: Any, arg: str) -> Any:
            found = method(self, arg)
            # Before Python 3.12 that is a tuple, from then on a list of those that fit.
            action = (found[0] if isinstance(found, list) else found or (None,))[0]
            if isinstance(action, tuple):
                action = action[0]
            if action is not None:
                watch.option(arg, action.dest, action.option_strings)
            return found

        return parse_optional

    def valued(method: Method) -> Method:
        def get_values(self: Any, action: argparse.Action, args: list[str]) -> Any:
            watch.values(action.dest, args)
            with watch.refusing(action.dest):
                return method(self, action, args)

        return get_values

    def reading(method: Method) -> Method:
        def process(self: Any, args: Any, state: Any) -> Any:
            watch.now = args[0] if isinstance(args, list) else args
            return method(self, args, state)

        return process

    def optioned(method: Method) -> Method:
        def process(self: Any, opt: str, value: Any, values: Any, parser: Any) -> Any:
            watch.option(watch.now, self.dest, self._short_opts + self._long_opts)
            watch.values(self.dest, value)
            with watch.refusing(self.dest):
                return method(self, opt, value, values, parser)

        return process

    def left(method: Method) -> Method:
        def parse_args(self: Any, args: list[str]) -> Any:
            options, rest = method(self, args)
            watch.values("images", rest)
            return options, rest

        return parse_args

    def stored(method: Method) -> Method:
        def process(self: Any, value: Any, state: Any) -> Any:
            if hasattr(self, "takes_value"):
                watch.option(watch.now, self.dest, self._short_opts + self._long_opts)
            watch.values(self.dest, value)
            return method(self, value, state)

        return process

    def converted(method: Method) -> Method:
        def process_value(self: Any, ctx: Any, value: Any) -> Any:
            with watch.refusing(self.name):
                return method(self, ctx, value)

        return process_value

    yield argparse.ArgumentParser, "_parse_optional", named
    yield argparse.ArgumentParser, "_get_values", valued
    yield optparse.OptionParser, "_process_long_opt", reading
    yield optparse.OptionParser, "_process_short_opts", reading
    yield optparse.Option, "process", optioned
    yield optparse.OptionParser, "parse_args", left
    for parser in (click.parser, typer._click.parser):
        yield parser._OptionParser, "_process_opts", reading
        yield parser._Option, "process", stored
        yield parser._Argument, "process", stored
    kinds = {*click.Option.mro(), *click.Argument.mro(), *TyperOption.mro(), *TyperArgument.mro()}
    for kind in kinds:
        if "process_value" in vars(kind):
            yield kind, "process_value", converted
