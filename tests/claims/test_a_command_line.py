"""What the chapter on command lines says, asked of argparse itself and of the recorded runs."""

from __future__ import annotations

import argparse
import importlib.util
import random
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from article import Article, recorded
from labs.tools.argparse_live import LINES, PARSERS, Params, Parsed, run
from native.tools import parsers_compared

ROOT = Path(__file__).parents[2]
says = Article("tools/02-a-command-line-that-explains-itself.mdx").says


def real(name: str, more: str = "") -> argparse.ArgumentParser:
    names: dict[str, Any] = dict(vars(argparse))
    exec(PARSERS[name] + more, names)  # an example of ours
    parser: argparse.ArgumentParser = names["parser"]
    return parser


def values(name: str, line: str, more: str = "") -> dict[str, Any]:
    return vars(real(name, more).parse_args(shlex.split(line)))


def refused(name: str, line: str, capsys: pytest.CaptureFixture[str], more: str = "") -> str:
    with pytest.raises(SystemExit) as ended:
        values(name, line, more)
    out, err = capsys.readouterr()
    assert ended.value.code == 2 and not out
    return str(err)


@cache
def steps(parser: str = "resize", line: str = "resize") -> list[Parsed]:
    return list(run(Params(PARSERS[parser], LINES[line])))


def test_the_line_at_the_top(capsys: pytest.CaptureFixture[str]) -> None:
    says(
        LINES["resize"],
        "It answers resize: error: unrecognized arguments: second.png".replace("resize:", "`resize:") + "`",
        "Move the second image next to the first, and both are accepted.",
        "The 56 characters after `resize` become eight tokens.",
    )
    assert recorded("tools/argparse_live")[-1]["status"] == 2
    assert refused("resize", LINES["resize"], capsys).endswith("unrecognized arguments: second.png\n")
    assert values("resize", LINES["images together"])["images"] == ["first photo.png", "second.png"]
    assert len(LINES["resize"]) == 56 and len(shlex.split(LINES["resize"])) == 8
    says("Other quotes give the same eight tokens.")
    assert shlex.split(LINES["quoted otherwise"]) == shlex.split(LINES["resize"]) != LINES["resize"].split()


def test_the_letters() -> None:
    says("Our line becomes `OOAAOAAA`.", "Rule 5 makes `-3` an argument.")
    assert "".join(each.letter for each in steps()[-1].tokens) == "OOAAOAAA"


def test_abbreviations(capsys: pytest.CaptureFixture[str]) -> None:
    says("every script that says `--wid` stops with `ambiguous option`")
    wider = 'parser.add_argument("--widen")\n'
    assert values("resize", "--wid 640 a.png")["width"] == 640
    assert "ambiguous option: --wid could match" in refused("resize", "--wid 640 a.png", capsys, wider)
    version = 'parser.add_argument("--version")\n'
    assert "ambiguous" in refused("resize", "--ver a.png", capsys, version)
    assert (
        values("resize", "--verbose a.png", version)["verbose"]
        == 1
        == values("resize", "-v a.png", version)["verbose"]
    )


def test_expressions() -> None:
    says(
        "| none | `(A)` |",
        "| `2` | `(AA)` |",
        '| `"?"` | `(A?)` |',
        '| `"*"` | `([A]*)` |',
        '| `"+"` | `(A[A]*)` |',
    )
    parser = argparse.ArgumentParser()
    kinds = [None, 2, "?", "*", "+"]
    found = [
        parser._get_nargs_pattern(parser.add_argument(f"--{n}", nargs=each))  # type: ignore[attr-defined]
        for n, each in enumerate(kinds)
    ]
    assert found == ["(A)", "(AA)", "(A?)", "([A]*)", "(A[A]*)"]
    says("`(-*A[A-]*)` for `images`", "the letters left are `AOAAA`", "one, because an O follows")
    step = steps()[17]
    assert (step.regex, step.letters, step.counts) == ("(-*A[A-]*)", "AOAAA", [1])
    says("`(-*A[-AO]*)`")
    assert any(each.regex == "(-*A[-AO]*)" for each in steps("subcommands", "subcommand"))


def test_an_option_among_the_values(capsys: pytest.CaptureFixture[str]) -> None:
    says("`--shift -v 12` fails in 3.11")  # 3.14 is asked in tests/labs/tools
    assert "argument --shift: expected 2 arguments" in refused("resize", "--shift -v 12 a.png", capsys)


def test_two_ways_out() -> None:
    says("It returns both images here.", "It does not work with subcommands.")
    found = real("resize").parse_intermixed_args(shlex.split(LINES["resize"]))
    assert found.images == ["first photo.png", "second.png"]
    with pytest.raises(TypeError):
        real("subcommands").parse_intermixed_args(["add", "a"])


