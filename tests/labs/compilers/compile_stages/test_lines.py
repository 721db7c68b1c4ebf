"""How lines are read: marks, conditions, assembly of two compilers, and what is said if there is none."""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from extent import chosen
from labs.contract import LabError
from native.compilers.compile_stages import assembly, guards
from native.models.stages import toolchain
from native.models.stages.marks import Operations, taken

CODE = "line one\nauto tmp0 = in_ptr0[x0]; /*@0*/\nauto tmp1 = tmp0 * tmp0; /*@1,2*/\n"
CLANG = """
kernel:
\t.file\t1 "/tmp" "k.main.cpp"
\t.loc\t1 1 0 # k.main.cpp:1:0
\tpush\trbp
\t.file\t2 "vec.h"
\t.loc\t2 178 14 # vec.h:178:14 @[ k.main.cpp:2:37 ]
.LBB0_4: # loop
\tvmovups\tzmm0, zmmword ptr [rdi] # 64-byte
\t.loc\t2 9 1 # vec.h:9:1 @[ other.h:3:1 @[ k.main.cpp:3:5 ] ]
\tvmulps\tzmm0, zmm0, zmm0
\tjl\t.LBB0_4
\t.size\tkernel, .-kernel
"""
GCC = """
kernel:
.LFB1:
\t.file 1 "/tmp/k.main.cpp"
\t.loc 1 1 1
\tpush\trbp
.LBB7:
\t.file 13 "vec.h"
\t.loc 13 517 12
\tvmovups\tzmm0, ZMMWORD PTR [rdi]
.LBE7:
.LBB8:
\tvmulps\tzmm0, zmm0, zmm0
.LBE8:
\t.size\tkernel, .-kernel
\t.uleb128 0x9\t# (DIE (0x83e) DW_TAG_inlined_subroutine)
\t.quad\t.LBB7\t# DW_AT_low_pc
\t.quad\t.LBE7-.LBB7\t# DW_AT_high_pc
\t.byte\t0x1\t# DW_AT_call_file (/tmp/k.main.cpp)
\t.byte\t0x2\t# DW_AT_call_line
\t.uleb128 0x9\t# (DIE (0x853) DW_TAG_inlined_subroutine)
\t.long\t.LLRL3\t# DW_AT_ranges
\t.byte\t0x1\t# DW_AT_call_file (/tmp/k.main.cpp)
\t.byte\t0x3\t# DW_AT_call_line
.LLRL3:
\t.byte\t0x4\t# DW_RLE_offset_pair (*.LLRL3)
\t.uleb128 .LBB8-.Letext0\t# Range begin address (*.LLRL3)
\t.uleb128 .LBE8-.Letext0\t# Range end address (*.LLRL3)
\t.byte\t0\t# DW_RLE_end_of_list (*.LLRL3)
"""


@pytest.mark.parametrize("text", [CLANG, GCC], ids=["clang", "gcc"])
def test_an_instruction_is_its_caller_s_however_deep_it_was_inlined(text: str) -> None:
    rows = assembly.read(text, CODE, Path("/tmp/k.main.cpp"))
    found = {row.text.split()[0]: row.operations for row in rows if not row.head}
    assert found["push"] == () and found["vmovups"] == (0,) and found["vmulps"] == (1, 2)
    assert all("#" not in row.text for row in rows)


def test_marks_come_off_a_line() -> None:
    assert taken("  tmp1 = tmp0; /*@3,11*/") == ("  tmp1 = tmp0;", (3, 11))
    assert taken("f([&] /*@1*/ { g(); /*@0*/ }") == ("f([&] { g(); }", (0, 1))
    assert taken("plain;") == ("plain;", ())


PLAIN = Operations("programs.py", 10)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "| | +- TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
            "requires_grad=False, size=[None, 32], stride=[32, 1])  # programs.py:12 in f",
            "x is a tensor of float32, [any, 32], strides (32, 1), and no gradient of it is asked for",
        ),
        (
            "| | +- ID_MATCH: ___check_obj_id(G['torch'].exp, 1396), type=<class 'x'>",
            "torch.exp is the same object as before",
        ),
        ("+- LAMBDA_GUARD: 2 <= L['x'].size()[0]  # programs.py:12 in f", "2 <= x's rows holds"),
        (
            "| +- GLOBAL_STATE: ___check_global_state() against {}",
            "grad mode, autocast, threads and determinism are set as before",
        ),
        ("| +- GuardManager: source=L['x'], accessed_by=X", ""),
    ],
)
def test_conditions_in_words(line: str, said: str) -> None:
    rows = guards.words(line, PLAIN)
    assert [row.text for row in rows] == ([said] if said else [])
    assert not rows or rows[0].line == (3 if "programs.py:12" in line else 0)


def test_without_a_compiler_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(LabError, match=r"install g\+\+ on the server, or the package ziglang"):
        toolchain.find(tmp_path)


KERNEL = """extern "C" void kernel(const float* in, float* out) {
    for (int i = 0; i < 64; i++)
        out[i] = in[i] * 3; /*@4*/
}
"""


@pytest.fixture
def ready(pytestconfig: pytest.Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What Zig needs for any program in C++ takes it a minute: the next `make test-all` finds it kept."""
    kept = pytestconfig.cache.mkdir("zig")  # type: ignore[union-attr]
    monkeypatch.setattr(toolchain, "READY", kept)
    yield
    if (made := tmp_path / "global").exists():
        shutil.copytree(made, kept, dirs_exist_ok=True)


@pytest.mark.parametrize("name", chosen(["g++", "zig"], ["g++"]))
@pytest.mark.usefixtures("ready")
def test_a_kernel_is_built_by_way_of_its_assembly(name: str, tmp_path: Path) -> None:
    tools = toolchain.find(tmp_path, name)
    file = tmp_path / "k.main.cpp"
    file.write_text(KERNEL)
    line = f"{tools.program} {file} -O3 -g1 -march=native -fPIC -shared -fopenmp -o {tmp_path}/k.main.so -lgomp"
    text = toolchain.build(tools, line, tmp_path)
    assert text is not None
    rows = assembly.read(text.read_text(), KERNEL, file)
    assert (4,) in {row.operations for row in rows}
    floats = (ctypes.c_float * 64)(*range(64))
    out = (ctypes.c_float * 64)()
    ctypes.CDLL(str(tmp_path / "k.main.so")).kernel(floats, out)
    assert list(out) == [3.0 * each for each in range(64)]


def test_what_the_compiler_says_is_handed_on(tmp_path: Path) -> None:
    tools = toolchain.find(tmp_path)
    file = tmp_path / "k.main.cpp"
    file.write_text("this is no program")
    with pytest.raises(RuntimeError, match=f"{tools.name.split()[0][0]}.* refuses: .*error"):
        toolchain.build(tools, f"{tools.program} {file} -shared -o {tmp_path}/k.main.so", tmp_path)
