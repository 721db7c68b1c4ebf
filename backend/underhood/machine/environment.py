"""What is measured must not depend on whose shell it was started from.

Libraries of numbers read settings from the environment when they are loaded: a variable left over from somebody's
experiment makes OpenBLAS half as fast. Runs of a server have an environment of their own
(``processes.environment``); what measures outside of one begins again without such settings.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

SETTINGS = ("OPENBLAS_", "GOTO_", "BLIS_", "MKL_", "OMP_", "GOMP_", "KMP_", "DNNL_", "ONEDNN_", "NPY_", "ATEN_")
RESTARTED = "UNDERHOOD_RESTARTED"


def without_tuning(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what libraries of numbers take for settings."""
    return {name: value for name, value in environment.items() if not name.startswith(SETTINGS)}


def restart_without_tuning() -> None:
    """Start this program anew where its environment holds settings: the libraries have read them already.

    Once: some libraries leave settings there when they are imported, and would each time.
    """
    kept = without_tuning(os.environ)
    if len(kept) < len(os.environ) and RESTARTED not in kept:
        os.execve(sys.executable, sys.orig_argv, {**kept, RESTARTED: "1"})