def test_a_greedy_option_takes_the_target() -> None:
    says("`--skip` has taken `out` as well, `files` is empty, and the target is `a.txt`")
    assert values("greedy", LINES["greedy"]) == {"files": [], "target": "a.txt", "skip": ["b.txt", "out"]}
    says("put it first on the line and end its list with `--`: `pack --skip b.txt -- a.txt out`")
    ended = values("greedy", "--skip b.txt -- a.txt out")
    assert ended == {"files": ["a.txt"], "target": "out", "skip": ["b.txt"]}


def test_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    says("fails with `expected one argument`. `--by=-3` works")
    assert "argument --by: expected one argument" in refused("numbers", LINES["number"], capsys)
    assert values("numbers", "--by=-3 5")["by"] == -3
    assert steps("numbers", "number")[-1].status == 2
    says(
        "3.11 does not recognise `-1e3`. 3.14 only looks at the beginning"
    )  # which tests/labs/tools asks of the browser's


def test_a_subcommand_has_the_last_word() -> None:
    says("ends with level 5. Your 3 is gone")
    assert values("subcommands", LINES["subcommand"])["level"] == 5


def test_a_boolean_that_is_true() -> None:
    says("`--shuffle False`", "which makes `--no-cache` beside `--cache`")
    assert values("booleans", LINES["false"])["shuffle"] is True
    assert values("booleans", "--no-cache")["cache"] is False


def test_help_goes_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    says("Help goes to standard output with exit code 0", "An error goes to standard error with exit code 2")
    with pytest.raises(SystemExit) as ended:
        values("resize", "--help")
    out, err = capsys.readouterr()
    assert not ended.value.code and out.startswith("usage: resize") and not err


def test_four_libraries() -> None:
    says(
        "Only argparse refuses the line.", "argparse and optparse accept",
        "click and typer refuse it, and suggest `--width`",
        "To argparse, `-5` is the name of an image.", "argparse reads `-w=640` as 640.",
        "The other three read the value `=640`, which is no number.", "Only optparse takes `0x10` for 16.",
        "help ends with 0, a wrong line with 2, and if an option is given twice, the last value counts",
    )  # fmt: skip

    def outcomes(name: str) -> dict[str, Any]:
        params = parsers_compared.Params(line=parsers_compared.LINES[name])
        return {each.library: each for each in list(parsers_compared.run(params))[-1].outcomes}

    def ran(name: str) -> list[str]:
        return [library for library, each in outcomes(name).items() if each.values]

    assert ran("images apart") == ["optparse", "click", "typer"]
    assert ran("an abbreviation") == ["argparse", "optparse"]
    assert all("--width" in outcomes("an abbreviation")[library].stderr for library in ("click", "typer"))
    assert ran("a negative number") == ["argparse"] == ran("an equals sign")
    assert outcomes("a negative number")["argparse"].values[0] == "['-5', 'first.png']"
    assert outcomes("an equals sign")["argparse"].values[1] == "640"
    assert ran("hexadecimal") == ["optparse"] and outcomes("hexadecimal")["optparse"].values[1] == "16"
    assert {each.values[1] for each in outcomes("twice").values()} == {"320"}
    assert {(each.status, bool(each.stderr)) for each in outcomes("help").values()} == {(0, False)}
    assert {(each.status, bool(each.stdout)) for each in outcomes("a missing value").values()} == {(2, False)}


def test_exercises() -> None:
    says("`OAOAA-AA`", "By then `images` is no longer waiting, so the line ends with an error.")
    last = list(run(Params(PARSERS["resize"], "-v a.png --shift -1 -2 -- -w 3")))[-1]
    assert "".join(each.letter for each in last.tokens) == "OAOAA-AA" and last.status == 2


def test_the_task_is_argparse() -> None:
    """Its letters are those of argparse, for random tokens."""
    spec = importlib.util.spec_from_file_location("letters", ROOT / "content/tools/tasks/letters.py")
    assert spec and spec.loader
    task = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(task)
    options = ("-h", "--help", "-v", "--verbose", "-w", "--width", "--shift")
    parser = 'parser = ArgumentParser()\nparser.add_argument("-v", "--verbose")\n' + (
        'parser.add_argument("-w", "--width")\nparser.add_argument("--shift")\n'
    )
    parts = [
        "-v",
        "--verbose",
        "--wid",
        "-w",
        "3",
        "-3",
        "-.5",
        "-3.",
        "--",
        "-",
        "",
        "=",
        "-x",
        "--no",
        "a b",
        "--s",
    ]
    chance = random.Random(0)
    for _ in range(300):
        tokens = tuple("".join(chance.choices(parts, k=chance.choice([1, 1, 1, 2]))) for _ in range(5))
        *_, last = run(Params(parser, shlex.join(tokens)))
        letters = "".join(each.letter for each in last.tokens)
        if "" not in [each.letter for each in last.tokens]:
            assert letters == task.letters(tokens, options), tokens
