"""Recordings and benchmarks do not take over what somebody's shell tells libraries of numbers."""

import os
import subprocess
import sys

import pytest
from underhood.machine.environment import SETTINGS, without_tuning

TUNED = {"OPENBLAS_CORETYPE": "Haswell", "OMP_NUM_THREADS": "1"}
SHOW = (
    "import os, sys; print(sorted({'HOME', 'OPENBLAS_CORETYPE', 'OMP_NUM_THREADS'} & {*os.environ}), sys.argv[1:])"
)
AGAIN = f"from underhood.machine.environment import restart_without_tuning; restart_without_tuning(); {SHOW}"
# Instead of beginning again it says that it would: nothing is measured by this test.
REFUSED = (
    "import os, runpy, sys; os.execve = lambda path, command, kept: sys.exit('again'); sys.argv = sys.argv[1:]; "
)
PROGRAMS = {
    "underhood": "from underhood.cli import main; main()",
    "underhood.record": "runpy.run_module('underhood.record', run_name='__main__', alter_sys=True)",
    "scripts/bench.py": "sys.path.insert(0, 'scripts'); runpy.run_path('scripts/bench.py', run_name='__main__')",
}


def ran(code: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**without_tuning(os.environ), "HOME": "/", **more}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment, timeout=60
    )


def test_a_program_begins_again_without_the_settings_and_with_its_arguments() -> None:
    assert ran(AGAIN, "one", "two", **TUNED).stdout == "['HOME'] ['one', 'two']\n"


def test_it_begins_again_once() -> None:
    """threadpoolctl sets KMP_DUPLICATE_LIB_OK when it is imported."""
    assert ran(f"import os; os.environ['KMP_X'] = '1'; {AGAIN}", "one", **TUNED).stdout == "['HOME'] ['one']\n"


def test_without_settings_nothing_begins_again() -> None:
    assert ran(REFUSED + AGAIN, "", "one").stdout == "['HOME'] ['one']\n"


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_measures_for_others_begins_again(program: str) -> None:
    arguments = ["record"] if program == "underhood" else []
    assert ran(REFUSED + PROGRAMS[program], program, *arguments, **TUNED).stderr.strip().endswith("again")


def test_what_measures_for_its_reader_keeps_what_he_set() -> None:
    assert "again" not in ran(REFUSED + PROGRAMS["underhood"], "underhood", "labs", **TUNED).stderr


def test_what_is_dropped_begins_like_a_setting() -> None:
    kept = {"HOME": "/", "PATH": "/bin", "CUDA_VISIBLE_DEVICES": "0"}
    assert without_tuning(kept | {f"{begin}X": "1" for begin in SETTINGS}) == kept
