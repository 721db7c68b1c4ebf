"""The road, station by station, as events."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from labs.contract import say

from native.pytorch.cpp_extension import source, tell
from native.pytorch.cpp_extension.pictures import PARTS, STATIONS, WAYS, Check, Road

if TYPE_CHECKING:
    from native.pytorch.cpp_extension import Params
    from native.pytorch.cpp_extension.build import Size


def road(params: Params) -> Iterator[Road]:
    event = start(params)
    yield event
    from native.pytorch.cpp_extension import build

    event = replace(event, compiler=build.compiler())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        library = folder / build.MADE["link"]
        (folder / source.FILE).write_text(source.text(params))
        for at, station in enumerate(STATIONS[:3]):
            step = build.take(folder, station, params.level, not params.unlinked)
            event = reached(event, at, step.seconds, step.command, step.refuses, step.says)
            if step.failed:
                yield replace(event, text=tell.refused(event))
                return
            if station == "preprocess":
                lines, size = build.counted(folder / build.MADE[station])
                event = replace(event, lines=lines, bytes=size)
            if station == "compile":
                event = named(event, folder / build.MADE[station])
            if station == "link":
                event = replace(event, size=library.stat().st_size)
            yield replace(event, text=tell.station(event, at))
        event = symbols(event, library)
        yield replace(event, text=tell.symbols(event))
        for step_on in loaded(event, library, params):
            yield (event := step_on)
        for header, include in source.HEADERS.items():
            event = with_header(event, header, build.size_of(folder, include))
        yield replace(event, text=tell.headers(event))


def start(params: Params) -> Road:
    body = source.body(params)
    return Road(
        text=say("{} in C++: {} lines, and the functions of torch that it calls.", params.op, body.count("\n")),
        stage="source",
        source=body.strip("\n").splitlines(),
        includes=source.text(params).removesuffix(body).strip(),
        compiler="",
        stations=list(STATIONS),
        state=["waiting" for _ in STATIONS],
        seconds=np.full(len(STATIONS), np.nan, np.float32),
        command=["" for _ in STATIONS],
        output=["" for _ in STATIONS],
        lines=0,
        bytes=0,
        needed=[],
        provider=[],
        bound=[],
        provided=[],
        libraries=[],
        size=0,
        registered=[],
        error="",
        checks=[],
        ways=np.full((len(WAYS), 3), np.nan, np.float32),
        parts=np.full((len(PARTS), 3), np.nan, np.float32),
        headers=[],
        header_lines=np.zeros(0, np.int32),
        header_bytes=np.zeros(0, np.int32),
        header_seconds=np.zeros(0, np.float32),
    )


def reached(event: Road, at: int, seconds: float, command: str, error: str, output: str = "") -> Road:
    """One station more, or the end of the road."""
    took = event.seconds.copy()
    took[at] = seconds
    state = [*event.state[:at], "failed" if error else "done", *event.state[at + 1 :]]
    commands = [*event.command[:at], command, *event.command[at + 1 :]]
    outputs = [*event.output[:at], output or error, *event.output[at + 1 :]]
    return replace(
        event, stage=STATIONS[at], seconds=took, state=state, command=commands, output=outputs, error=error
    )


def named(event: Road, file: Path) -> Road:
    """With the names that an object file or a library needs and defines, and nothing said of who has the former."""
    from native.models import elf
    from native.models.demangled import demangled

    found = elf.read(file)
    return replace(
        event,
        source=[],
        includes="",
        needed=[demangled(each) for each in found.needed],
        provider=["" for _ in found.needed],
        bound=[False for _ in found.needed],
        provided=[demangled(each) for each in found.provided],
    )


def symbols(event: Road, library: Path) -> Road:
    from native.models import elf
    from native.pytorch.cpp_extension.symbols import provider

    found = elf.read(library)
    return replace(
        named(event, library),
        stage="symbols",
        provider=[provider(each, found.libraries) for each in found.needed],
        libraries=found.libraries,
    )


def loaded(event: Road, library: Path, params: Params) -> Iterator[Road]:
    """From the loader on, as the process that has loaded the library tells it."""
    from native.pytorch.cpp_extension.child import steps

    call = f"torch.ops.underhood.{params.op}(x, y, {0.75})" if params.op == "scale_add" else ""
    commands = {
        "load": f"dlopen({library.name!r}, {'RTLD_LAZY' if params.binding == 'lazy' else 'RTLD_NOW'})",
        "call": call or f"torch.ops.underhood.{params.op}(x)",
    }
    step = "load"
    for told in steps(library, params):
        if "exit" in told:  # in the middle of what would have been the next step
            at = 3 if event.state[3] == "waiting" else 4
            event = reached(event, at, np.nan, [*commands.values()][at - 3], told["error"])
            yield replace(event, text=tell.lost(event))
            return
        step = told["step"]
        if step in commands:
            at = 3 if step == "load" else 4
            event = reached(event, at, told["seconds"], commands[step], told.get("error", ""))
            known = {name: told.get(name, getattr(event, name)) for name in ("registered", "bound")}
            event = replace(event, **known)
            yield replace(event, text=tell.refused(event) if event.error else tell.station(event, at))
        elif step == "check":
            event = replace(event, stage="check", checks=[Check(**row) for row in told["checks"]])
            yield replace(event, text=tell.checks(event))
        else:
            event = measured(event, told)
            yield replace(event, text=tell.times(event, params))


def measured(event: Road, told: dict[str, Any]) -> Road:
    ways, parts = (np.array(told[name], np.float32) for name in ("ways", "parts"))
    return replace(event, stage="time", ways=ways, parts=parts)


def with_header(event: Road, header: str, size: Size) -> Road:
    return replace(
        event,
        stage="headers",
        headers=[*event.headers, header],
        header_lines=np.append(event.header_lines, np.int32(size.lines)),
        header_bytes=np.append(event.header_bytes, np.int32(size.bytes)),
        header_seconds=np.append(event.header_seconds, np.float32(size.seconds)),
    )
