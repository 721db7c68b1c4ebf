"""Install the torch build that fits this machine: CUDA where a GPU is found, else the small CPU build.

UNDERHOOD_TORCH=cpu or cuda decides instead, where the machine that builds is not the one that runs. Both locks are
checked by hash. The CPU wheel comes from its own index, which may be unreachable: pip then finds no wheel with a
known hash, says so at once, and the default index's CUDA build serves instead.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

LOCKS = Path(__file__).parent.parent / "requirements"


def pip(*arguments: str) -> int:
    return subprocess.call([sys.executable, "-m", "pip", "install", "-q", "--require-hashes", *arguments])


def wants_cuda() -> bool:
    match os.environ.get("UNDERHOOD_TORCH", ""):
        case "":
            return has_gpu()
        case "cpu" | "cuda" as chosen:
            return chosen == "cuda"
        case other:
            raise SystemExit(f"UNDERHOOD_TORCH must be cpu or cuda, not {other!r}")


def has_gpu() -> bool:
    smi = shutil.which("nvidia-smi")
    return smi is not None and subprocess.call([smi, "-L"], stdout=subprocess.DEVNULL) == 0


def main() -> int:
    if not wants_cuda():
        cpu = ["--no-deps", "--retries", "1", "--timeout", "20", "-r", str(LOCKS / "torch-cpu.txt")]
        if pip(*cpu) == 0:
            return 0
        print("The CPU build of torch cannot be had here; installing the default build, about 3 GB.")
    return pip("-r", str(LOCKS / "torch-cuda.txt"))


if __name__ == "__main__":
    sys.exit(main())
