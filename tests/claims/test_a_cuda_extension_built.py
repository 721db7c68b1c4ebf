"""The extension that the chapter on CUDA kernels shows, built by the chapter's own commands and loaded into torch.

NVIDIA's compiler needs no GPU. This torch has no CUDA half: a library of names stands in for it, so the extension
can be loaded and registers itself, and its kernel cannot be launched.
"""

from __future__ import annotations

import ctypes
import inspect
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import torch
from article import Article
from extent import ALL
from native.models import elf
from native.models.demangled import demangled
from native.models.kernel import KERNELS
from native.pytorch import cuda_extension
from native.pytorch.cuda_extension import Params, checks, run
from nvcc import CUOBJDUMP, RUNTIME, TORCH, environment, names, stand_in, undefined
from torch.utils.cpp_extension import load

ARTICLE = Article("pytorch/10-a-cuda-kernel-through-an-extension.mdx")
says = ARTICLE.says
WITHOUT_CUDA = pytest.mark.skipif(torch.version.cuda is not None, reason="this torch has its CUDA half")
ROOM = Path(cuda_extension.__file__).parent
SOURCES = (ROOM / "extension.cpp", ROOM / "launch.cu", KERNELS / "extension.cu")
FIRST, SECOND = (path.read_text() for path in SOURCES[:2])
CHILD = """
import ctypes, json, os, sys
import torch
folder, runtime = sys.argv[1:]
told = {}
def load(name, mode):
    try:
        ctypes.CDLL(f"{folder}/{name}", mode)
    except OSError as error:
        return str(error).replace(folder + "/", "")
    return ""
told["without"] = load("scale_shift.so", os.RTLD_NOW)
ctypes.CDLL(runtime)
told["unlinked"] = [load("unlinked.so", mode) for mode in (os.RTLD_NOW, os.RTLD_LAZY)]
ctypes.CDLL(f"{folder}/lib/libc10_cuda.so")
told["no launch"] = load("no_launch.so", os.RTLD_NOW)
told["before"] = hasattr(torch.ops.underhood_cuda, "scale_shift")
told["loaded"] = load("scale_shift.so", os.RTLD_NOW)
operator = torch.ops.underhood_cuda.scale_shift.default
told["schema"] = str(operator._schema)
keys = {name: getattr(torch._C.DispatchKey, name) for name in ("CPU", "CUDA")}
told["keys"] = [name for name, key in keys.items() if operator.has_kernel_for_dispatch_key(key)]
cuda = torch._C.DispatchKeySet(keys["CUDA"])
for name, call in (("call", operator), ("past the dispatcher", lambda x: operator.redispatch(cuda, x))):
    try:
        call(torch.ones(3))
    except Exception as error:
        told[name] = str(error)
print(json.dumps(told))
"""


def block(word: str) -> str:
    """The listing or the commands of the article in which a word stands."""
    found: str
    (found,) = (text for text in re.findall(r"```\w+\n(.*?)```", ARTICLE.text, re.DOTALL) if word in text)
    return found


def commands() -> list[str]:
    """As the article has them, but that C++ is compiled without optimisation, in two thirds of the time."""
    return block("nvcc -O3").replace("\\\n", "").replace("-O2", "-O0").strip().splitlines()


@dataclass(frozen=True)
class Built:
    folder: Path
    environment: dict[str, str]
    dry: str
    """The programs that nvcc calls, one a line"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both compilers at the same time, and then the linker."""
    folder = tmp_path_factory.mktemp("extension")
    surroundings = environment(folder)
    for path in SOURCES:
        shutil.copy(path, folder)
    *compilers, linker = commands()
    assert [each.split()[0] for each in (*compilers, linker)] == ["nvcc", "g++", "g++"]
    dry = done(compilers[0].replace("nvcc", "nvcc --dryrun", 1), folder, surroundings)
    with ThreadPoolExecutor() as pool:
        list(pool.map(partial(done, folder=folder, surroundings=surroundings), compilers))
    missing = [name for name in undefined(folder / "extension.o") if "3c104cuda" in name]
    stand_in("libc10_cuda.so", missing, folder)
    for line in (
        linker,
        linker.replace("-lc10_cuda", "").replace("scale_shift.so", "unlinked.so"),
        linker.replace("launch.o", "").replace("scale_shift.so", "no_launch.so"),
    ):
        done(line, folder, surroundings)
    return Built(folder, surroundings, dry)


def done(command: str, folder: Path, surroundings: dict[str, str]) -> str:
    """What it said on its second output, and it went well."""
    ran = subprocess.run(command, shell=True, cwd=folder, env=surroundings, capture_output=True, text=True)
    assert not ran.returncode, ran.stderr
    return ran.stderr


