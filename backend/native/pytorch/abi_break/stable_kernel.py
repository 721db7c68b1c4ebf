"""The extension that PyTorch's stable headers make: a tensor and a string come in, a tensor goes out.

Its headers take a compiler some seconds, so ``make build`` compiles it, as the end of this file's name asks. A run
that finds nothing built compiles it, or tells its reader why it cannot.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from native.models.kernel import BUILT
from native.models.stages import toolchain

CODE = """#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
using torch::stable::Tensor;
Tensor index_of(Tensor like, std::string device) {
  uint32_t type;
  int32_t index;
  auto parsed = torch_parse_device_string(
      device.c_str(), &type, &index);
  TORCH_ERROR_CODE_CHECK(parsed);
  return fill_(empty_like(like), index);
}
STABLE_TORCH_LIBRARY(ours, m) {
  m.def("index_of(Tensor like, str device) -> Tensor");
}
STABLE_TORCH_LIBRARY_IMPL(ours, CPU, m) {
  m.impl("index_of", TORCH_BOX(&index_of));
}"""
FLAGS = "-std=c++20 -O2 -fPIC -shared -Wl,--no-as-needed"
SHIMS = (
    "torch/csrc/stable/c/shim.h",
    "torch/csrc/inductor/aoti_torch/c/shim.h",
    "torch/csrc/inductor/aoti_torch/generated/c_shim_aten.h",
)


@cache
def torch() -> Path:
    """Where PyTorch lies, found without loading it."""
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("PyTorch is not installed here")
    return Path(spec.origin).parent


def strings(release: int) -> str:
    """The flag that says which strings of GCC's library the extension has: 0 the old ones."""
    return f"-D_GLIBCXX_USE_CXX11_ABI={release}"


def made(release: int, otherwise: Path) -> Path:
    """The library, with one kind of strings or the other; compiled into that folder if it is not there yet."""
    built, own = (_place(folder, release) for folder in (BUILT, otherwise))
    return next((path for path in (built, own) if path.exists()), None) or build(release, otherwise)


def build(release: int, into: Path) -> Path:
    """Raises ``LabError`` if no C++ compiler works here, ``RuntimeError`` if it refuses the source."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into) as name:
        folder = Path(name)
        tools = toolchain.find(folder)
        source, out = folder / "extension.cpp", folder / "extension.so"
        source.write_text(CODE)
        words = [tools.program, *FLAGS.split(), strings(release), f"-I{torch() / 'include'}", str(source)]
        words += ["-o", str(out), f"-L{torch() / 'lib'}", "-ltorch_cpu"]
        tools.run(folder, *tools.command(shlex.join(words), folder))
        path = _place(into, release)
        os.replace(out, path)
    return path


def make_ready() -> None:
    """Compile both. Raises as ``build`` does."""
    for release in (0, 1):
        build(release, BUILT)


def promised() -> set[str]:
    """The names of functions in the headers of PyTorch's stable C functions."""
    texts = ((torch() / "include" / each).read_text() for each in SHIMS)
    return {word for text in texts for word in re.findall(r"\b(?:aoti_)?torch_\w+", text)}


def _place(folder: Path, release: int) -> Path:
    """Named after what it is made from: another PyTorch has other headers."""
    of = f"{CODE} {FLAGS} {strings(release)} {version('torch')} {sys.platform}"
    return folder / f"{hashlib.sha256(of.encode()).hexdigest()[:16]}.so"
