"""Programs on streams and events: a small part of Python, read into a list of what the host does, line by line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from labs.models.programs.accept import read
from labs.models.programs.trouble import ProgramError, refuse

Verb = Literal[
    "stream", "event", "enter", "empty", "alias", "kernel", "kernel_", "to_device", "to_host", "record",
    "wait_event", "wait_stream", "synchronize", "record_stream", "del", "time", "since", "elapsed_time", "read",
    "work",
]  # fmt: skip
MOST = 60  # lines that are executed
LONGEST = 5000  # µs of one operation


@dataclass(frozen=True)
class Do:
    """One thing that the host does."""

    line: int
    verb: Verb
    stream: str
    """The current one"""
    target: str = ""
    """The name that is given; of a method, whose it is"""
    names: tuple[str, ...] = ()
    us: int = 0
    share: int = 100
    """Percent of the device"""
    pinned: bool = False
    non_blocking: bool = False


def listed(source: str) -> list[Do]:
    """Raises ``ProgramError``."""
    found = []
    for each in statements(read(source).body, "default"):
        found.append(each)
        if len(found) > MOST:
            raise ProgramError(
                f"line {each.line}: more than {MOST} lines would be executed; let a loop turn less often"
            )
    return found


def statements(body: list[ast.stmt], stream: str) -> Iterator[Do]:
    for node in body:
        match node:
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as call, optional_vars=None)]):
                match call:
                    case ast.Call(func=ast.Name("stream"), args=[ast.Name(name)], keywords=[]):
                        yield Do(node.lineno, "enter", stream, names=(name,))
                        yield from statements(node.body, name)
                    case _:
                        raise refuse(node, "with takes stream(…) and the name of a stream")
            case ast.For(iter=ast.Call(func=ast.Name("range"), args=[ast.Constant(int(turns))]), orelse=[]):
                if not isinstance(node.target, ast.Name) or not 1 <= turns <= MOST:
                    raise refuse(node, f"write a loop as for _ in range(3), with at most {MOST} turns")
                for _ in range(turns):
                    yield from statements(node.body, stream)
            case ast.Delete(targets=targets):
                for each in targets:
                    yield Do(node.lineno, "del", stream, target=name_of(each, "a tensor"))
            case ast.Assign(targets=[ast.Name(target)], value=ast.Name(other)):
                yield Do(node.lineno, "alias", stream, target, (other,))
            case ast.Assign(targets=[ast.Name(target)], value=ast.Call() as call):
                yield made(call, stream, target)
            case ast.Expr(value=ast.Call(func=ast.Name("print"), args=[value], keywords=[])):
                yield printed(node, value, stream)
            case ast.Expr(value=ast.Call() as call):
                yield called(call, stream)
            case ast.Pass():
                pass
            case _:
                raise refuse(node, "this is not taken here; see the examples for what is")


def made(call: ast.Call, stream: str, target: str) -> Do:
    """What gives a name to something new."""
    if not isinstance(call.func, ast.Name):
        raise refuse(call, "only kernel, to_device, to_host, empty, Stream, Event and time give something a name")
    line, options = call.lineno, Options(call)
    match call.func.id:
        case "Stream" | "Event" | "empty" | "time" as verb:
            options.done(0, "enable_timing")
            verbs: dict[str, Verb] = {"Stream": "stream", "Event": "event", "empty": "empty", "time": "time"}
            return Do(line, verbs[verb], stream, target)
        case "kernel":
            us, share = options.us(), options.share()
            return Do(line, "kernel", stream, target, options.names(1), us, share)
        case "to_device":
            us, pinned, free = options.us(), options.flag("pinned"), options.flag("non_blocking")
            options.done(1)
            return Do(line, "to_device", stream, target, (), us, pinned=pinned, non_blocking=free)
        case "to_host":
            us, pinned, free = options.us(), options.flag("pinned"), options.flag("non_blocking")
            names = options.names(1)
            if len(names) != 1:
                raise refuse(call, "to_host takes its time and one tensor, as in to_host(30, x)")
            return Do(line, "to_host", stream, target, names, us, pinned=pinned, non_blocking=free)
        case other:
            raise refuse(
                call, f"{other} gives nothing a name; kernel, to_device, to_host, empty, Stream, Event and time do"
            )


def called(call: ast.Call, stream: str) -> Do:
    """What is only done."""
    line, options = call.lineno, Options(call)
    match call.func:
        case ast.Name("synchronize"):
            options.done(0)
            return Do(line, "synchronize", stream)
        case ast.Name("work"):
            us = options.us()
            options.done(1)
            return Do(line, "work", stream, us=us)
        case ast.Attribute(ast.Name(target), "kernel_"):
            us, share = options.us(), options.share()
            return Do(line, "kernel_", stream, target, options.names(1), us, share)
        case ast.Attribute(ast.Name(target), "synchronize"):
            options.done(0)
            return Do(line, "synchronize", stream, target)
        case ast.Attribute(ast.Name(target), "record"):
            names = options.names(0)
            if len(names) > 1:
                raise refuse(call, "record takes at most one stream")
            return Do(line, "record", stream, target, names or (stream,))
        case ast.Attribute(ast.Name(target), "wait_event" | "wait_stream" | "record_stream" as verb):
            names = options.names(0)
            if len(names) != 1:
                raise refuse(call, f"{verb} takes one name")
            which: dict[str, Verb] = {
                "wait_event": "wait_event",
                "wait_stream": "wait_stream",
                "record_stream": "record_stream",
            }
            return Do(line, which[verb], stream, target, names)
        case ast.Name("kernel" | "to_device" | "to_host" | "time" as name):
            raise refuse(call, f"give the result of {name} a name, as in x = {name}(…)")
        case _:
            raise refuse(call, "this call is not known here; see the examples for those that are")


def printed(node: ast.stmt, value: ast.expr, stream: str) -> Do:
    match value:
        case ast.BinOp(ast.Call(func=ast.Name("time"), args=[], keywords=[]), ast.Sub(), ast.Name(start)):
            return Do(node.lineno, "since", stream, names=(start,))
        case ast.Call(func=ast.Attribute(ast.Name(first), "elapsed_time"), args=[ast.Name(second)], keywords=[]):
            return Do(node.lineno, "elapsed_time", stream, names=(first, second))
        case ast.Name(name):
            return Do(node.lineno, "read", stream, names=(name,))
        case _:
            raise refuse(node, "print takes time() - start, before.elapsed_time(after), or what to_host has made")


class Options:
    """The arguments of a call, taken one by one."""

    def __init__(self, call: ast.Call) -> None:
        self.call = call
        self.keywords = {each.arg: each.value for each in call.keywords if each.arg}
        if len(self.keywords) < len(call.keywords):
            raise refuse(call, "** is not taken here; write the arguments out")

    def us(self) -> int:
        match self.call.args:
            case [ast.Constant(int(us)), *_] if not isinstance(us, bool) and 1 <= us <= LONGEST:
                return us
        raise refuse(self.call, f"the first argument is how long it takes, a whole number from 1 to {LONGEST} µs")

    def share(self) -> int:
        match self.keywords.pop("share", ast.Constant(100)):
            case ast.Constant(int(share)) if not isinstance(share, bool) and 1 <= share <= 100:
                return share
        raise refuse(self.call, "share is the part of the device that a kernel takes, from 1 to 100 percent")

    def flag(self, name: str) -> bool:
        match self.keywords.pop(name, ast.Constant(False)):
            case ast.Constant(bool(flag)):
                return flag
        raise refuse(self.call, f"{name} is True or False")

    def names(self, start: int) -> tuple[str, ...]:
        self.done(len(self.call.args))
        return tuple(name_of(each, "a name") for each in self.call.args[start:])

    def done(self, most: int, *ignored: str) -> None:
        if rest := [each for each in self.keywords if each not in ignored]:
            raise refuse(self.call, f"{rest[0]} is not taken by this call")
        if len(self.call.args) > most:
            raise refuse(self.call, "this call takes fewer arguments")


def name_of(node: ast.expr, what: str) -> str:
    if not isinstance(node, ast.Name):
        raise refuse(node, f"{what} is expected here, by its plain name")
    return node.id