def test_the_article_shows_the_files_themselves() -> None:
    assert block("at::Tensor scale_shift_cuda") == FIRST
    assert block("scale_shift<<<") == SECOND
    assert (
        '#include "extension.cu"' in SECOND
        and "KERNEL scale_shift(int n, READ x, WRITE y)" in SOURCES[2].read_text()
    )


def test_the_checks_of_the_figure_are_those_of_the_file() -> None:
    *_, event = run(Params())
    code = {check.name: check.code for check in event.checks}
    assert {*code} == {"type", "order", "grid", "guard", "stream", "launch"}
    assert all(text in FIRST for name, text in code.items() if name != "guard")
    assert re.search(r"GUARD\(i < n\)", SOURCES[2].read_text())
    found = re.search(r'at::kFloat,\s+"(.*?)", x.scalar_type', FIRST)
    assert found and found[1] + "Double" == checks.WRONG_TYPE
    at = [FIRST.index(code[name]) for name in ("order", "grid", "stream", "launch")]
    assert at == sorted(at) and FIRST.index(found[1]) < at[0]


def test_torch_writes_such_commands() -> None:
    says('`torch.utils.cpp_extension.load("scale_shift", ["extension.cpp", "launch.cu"], is_python_module=False)`')
    inspect.signature(load).bind("scale_shift", ["extension.cpp", "launch.cu"], is_python_module=False)


def test_nvcc_takes_the_file_apart(built: Built) -> None:
    programs = re.findall(r'^#\$ (?:"\$CICC_PATH/)?([\w+]+)"? .*$', built.dry, re.MULTILINE)
    read = [line for line in built.dry.splitlines() if "gcc" in line and " -E " in line]
    says("once for the host, and once more for each generation of GPUs")
    assert len(read) == 3 and sum("-D__CUDA_ARCH__=" in line for line in read) == 2
    says("`cudafe++`", "`cicc`", "`ptxas`", "`fatbinary`")
    order = [each for each in programs if each in ("cudafe++", "cicc", "ptxas", "fatbinary")]
    assert order == ["cudafe++", "cicc", "ptxas", "cicc", "ptxas", "fatbinary"] and programs[-1] == "gcc"


def test_the_object_holds_code_for_two_generations_and_ptx(built: Built) -> None:
    says("machine code for two generations of GPUs, 8.0 and 9.0, and the PTX of the later one", "`.nv_fatbin`")
    for file in ("launch.o", "scale_shift.so"):
        listed = subprocess.run(
            [CUOBJDUMP, "-lelf", "-lptx", built.folder / file], check=True, capture_output=True, text=True
        ).stdout
        assert re.findall(r"(ELF|PTX) file.*\.(sm_\d+)\.", listed) == [
            ("ELF", "sm_80"), ("ELF", "sm_90"), ("PTX", "sm_90"),
        ]  # fmt: skip
    code = subprocess.run(
        [CUOBJDUMP, "-sass", built.folder / "launch.o"], check=True, capture_output=True, text=True
    ).stdout
    bodies = code.split("Function : ")[1:]
    assert sorted(body.split()[0] for body in bodies) == sorted(["scale_shift", "strided", "row_sum"] * 2)
    assert all("LDG" in body and "STG" in body for body in bodies)
    assert b".nv_fatbin\0" in (built.folder / "launch.o").read_bytes()


def test_who_needs_whom(built: Built) -> None:
    says("needs `__cudaRegisterFatBinary` and `__cudaLaunchKernel`")
    ours, theirs = (set(undefined(built.folder / name)) for name in ("launch.o", "extension.o"))
    assert {"__cudaRegisterFatBinary", "__cudaLaunchKernel"} <= ours
    assert not any("3c10" in name or "5torch" in name or "2at" in name for name in ours)
    runtime = elf.read(RUNTIME).provided
    assert {name for name in ours | theirs if name.startswith(("cuda", "__cuda"))} <= set(runtime)
    says("`c10::cuda::getCurrentCUDAStream`", "`cudaGetLastError`", "`launch(int, int, CUstream_st*, int, …)`")
    readable = {demangled(name).split("(")[0] for name in theirs}
    assert {"c10::cuda::getCurrentCUDAStream", "c10::cuda::c10_cuda_check_implementation", "launch"} <= readable
    assert "cudaGetLastError" in theirs
    says(
        "The one in `launch.o` hands the packed code",
        "Those in `extension.o` register the schema, and the function",
    )
    starts = names(built.folder / "launch.o"), names(built.folder / "extension.o")
    assert "_ZL24__sti____cudaRegisterAllv" in starts[0]
    assert any("TORCH_LIBRARY_static_init_underhood_cuda" in name for name in starts[1])
    assert any("TORCH_LIBRARY_IMPL_static_init_underhood_cuda_CUDA" in name for name in starts[1])
    says("`libtorch_cpu.so` and `libc10.so` define the rest")
    here = {name for file in ("libtorch_cpu.so", "libc10.so") for name in elf.read(TORCH / "lib" / file).provided}
    of_torch = {name for name in theirs if demangled(name).startswith(("c10::", "torch::", "at::"))}
    assert {name for name in of_torch - here if "3c104cuda" not in name} == set()
    assert any(demangled(name).startswith("torch::Library::_def") for name in of_torch & here)
    library = elf.read(built.folder / "scale_shift.so")
    assert {"libc10_cuda.so", "libcudart.so.13", "libtorch_cpu.so"} <= set(library.libraries)


