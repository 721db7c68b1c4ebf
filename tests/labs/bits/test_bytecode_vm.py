"""The events of the lab: whole pictures that fit together, here and under the browser's Python."""

from __future__ import annotations

import dis
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from labs.bits.bytecode_vm import EXAMPLES, MOST, Params, Step, run
from labs.contract import LabError

ROOT = Path(__file__).parents[3]
BROWSER = ROOT / "tests" / "labs" / "browser" / "python.mjs"


def steps(source: str) -> list[Step]:
    return list(run(Params(source=source)))


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_picture_follows_from_the_one_before(name: str) -> None:
    made = steps(EXAMPLES[name])
    assert [step.executed for step in made] == [*range(1, len(made) + 1)]
    for before, after in pairwise(made):
        call = before.calls[-1]
        assert after.depth == len(before.calls) - 1
        assert after.stage == call.name
        taken = call.stack[len(call.stack) - len(after.taken) :]  # a method may have changed them since
        assert [(each.type, each.object) for each in taken] == [(each.type, each.object) for each in after.taken]
        if len(after.calls) == len(before.calls):
            assert len(after.calls[-1].stack) == len(call.stack) - len(after.taken) + after.put
    assert made[-1].outcome in ("ended", "raised") and not made[-1].calls


def test_places_in_the_source_are_those_of_the_expressions() -> None:
    source = 'def f(é, b):\n    return "ü" + é * b\n\nprint(f("a", 2))\n'
    found = set()
    for step in steps(source):
        line, first, last_line, last = step.spans[step.at]
        if step.instructions[step.at] == "BINARY_OP":
            assert line == last_line
            found.add(source.split("\n")[line - 1][first:last])
    assert found == {"é * b", '"ü" + é * b'}


def test_jumps_lead_where_dis_says() -> None:
    source = EXAMPLES["recursion"]
    inner = next(each for each in compile(source, "x", "exec").co_consts if hasattr(each, "co_code"))
    step = next(step for step in steps(source) if step.stage == "fib")
    theirs = [each for each in dis.get_instructions(inner) if each.opname != "CACHE"]
    assert step.instructions == [each.opname for each in theirs]
    assert list(step.offsets) == [each.offset for each in theirs]
    jumps = {n: each.argval for n, each in enumerate(theirs) if "JUMP" in each.opname}
    assert jumps and {n: int(step.offsets[step.targets[n]]) for n in jumps} == jumps


def test_two_names_of_one_list_show_one_number() -> None:
    last = steps(EXAMPLES["two names, one list"])[-2].calls[0]
    number = {name: value.object for name, value in zip(last.names, last.values, strict=True)}
    assert number["first"] == number["second"] != number["third"] and number["third"] > 0


def test_an_endless_loop_is_stopped_and_says_so() -> None:
    made = steps("while True:\n    pass\n")
    assert len(made) == MOST and made[-1].outcome == "stopped" and f"after {MOST} instructions" in made[-1].text


def test_an_exception_that_nothing_catches_ends_the_run() -> None:
    last = steps("def f():\n    return [][0]\nf()\n")[-1]
    assert last.outcome == "raised" and "raises IndexError (list index out of range), which nothing" in last.text


def test_a_program_that_is_not_taken_is_refused_with_its_line() -> None:
    with pytest.raises(LabError, match=r"^Line 2: import is not taken here\.$"):
        steps("a = 1\nimport os\n")
    with pytest.raises(LabError, match=r"^Line 3: .*use a smaller exponent\.$"):
        steps("a = 1\n\nb = 10 ** 10 ** 8\n")


PYODIDE = """
import { readFile } from "node:fs/promises";
const [browser, site, oracle] = process.argv.slice(2);
const { start } = await import(browser);
const python = await start(site, "labs.bits.bytecode_vm");
python.FS.writeFile("/labs/oracle.py", await readFile(oracle, "utf8"));
process.stdout.write(python.runPython(`
import json, sys, warnings
warnings.simplefilter("ignore")
from oracle import Writer, differ
from labs.bits.bytecode_vm import Params, run
from labs.bits.bytecode_vm.examples import EXAMPLES
from labs.bits.bytecode_vm.trouble import RefusedError
found = {"version": sys.version, "differ": [differ(each) for each in EXAMPLES.values()], "taken": 0}
found["events"] = {name: [*run(Params(source=each))][-1].output for name, each in EXAMPLES.items()}
for seed in range(60):
    try:
        found["differ"].append(differ(Writer(seed).program()))
        found["taken"] += 1
    except RefusedError:
        pass
json.dumps(found)
`));
"""


def test_the_browsers_python_is_stepped_as_well(tmp_path: Path) -> None:
    """Its compiler is of another version, with other instructions; traced there, it takes the same path."""
    script = tmp_path / "step.mjs"
    script.write_text(PYODIDE, "utf-8")
    subprocess.run([sys.executable, str(ROOT / "scripts" / "pack_labs.py")], check=True)
    oracle = Path(__file__).parent / "bytecode_vm" / "oracle.py"
    node = Path(sys.executable).with_name("node")
    done = subprocess.run(
        [str(node), str(script), str(BROWSER), str(ROOT / "frontend" / "public"), str(oracle)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["version"].startswith("3.14")
    assert not any(found["differ"]) and found["taken"] > 25
    assert found["events"] == {name: steps(source)[-1].output for name, source in EXAMPLES.items()}
