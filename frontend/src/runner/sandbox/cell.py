"""Python's side of the sandbox: run a reader's version of a lab, and say which line went wrong."""

import dataclasses
import importlib.util
import json
import platform
import sys
import traceback
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

sys.path.insert(0, "/labs")  # where worker.js puts them

import numpy
from labs.contract import Event, LabError, pack

FILE = "<your code>"


class CodeError(Exception):
    """The code is Python, but not a lab; ``line`` is where that can be fixed."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def versions() -> str:
    return json.dumps({"python": platform.python_version(), "numpy": numpy.__version__})


def run(code: str, lab: str, params: str, emit: Callable[[str], str]) -> str:
    """Run the code and give each event to ``emit``, which answers with a reason to stop. Returns how it ended."""
    try:
        module = load(code, lab)
        for event in started(module, json.loads(params)):
            if not isinstance(event, Event) or not isinstance(event.text, str):
                what = "an event whose text is no text" if isinstance(event, Event) else f"a {type(event).__name__}"
                raise CodeError(f"run yielded {what}; the figure draws events.", line_of(module.run))
            refused = emit(json.dumps(pack(event)))
            if refused:
                raise CodeError(refused, line_of(module.run))
    except LabError as error:
        return ended("failed", str(error))
    except BaseException as error:  # SystemExit, too, ends the run and not the interpreter
        fault = locate(error)
        where = f" (line {fault['line']})" if fault["line"] else ""
        return ended("failed", f"The edited code stopped{where}. {fault['message']}", fault)
    return ended("ok", "")


def ended(status: str, reason: str, fault: dict[str, Any] | None = None) -> str:
    return json.dumps({"status": status, "reason": reason, "fault": fault})


def blank(name: str) -> types.ModuleType:
    """An empty module: a package, where the lab is a room; an exercise is no lab of ours."""
    sys.modules.pop(name, None)  # that of the run before
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        spec = None
    return importlib.util.module_from_spec(spec) if spec else types.ModuleType(name)


def load(code: str, lab: str) -> Any:
    """The code as the lab's own module: dataclasses look themselves up there."""
    name = f"labs.{lab.replace('/', '.')}"
    module = sys.modules[name] = blank(name)
    exec(compile(code, FILE, "exec", dont_inherit=True), module.__dict__)
    if not dataclasses.is_dataclass(getattr(module, "Params", None)):
        raise CodeError("The code must define the dataclass Params, as the lab's own does.")
    if not callable(getattr(module, "run", None)):
        raise CodeError("The code must define run(params), as the lab's own does.")
    return module


def started(module: Any, values: dict[str, Any]) -> Iterable[object]:
    known = {field.name for field in dataclasses.fields(module.Params)}
    for name in values.keys() - known:
        message = (
            f"Params has no {name}, which the figure's controls set. Keep the field, even if nothing reads it."
        )
        raise CodeError(message, module.Params.__firstlineno__)
    hints = typing.get_type_hints(module.Params)
    # JSON from a browser says 3 for 3.0
    values = {name: float(value) if hints[name] is float else value for name, value in values.items()}
    events = module.run(module.Params(**values))
    if not isinstance(events, Iterable):
        raise CodeError("run must yield events; it returned without yielding any.", line_of(module.run))
    return events


def line_of(function: Any) -> int | None:
    code = getattr(function, "__code__", None)
    return code.co_firstlineno if code else None


def locate(error: BaseException) -> dict[str, Any]:
    """What went wrong and at which line of the reader's code, also where a library raised it."""
    if isinstance(error, CodeError):
        return {"message": str(error), "line": error.line, "column": None}
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return {"message": f"{type(error).__name__}: {error.msg}", "line": error.lineno, "column": error.offset}
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == FILE]
    message = "".join(traceback.format_exception_only(error)).strip()
    return {"message": message[:2_000], "line": lines[-1] if lines else None, "column": None}