@pytest.fixture(scope="module")
def told(built: Built) -> dict[str, object]:
    asked = [sys.executable, "-c", CHILD, str(built.folder), str(RUNTIME)]
    answer: dict[str, object] = json.loads(subprocess.run(asked, check=True, capture_output=True).stdout)
    return answer


@WITHOUT_CUDA
def test_a_torch_without_cuda_refuses_it(told: dict[str, object]) -> None:
    message = "libc10_cuda.so: cannot open shared object file: No such file or directory"
    says(f'"{message}"')
    assert told["without"] == message
    says("even lazily", "`undefined symbol: _ZN3c104cuda20CUDACachingAllocator9allocatorE`")
    refused = "unlinked.so: undefined symbol: _ZN3c104cuda20CUDACachingAllocator9allocatorE"
    assert told["unlinked"] == [refused, refused]
    assert told["no launch"] == "no_launch.so: undefined symbol: _Z6launchiiP11CUstream_stiPKfPf"


@WITHOUT_CUDA
def test_loaded_it_has_registered_its_operator(told: dict[str, object]) -> None:
    assert (told["before"], told["loaded"]) == (False, "")
    assert told["schema"] == "underhood_cuda::scale_shift(Tensor x) -> Tensor" and told["keys"] == ["CUDA"]
    refusal = "Could not run 'underhood_cuda::scale_shift' with arguments from the 'CPU' backend"
    says(f'"{refusal}"', '"x is on cpu, not on a GPU"')
    assert str(told["call"]).startswith(refusal)
    assert str(told["past the dispatcher"]).startswith("x is on cpu, not on a GPU")


def test_the_words_of_the_runtime() -> None:
    """Codes from driver_types.h."""
    words = ctypes.CDLL(str(RUNTIME)).cudaGetErrorString
    words.restype = ctypes.c_char_p
    assert f"CUDA error: {words(9).decode()}" == checks.WRONG_GRID
    says(f'"{words(209).decode()}"')
    assert words(209).decode() == "no kernel image is available for execution on the device"


def test_a_file_with_something_left_out_does_not_compile(built: Built, tmp_path: Path) -> None:
    (tmp_path / "launch.cu").write_text(SECOND.replace('#include "extension.cu"', ""))
    refused = subprocess.run(
        commands()[0], shell=True, cwd=tmp_path, env=built.environment, check=False, capture_output=True, text=True
    )
    assert refused.returncode and 'identifier "scale_shift" is undefined' in refused.stdout + refused.stderr


@pytest.mark.skipif(not ALL, reason="each takes as long as the whole build")
@pytest.mark.parametrize(
    "line, missing",
    (
        ("#include <ATen/ops/empty_like.h>\n", "empty_like"),
        ("#include <torch/library.h>\n", "TORCH_LIBRARY"),
        ("#include <c10/cuda/CUDAStream.h>\n#include <c10/cuda/CUDAGuard.h>\n", "CUDAGuard"),
        ("  at::Tensor y = at::empty_like(x);\n", "y"),
    ),
)
def test_nor_does_the_other(built: Built, tmp_path: Path, line: str, missing: str) -> None:
    lines = line.splitlines(keepends=True)
    assert all(each in FIRST for each in lines)
    text = FIRST
    for each in lines:
        text = text.replace(each, "")
    (tmp_path / "extension.cpp").write_text(text)
    command = f"{commands()[1]} -fsyntax-only"
    ran = subprocess.run(command, shell=True, cwd=tmp_path, env=built.environment, capture_output=True, text=True)
    assert ran.returncode and re.search(rf"error: .*\b{missing}\b", ran.stderr)
