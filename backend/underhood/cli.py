"""The command ``underhood``: serve the book, list the labs, run one, record them, begin a new one."""

from __future__ import annotations

import difflib
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from labs.contract import LabError, pack
from labs.discover import Lab, find

from underhood import record as recording
from underhood.confine import linux, sandbox
from underhood.contract.validation import ParameterError, refuse_on_device, validate
from underhood.machine.environment import restart_without_tuning
from underhood.settings import Settings
from underhood.terminal import output
from underhood.terminal.options import Parser, UsageError, parameters

FAILED, MISUSED, INTERRUPTED = 1, 2, 130  # exit codes, as shells know them


def main(arguments: list[str] | None = None) -> int:
    try:
        asked, rest = _parser().parse_known_args(arguments)
        if asked.verb is record and arguments is None:
            restart_without_tuning()
        return int(asked.verb(asked, rest))
    except (UsageError, ParameterError) as problem:
        output.complain(str(problem))
        return MISUSED
    except LabError as problem:
        output.complain(str(problem))
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has seen enough; Python would complain at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _parser() -> Parser:
    parser = Parser(prog="underhood", description="A living textbook of what happens below the Python API.")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)

    verb = verbs.add_parser("serve", help="serve the book on this machine")
    verb.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    verb.add_argument("--port", type=int, default=8000)
    verb.add_argument("--data", type=Path, metavar="DIR", help="where runs are kept")
    verb.set_defaults(verb=serve)

    verb = verbs.add_parser("worker", help="execute the runs of servers that share them through Redis")
    verb.add_argument("--queue", choices=("cpu", "cuda"), default="cpu", help="which runs to take (default: cpu)")
    verb.add_argument(
        "--concurrency", type=int, metavar="N", help="runs at once (default: one a core; one on cuda)"
    )
    verb.add_argument("--check", action="store_true", help="exit 0 if a worker of this machine is alive, else 1")
    verb.set_defaults(verb=worker)

    verb = verbs.add_parser("labs", help="list the labs and what they take")
    verb.set_defaults(verb=labs)

    verb = verbs.add_parser("run", help="run a lab here", add_help=False)  # its options depend on the lab
    verb.add_argument("lab", nargs="?", metavar="SERIES/LAB")
    verb.add_argument("--json", action="store_true", help="print the log, one JSON object a line")
    verb.set_defaults(verb=run)

    verb = verbs.add_parser("record", help="run labs with their defaults and keep the logs")
    verb.add_argument("labs", nargs="*", metavar="SERIES/LAB", help="which labs (default: all)")
    verb.add_argument("--out", type=Path, default=recording.RECORDINGS, metavar="DIR")
    verb.set_defaults(verb=record)

    verb = verbs.add_parser("new", help="write the three files of a new lab")
    verb.add_argument("what", nargs="?", choices=("lab",), metavar="lab", help="what to write; may be left out")
    verb.add_argument("lab", metavar="SERIES/LAB")
    verb.add_argument("--native", action="store_true", help="a lab for the server alone, free to use any library")
    verb.set_defaults(verb=new)
    return parser


def serve(asked: Namespace, rest: list[str]) -> int:
    _nothing_more(rest)
    from underhood.web.app import serve as serve_app  # the other verbs need no web server
    from underhood.web.rate_limits import loopback

    settings = _settings()
    settings = replace(settings, data=asked.data) if asked.data else settings
    if not settings.redis_url:  # with it, workers execute the runs
        _require_sandbox(settings, for_others=not loopback(asked.host))
    linux.hide()
    site = os.environ.get("UNDERHOOD_SITE")  # where the built pages are, if not beside the sources
    try:
        serve_app(settings, asked.host, asked.port, site=Path(site) if site else None)
    except OSError as problem:
        output.complain(f"cannot serve on {asked.host} port {asked.port}: {problem.strerror or problem}")
        return FAILED
    return 0


def worker(asked: Namespace, rest: list[str]) -> int:
    _nothing_more(rest)
    from underhood.workers.main import check, work

    settings = _settings()
    if not settings.redis_url:
        raise UsageError("a worker takes runs from Redis; say where that is in UNDERHOOD_REDIS_URL")
    if asked.concurrency is not None and asked.concurrency < 1:
        raise UsageError(f"--concurrency must be at least 1, not {asked.concurrency}")
    if asked.check:
        return 0 if check(settings, asked.queue) else FAILED
    _require_sandbox(settings, for_others=True)
    linux.hide()
    try:
        return work(settings, asked.queue, asked.concurrency)
    except RuntimeError as problem:
        output.complain(str(problem))
        return FAILED


def labs(asked: Namespace, rest: list[str]) -> int:
    _nothing_more(rest)
    output.table(find().values())
    return 0


