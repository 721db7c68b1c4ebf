"""Steps on the way down, and those that several roads share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["torch", "linalg", "vector", "memref", "affine", "scf", "omp", "cf", "llvm", "gpu", "nvvm"]


@dataclass(frozen=True)
class Step:
    short: str
    """What it is called in a table."""
    level: Level
    """What the program is written in afterwards."""
    passes: str = ""
    """One after the other, or a part of a schedule."""
    says: str = ""
    """What it does, as a sentence without its end."""
    risk: str = ""
    """Why it may be wrong, where its results are."""
    rest: tuple[str, ...] | None = None
    """What takes the program from here to LLVM with nothing more made faster, where its level does not tell."""
    note: str = ""
    """A part of a schedule that follows, and only marks what is there."""

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.passes, self.note) if self.note else (self.passes,)


BUFFERS = (
    # Modules that bufferize functions give memory back to whom called them; without `modify-public-functions` the
    # results of a public one are silently left as they are.
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{modify-public-functions=true hoist-static-allocs=true},canonicalize,cse"
)
LOOPS = "func.func(convert-linalg-to-affine-loops,affine-loop-normalize{promote-single-iter=true}),canonicalize"
FREE = "buffer-deallocation-pipeline"

LINALG = Step(
    "linalg",
    "linalg",
    "torch-backend-to-linalg-on-tensors-backend-pipeline",
    "PyTorch's operations become operations on whole tensors that say what is computed and not how",
)
GENERIC = Step(
    "generic",
    "linalg",
    "func.func(linalg-generalize-named-ops)",
    "each operation spells out its indices: which element of which tensor, and what is done with it",
)
FUSE_TENSORS = Step(
    "tensors fused",
    "linalg",
    "func.func(linalg-fuse-elementwise-ops),canonicalize,cse",
    "an operation on elements moves into the one that reads its result",
)
MEMREF = Step("buffers", "memref", BUFFERS, "tensors become buffers in memory, reused where no value is lost")
AFFINE = Step("loops", "affine", LOOPS, "each operation becomes a nest of loops with loads and stores")

VALUES = BUFFERS.replace("},buffer-results", "},canonicalize,buffer-results") + ",canonicalize"
TO_LOOPS = Step(
    "scf",
    "scf",
    f"func.func(convert-linalg-to-loops),{FREE},expand-strided-metadata,lower-affine,"
    "convert-vector-to-scf{full-unroll=true},lower-affine,canonicalize,cse",
    "vectors of several rows become one for each row, indices become arithmetic, and buffers are freed",
)
TO_SCF = Step(
    "scf",
    "scf",
    f"{FREE},lower-affine,convert-vector-to-scf,lower-affine,canonicalize,cse",
    "bounds and indices become arithmetic, and buffers are freed",
)
TO_CF = Step("cf", "cf", "convert-scf-to-cf,canonicalize", "loops become blocks that jump to each other")
TO_LLVM = Step(
    "llvm",
    "llvm",
    "expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm,"
    "convert-ub-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts,canonicalize,cse",
    "buffers become pointers with sizes and strides, and every operation one that LLVM knows",
)
