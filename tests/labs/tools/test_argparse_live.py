"""The parser of the figure is argparse: compared with the plain one, in processes of its own and in two Pythons."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError
from labs.tools.argparse_live import LINES, PARSERS, Params, Parsed, run
from labs.tools.argparse_live.declare import TAKEN, declared
from labs.tools.argparse_live.shell import words
from labs.tools.argparse_live.watch import WIDTH

ROOT = Path(__file__).parents[3]
PLAIN = Path(__file__).parent / "argparse_live" / "plain.py"
BROWSER = ROOT / "tests" / "labs" / "browser" / "python.mjs"
sys.path.insert(0, str(PLAIN.parent))
from plain import Writer  # noqa: E402

SEEDS, EACH = 80, 4


def steps(parser: str = PARSERS["resize"], line: str = LINES["resize"]) -> list[Parsed]:
    return list(run(Params(parser=parser, line=line)))


def ending(case: list[str]) -> list[Any]:
    last = steps(*case)[-1]
    return [{each.name: each.value for each in last.result}, last.status, last.stdout, last.stderr]


def written(seeds: int) -> list[list[str]]:
    writers = [Writer(seed) for seed in range(seeds)]
    return [[source, writer.line()] for writer in writers for source in [writer.declaration()] for _ in range(EACH)]


def plainly(cases: list[list[str]]) -> list[Any]:
    """What plain argparse makes of them, in a clean process."""
    done = subprocess.run(
        [sys.executable, "-I", str(PLAIN)],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        timeout=60,
        env={"COLUMNS": str(WIDTH + 2), "NO_COLOR": "1", "PATH": os.environ["PATH"]},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[Any] = json.loads(done.stdout)
    return found


def test_it_ends_as_plain_argparse_does() -> None:
    cases = [[parser, line] for parser in PARSERS.values() for line in LINES.values()] + written(SEEDS)
    found = plainly(cases)
    for case, theirs in zip(cases, found, strict=True):
        assert ending(case) == theirs, case
    status = [theirs[1] for theirs in found]
    assert min(status.count(each) for each in (-1, 0, 2)) > 5


PYODIDE = """
import { readFile } from "node:fs/promises";
const [browser, site, plain] = process.argv.slice(2);
const { start } = await import(browser);
const python = await start(site, "labs.tools.argparse_live");
python.FS.writeFile("/labs/plain.py", await readFile(plain, "utf8"));
process.stdout.write(python.runPython(`
import json, os, sys
os.environ["COLUMNS"] = "60"
from plain import Writer, outcome
from labs.tools.argparse_live import LINES, PARSERS, Params, run
def ending(source, line):
    last = [*run(Params(source, line))][-1]
    return [{each.name: each.value for each in last.result}, last.status, last.stdout, last.stderr]
cases = [(source, line) for source in PARSERS.values() for line in LINES.values()]
for seed in range(25):
    writer = Writer(seed)
    source = writer.declaration()
    cases += [(source, writer.line()) for _ in range(2)]
differ = [case for case in cases if ending(*case) != outcome(*case)]
changed = [outcome(PARSERS["resize"], line) for line in (
    "-vw=5 a", "a --format gif", "--shift 1 -1_000 a", "--shift -2 -1e3 a", "a --shift -v 12", "-3px",
)]
one = PARSERS["resize"] + 'parser.add_argument("-1", dest="one", action="store_true")'
changed.append(outcome(one, "a --shift -3 12"))
level = outcome(PARSERS["subcommands"], LINES["subcommand"])
json.dumps({"version": sys.version, "differ": differ, "changed": changed, "level": level, "cases": len(cases)})
`));
"""


def test_the_browsers_argparse_is_watched_as_well(tmp_path: Path) -> None:
    """It is of another version: with rules and messages that differ, which the article tells."""
    script = tmp_path / "parse.mjs"
    script.write_text(PYODIDE, "utf-8")
    subprocess.run([sys.executable, str(ROOT / "scripts" / "pack_labs.py")], check=True)
    node = Path(sys.executable).with_name("node")
    done = subprocess.run(
        [str(node), str(script), str(BROWSER), str(ROOT / "frontend" / "public"), str(PLAIN)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["version"].startswith("3.14") and found["cases"] > 100
    assert found["differ"] == []
    joined, choices, grouped, exponent, option, name, negative = found["changed"]
    assert joined[0]["width"] == "5" and grouped[0]["shift"] == "[1, -1000]"
    assert "(choose from png, webp)" in choices[3] and "invalid int value: '-1e3'" in exponent[3]
    assert "invalid int value: '-v'" in option[3] and name[0]["images"] == "['-3px']"
    assert negative[0]["shift"] == "[-3, 12]"
    assert found["level"][0]["level"] == "5"


def test_each_picture_follows_from_the_one_before() -> None:
    for parser, line in [(PARSERS["resize"], LINES["resize"]), (PARSERS["subcommands"], LINES["subcommand"])]:
        made = steps(parser, line)
        for before, after in pairwise(made):
            held = [chip.place for slot in after.slots for chip in slot.chips]
            taken = {n for n, each in enumerate(after.tokens) if each.state == "taken"}
            assert set(held) == taken
            assert [each.text for each in before.tokens] == [each.text for each in after.tokens]
            same = zip(before.slots, after.slots, strict=False)
            assert all(one.value == other.value or other.state or after.stage != "letters" for one, other in same)
        result = {each.name: each.value for each in made[-1].result}
        for slot in made[-1].slots:
            if slot.level == 1 and slot.dest and result:
                assert result[slot.dest] == slot.value


def test_an_error_is_marked_where_it_is() -> None:
    def wrong(line: str, parser: str = PARSERS["resize"]) -> tuple[list[str], list[str]]:
        last = steps(parser, line)[-1]
        tokens = [each.text for each in last.tokens if each.state in ("wrong", "left")]
        return tokens, [each.name for each in last.slots if each.state == "wrong"]

    assert wrong(LINES["resize"]) == (["second.png"], [])
    assert wrong(LINES["a wrong number"]) == ([], ["-w, --width"])
    assert wrong("a --format") == (["--format"], ["--format"])
    assert wrong("-v") == ([], ["images"])
    two = 'parser = ArgumentParser()\nparser.add_argument("--va")\nparser.add_argument("--vb")\n'
    assert wrong("--v 1", two) == (["--v"], [])
    assert wrong("add a --level x", PARSERS["subcommands"]) == ([], ["--level"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab \\'\"-=é"), max_size=8), max_size=4))
def test_tokens_are_those_of_a_shell(parts: list[str]) -> None:
    line = " ".join(parts)
    try:
        mine = words(line)
    except LabError:
        with pytest.raises(ValueError):
            shlex.split(line)
        return
    assert [each.text for each in mine] == shlex.split(line)
    assert [shlex.split(line[each.start : each.end]) for each in mine] == [[each.text] for each in mine]
    shell = subprocess.run(["sh", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True)
    assert shell.stdout.decode().split("\0")[:-1] == [each.text for each in mine] or not mine


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                'parser = ArgumentParser(prog="p")', 'parser.add_argument("x", nargs=%s)',
                "parser.add_argument(%s)",
                's = parser.add_subparsers(dest="c")', 'parser = s.add_parser("q", help=%s)', "s = 1 + %s",
                'parser.add_argument("-z", type=%s, default=%s)', "import os",
                'parser.add_argument("y", choices=%s)',
                "g = parser.add_mutually_exclusive_group()", 'g.add_argument("--v", action=%s)', "parser.exit(%s)",
            ]
        ),
        max_size=7,
    ),
    st.sampled_from(['"a"', "int", "9", "10**9", "-1", "0", '"%s"', '"%(prog)999999999d"', "[[1]]", "None", '"*"',
                     "True", "'count'", "open", "lambda: 1", "{}", '"store_true"', "f'{1}'",
                     "().__class__", '"a\\0b"']),
)  # fmt: skip
def test_hostile_declarations_run_or_are_refused_with_a_line(lines: list[str], value: str) -> None:
    source = "\n".join(each.replace("%s", value) for each in lines)
    try:
        made = steps(source, "a b --v -z 3 q")
    except LabError as refused:
        assert str(refused).startswith(("Line ", "Begin with ")) and "\n" not in str(refused), refused
    else:
        assert made[-1].stage == "end"


@given(st.text(max_size=60))
@settings(max_examples=30, deadline=None)
def test_whatever_is_no_declaration_is_refused(text: str) -> None:
    try:
        declared(text)
    except LabError as refused:
        assert str(refused).startswith("Line ")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("parser = ArgumentParser()\nparser.add_argument('n', nargs=10**9)", "Line 2: write a number, a text"),
        ("parser = ArgumentParser()\nparser.add_argument('n', nargs=10)", "Line 2: nargs is a number up to 9"),
        ("parser = ArgumentParser()\nparser.add_argument('n', help='100%')", "write %% for a percent sign"),
        ("parser = ArgumentParser()\nparser.add_argument('n', help='%(x)99999999s')", "write %% for a percent"),
        ("parser = ArgumentParser()\nparser.add_argument('n', type=eval)", "Line 2: write a number"),
        ("parser = ArgumentParser()\n__import__('os').system('ls')", "Line 2: only ArgumentParser, add_argument"),
        ("parser = ArgumentParser()\nparser.add_argument('-n')\nparser.add_argument('-n')", "Line 3: argparse"),
        ("parser = ArgumentParser()\nother.add_argument('-n')", "Line 2: other has no add_argument"),
        ("parser = ArgumentParser(\n", "Line 1: this is not Python"),
        ("x = " + "(" * 300 + ")" * 300, "Line 1: this is not Python"),
        ("", "Begin with parser = ArgumentParser()."),
        ("parser = ArgumentParser()\nparser.add_mutually_exclusive_group()", "Line 2: put an argument into"),
        ("parser = ArgumentParser()\n" * 2, "Line 2: one parser is enough"),
        ("parser = ArgumentParser()\n" + "parser.add_argument('n', nargs='+')\n" * 7, "6 of them positional"),
        ("parser = ArgumentParser()\n" + "parser.add_argument('n')\n" * 25, "Line 25: leave calls out until there"),
    ],
)  # fmt: skip
def test_what_is_refused_says_what_to_change(source: str, words: str) -> None:
    with pytest.raises(LabError) as refused:
        steps(source, "")
    assert words in str(refused.value)


def test_a_quote_that_stays_open_is_refused() -> None:
    with pytest.raises(LabError, match="close the quote"):
        steps(line="'a")
    with pytest.raises(LabError, match="too many tokens"):
        steps(line="a " * 21)


def test_the_worst_patterns_take_no_time() -> None:
    """As many greedy positionals as may be declared, and behind them one that never fits."""
    greedy = "".join(f'parser.add_argument("p{n}", nargs="+")\n' for n in range(5))
    source = f'parser = ArgumentParser()\n{greedy}parser.add_argument("last", nargs=9)\n'
    assert steps(source, "a " * 13)[-1].status == 2
    assert set(TAKEN) == {
        "ArgumentParser",
        "add_argument",
        "add_mutually_exclusive_group",
        "add_subparsers",
        "add_parser",
    }
