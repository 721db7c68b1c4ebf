"""A forked process that does one thing and ends; that may abort, hang, or set what holds for a whole process."""

from __future__ import annotations

import os
import resource
import signal
import traceback
from collections.abc import Callable
from typing import NoReturn


def alone(work: Callable[[], None], seconds: int) -> NoReturn:
    """Right after the fork, in the child: do it in so many seconds, and exit, whatever happens."""
    code = 1
    errors = os.dup(2)  # a library's own may go elsewhere
    try:
        for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        signal.alarm(seconds)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        work()
        code = 0
    except Exception:
        os.write(errors, traceback.format_exc().encode())
    finally:
        os._exit(code)


def reason(code: int) -> str:
    """Why it ended, in words, from its exit code; below 0 is the signal that ended it."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
