"""Each library does in the lab what it does in a process of its own, with the line split by a shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from labs.contract import LabError
from native.tools.parsers_compared import LINES, Compared, Params, run
from native.tools.parsers_compared.programs import PROGRAMS
from native.tools.parsers_compared.trial import COLUMNS, NAMES, alike

ROOT = Path(__file__).parents[3]
ALONE = """
import json, sys
sys.path[:0] = sys.argv[2:4]
from native.tools.parsers_compared.programs import PROGRAMS
found, status = {}, 0
try:
    PROGRAMS[sys.argv[1]](sys.argv[4:], found)
except SystemExit as ended:
    status = ended.code or 0
if found:
    print(json.dumps(found))
sys.exit(status)
"""


def last(line: str) -> Compared:
    return list(run(Params(line=line)))[-1]


@pytest.mark.parametrize("library", PROGRAMS)
def test_it_ends_as_in_a_process_of_its_own(library: str) -> None:
    here = [next(each for each in last(line).outcomes if each.library == library) for line in SOME]
    plain = {"COLUMNS": str(COLUMNS), "TERMINAL_WIDTH": str(COLUMNS), "NO_COLOR": "1", "PATH": os.environ["PATH"]}
    command = f'"{sys.executable}" -c "$0" {library} "$1" "$2" '
    paths = [str(ROOT / "wasm"), str(ROOT / "backend")]
    running = [
        subprocess.Popen(["sh", "-c", command + line, ALONE, *paths], env=plain, stdout=-1, stderr=-1, text=True)
        for line in SOME
    ]
    for process, mine in zip(running, here, strict=True):
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (mine.status, mine.stderr)
        if mine.values:
            found: dict[str, Any] = json.loads(out)
            assert [alike(found[name]) for name in NAMES] == mine.values
        else:
            assert out == mine.stdout


SOME = ["first.png -w 640 second.png", "--wid 640 'a b.png'", "--help"]


def test_equal_outcomes_are_one_group() -> None:
    assert last(LINES["hexadecimal"]).groups == [0, 1, 0, 0]
    assert last(LINES["images apart"]).groups == [0, 1, 1, 1]
    assert last(LINES["help"]).groups == [0] * 4
    for line in LINES.values():
        made = list(run(Params(line=line)))
        assert [len(each.outcomes) for each in made] == [1, 2, 3, 4, 4]
        assert all(each.source and each.version for each in made[-1].outcomes)


@pytest.mark.parametrize("line", [*LINES.values(), "-v --shift 1 2 a b --format=webp -v -w7", "-wx a", "'' -v"])
def test_what_a_parameter_took_is_its_value(line: str) -> None:
    end = last(line)
    for each in end.outcomes:
        for taken in each.taken:
            assert taken.text in end.tokens[taken.place] or (not taken.value and taken.text.startswith("-"))
        if not each.values:
            continue
        assert not any(taken.refused for taken in each.taken)
        assert {taken.place for taken in each.taken} == {n for n, token in enumerate(end.tokens) if token != "--"}
        texts = {name: [one.text for one in each.taken if one.value and one.name == name] for name in NAMES}
        images, width, shift, verbose, form = (eval(value) for value in each.values)
        assert images == texts["images"] and form == (texts["format"] or [None])[-1]
        assert width == (int(texts["width"][-1], 0) if texts["width"] else 800)
        assert (shift or []) == [int(text) for text in texts["shift"]]
        assert verbose == sum(one.name == "verbose" for one in each.taken)


def test_what_no_parameter_took_and_what_one_refused() -> None:
    apart, hexadecimal = last(LINES["images apart"]), last(LINES["hexadecimal"])
    assert {one.place for one in apart.outcomes[0].taken} == {0, 1, 2}
    for library in (0, 2, 3):
        assert [one.text for one in hexadecimal.outcomes[library].taken if one.refused] == ["0x10"]


def test_an_open_quote_is_refused() -> None:
    with pytest.raises(LabError, match="close the quote"):
        last("'a")


def test_a_line_of_anything_is_told_in_one_line() -> None:
    assert all("\n" not in each.text for each in run(Params(line="'--a\nb' --format='\n'")))