def run(asked: Namespace, rest: list[str]) -> int:
    if asked.lab is None:
        raise UsageError("run which lab? underhood labs lists them")
    lab = _lab(asked.lab)
    refuse_on_device(lab)
    params = parameters(lab, rest)
    with output.progress(lab.title) as say:
        if asked.json:
            _print_log(lab, params, say)
        else:
            for event in lab.run(params):
                say(event.text)
    return 0


def _print_log(lab: Lab, params: Any, say: Callable[[str], None]) -> None:
    """The log as the API sends it: it ends with exactly one ``end``, however the run ends."""
    end = recording.end("failed", "this is a mistake in the lab; the traceback is in the terminal")
    say(recording.line(recording.started(lab, params, "server")))
    try:
        for event in lab.run(params):
            say(recording.line(pack(event)))
        end = recording.end("ok")
    except LabError as problem:
        end = recording.end("failed", str(problem))
        raise
    except KeyboardInterrupt:
        end = recording.end("cancelled")
        raise
    finally:
        say(recording.line(end))


def record(asked: Namespace, rest: list[str]) -> int:
    _nothing_more(rest)
    failures = 0
    for lab in [_lab(name) for name in asked.labs] or [lab for lab in find().values() if not lab.on_device]:
        for name, params in _kept(lab, asked.out).items():
            try:
                with output.progress(f"{lab.title}, {name}") as say:
                    made = recording.record(lab, params, name)
                    done = recording.write(made, asked.out, recording.tolerance(lab), lab.measures)
                    say(f"{lab.id}/{name}: {done}")
            except LabError as problem:  # say a lab that wants a GPU: the others can still be recorded
                output.complain(f"{lab.id}/{name}: {problem}")
                failures += 1
    return FAILED if failures else 0


def _kept(lab: Lab, out: Path) -> dict[str, Any]:
    """What to record by name: the defaults, and every run kept beside them.

    Of a lab that measures, only the defaults: its other runs stay until somebody measures them again by name.
    """
    others = [] if lab.measures else sorted((out / lab.id).glob("*.json"))
    kept = {path.stem: validate(lab, json.loads(path.read_text("utf-8"))["params"]) for path in others}
    return {**kept, "default": lab.params()}


def new(asked: Namespace, rest: list[str]) -> int:
    _nothing_more(rest)
    from underhood.author.new import new as write

    try:
        for path in write(asked.lab, asked.native):
            output.say(str(path))
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    sys.stderr.write(
        f"\nNext: make contract && make record ARGS={asked.lab} && make shots && make check test\n"
        f'then place it: <Lab id="{asked.lab}" label="what it is">caption</Lab>, or see it at /labs/{asked.lab}/\n'
    )
    return 0


def _settings() -> Settings:
    try:
        return Settings.from_env()
    except ValueError as problem:
        raise UsageError(str(problem)) from None


def _require_sandbox(settings: Settings, for_others: bool) -> None:
    """Raises ``UsageError`` if this machine cannot put around a run what ``UNDERHOOD_SANDBOX`` asks for.

    Where that says nothing, runs of others have every layer of every run, or its owner has to say which they do
    without; runs of the owner's own may lack some, with a warning. Containers hardly ever let a lab make its own
    loopback: that layer has to be there only if it is asked for.
    """
    held = sandbox.probe(asdict(settings.limits) | {"cores": 1})
    missing = ", ".join(layer for layer in settings.sandbox or sandbox.EVERY_RUN if layer not in held)
    offers = f"{', '.join(held) or 'none'}. Landlock needs Linux 5.13; a container may also hide a layer"
    if missing and settings.sandbox:
        raise UsageError(
            f"UNDERHOOD_SANDBOX asks for {missing}, which this machine does not offer; it has {offers}"
        )
    open_to = "a run could read what this user may read, and reach the network"
    if missing and for_others:
        raise UsageError(
            f"without {missing} {open_to}, which is not for others to use. This machine has {offers}. If that is "
            f"enough, because a container bounds it, say so: UNDERHOOD_SANDBOX={','.join(held) or 'rlimits'}"
        )
    if missing:
        output.complain(f"without {missing} {open_to}. This machine has {offers}")


def _lab(name: str) -> Lab:
    found = find()
    if name in found:
        return found[name]
    by_tail = {known.rpartition("/")[2]: known for known in found}
    near = difflib.get_close_matches(name, found, n=1) or difflib.get_close_matches(name, by_tail, n=1)
    hint = f"did you mean {by_tail.get(near[0], near[0])}?" if near else "underhood labs lists them"
    raise UsageError(f"there is no lab {name}; {hint}")


def _nothing_more(rest: list[str]) -> None:
    if rest:
        raise UsageError(f"unknown argument {rest[0]!r}")
