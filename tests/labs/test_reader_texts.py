"""What the README says of each text that a reader may send is true of the labs."""

import ctypes
import os
import re
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from labs.contract import LabError, Text
from labs.discover import Lab, find
from underhood.machine.provenance import has_cuda

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
KINDS = {
    kind.strip(): re.findall(r"`(\w+/\w+)`", labs)
    for kind, labs in re.findall(r"^  \| ((?:parsed|interpreted|compiled)[^|]*)\|([^|]*)\|$", README, re.MULTILINE)
}
INTERPRETED = next(labs for kind, labs in KINDS.items() if kind.startswith("interpreted"))
OUTSIDE = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.fork", "os.system", "ctypes.dlopen"}
watching: list[str] | None = None


def watch(event: str, given: tuple[Any, ...]) -> None:
    """What executes anything but the code of a file, or leaves Python."""
    if watching is None:
        return
    if event in OUTSIDE:
        watching.append(f"{event} {given[:1]}")
    elif event == "exec" and not Path(given[0].co_filename).is_file() and "<frozen" not in given[0].co_filename:
        watching.append(f"exec of {given[0].co_filename}")


sys.addaudithook(watch)  # for good: an audit hook cannot be taken away


def texts(lab: Lab) -> dict[str, Text]:
    hints = get_type_hints(lab.params, include_extras=True)
    given = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return {name: each for name, marks in given.items() for each in marks if isinstance(each, Text)}


def test_the_table_has_every_lab_that_takes_a_text() -> None:
    assert len(KINDS) == 4
    listed = [name for labs in KINDS.values() for name in labs]
    assert sorted(listed) == sorted(lab.id for lab in find().values() if texts(lab) and not lab.on_device)


def test_what_is_watched_is_seen() -> None:
    assert observed(lambda: exec(compile("1 + 1", "<reader>", "exec"))) == ["exec of <reader>"]
    assert observed(lambda: eval("1 + 1")) == ["exec of <string>"]
    assert observed(lambda: ctypes.CDLL("libc.so.6"))[0].startswith("ctypes.dlopen")
    assert observed(lambda: os.waitpid(os.spawnlp(os.P_NOWAIT, "true", "true"), 0)) != []


@pytest.mark.parametrize("name", INTERPRETED)
def test_no_program_of_a_reader_is_executed(name: str) -> None:
    lab = find()[name]
    programs = {key: text for key, text in texts(lab).items() if text.examples}
    chosen = [{}, *({key: [*text.examples.values()][-1]} for key, text in programs.items())]
    first(lab, lab.params())  # what it imports, which executes files and makes classes
    for change in chosen:
        params = lab.params(**change)
        assert observed(lambda params=params: first(lab, params)) == []


def first(lab: Lab, params: Any) -> None:
    """Enough of a run: a program is read before the first picture, and under way by the tenth.

    A lab that measures a GPU reads it, and ends where there is none.
    """
    try:
        for number, _ in enumerate(lab.run(params)):
            if number == 10:
                return
    except LabError:
        if lab.runs_on != ("cuda",) or has_cuda():
            raise


def observed(work: Any) -> list[str]:
    global watching
    found: list[str] = []
    watching = found
    try:
        work()
    finally:
        watching = None
    return found
