"""A task can be solved, by its own reference; and what is known to be wrong fails, and is told what is wrong."""

import importlib.util
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TASKS = sorted((ROOT / "content").glob("*/tasks/*.py"))


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


CHECK = load(ROOT / "frontend" / "src" / "exercise" / "check.py")
QUANTIZE_ROWS = next(path for path in TASKS if path.stem == "quantize_rows")


def checked(path: Path, answer: str) -> list[Any]:
    source = path.read_text("utf-8")
    return list(CHECK.run(CHECK.Params(name=path.stem, task=source, answer=textwrap.dedent(answer))))


def given(path: Path, function: Any) -> str:
    """A task in which this function is the answer."""
    return f"{path.read_text('utf-8')}\n{path.stem} = {function.__name__}\n"


def test_there_are_tasks() -> None:
    assert TASKS


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_the_reference_passes_its_own_cases(path: Path) -> None:
    events = checked(path, path.read_text("utf-8"))
    assert len(events) >= 5
    assert [event.text for event in events if not event.passed] == []


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_what_the_reader_starts_from_runs_and_fails(path: Path) -> None:
    events = checked(path, load(path).STUB)
    assert all(event.kind == "case" for event in events)
    assert any(not event.passed for event in events)


@pytest.mark.parametrize(
    ("path", "mistake"),
    [pytest.param(path, one, id=f"{path.stem}-{one.__name__}") for path in TASKS for one in load(path).MISTAKES],
)
def test_a_known_mistake_fails_and_is_recognised(path: Path, mistake: Any) -> None:
    failed = [event for event in checked(path, given(path, mistake)) if not event.passed]
    assert failed, "no case catches it"
    says = {" ".join(str(one.__doc__).split()) for one in load(path).MISTAKES}
    assert failed[0].text in says, failed[0]


def test_an_error_says_its_line() -> None:
    answer = """
        def quantize_rows(w, bits):
            top = 2 ** (bits - 1) - 1
            return w / missing, top
        """
    events = checked(QUANTIZE_ROWS, answer)
    assert {event.line for event in events} == {4}
    assert events[0].got == "NameError: name 'missing' is not defined"
    assert events[0].call.startswith("quantize_rows([[ 0.5")


@pytest.mark.parametrize(
    ("answer", "line", "words"),
    [
        ("def quantize_rows(w, bits)\n    return w", 1, "expected ':'"),
        ("import numpy as np\nx = 1 / 0", 2, "ZeroDivisionError"),
        ("raise SystemExit", 1, "SystemExit"),
        ("def quantise_rows(w, bits):\n    return w", None, "no function quantize_rows"),
    ],
)
def test_code_that_cannot_be_tried_says_why(answer: str, line: int | None, words: str) -> None:
    (event,) = checked(QUANTIZE_ROWS, answer)
    assert (event.kind, event.line) == ("broken", line)
    assert words in event.text


def test_what_is_printed_comes_along_and_arguments_are_the_answers_own() -> None:
    answer = """
        import numpy as np
        def quantize_rows(w, bits):
            print("shape", w.shape)
            w[:] = 0
            return w.astype(np.int8), np.ones(len(w))
        """
    first, *_ = checked(QUANTIZE_ROWS, answer)
    assert first.printed == "shape (2, 3)\n"
    assert first.expected.startswith("([[ 4, -7,  2]"), "a reader's change of the input reached the reference"


@pytest.mark.parametrize(
    ("got", "expected", "same"),
    [
        (0.1 + 0.2, 0.3, True),
        (np.float32(1), 1.0, True),
        (1, 1.0, False),
        ([1, 2], np.array([1, 2]), True),
        (np.ones((2, 1)), np.ones(2), False),
        (float("nan"), float("nan"), True),
        ((1, 2), (1, 2), True),
        ((1,), (1, 2), False),
        (None, 1.0, False),
        (True, True, True),
        (1, True, False),
        ("view", "view", True),
        (object(), 1.0, False),
    ],
)
def test_alike(got: Any, expected: Any, same: bool) -> None:
    assert CHECK.alike(got, expected) is same
