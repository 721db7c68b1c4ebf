"""What torch warns of while it is asked something."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch._functorch.config as functorch

OF = ".*(autograd kernel was not registered|may not alias)"


@contextmanager
def quiet() -> Iterator[list[warnings.WarningMessage]]:
    """Warnings about an operator's kernels, and no others.

    What torch logs beside an exception is not repeated on the server's own log.
    """
    logger = logging.getLogger("torch._subclasses.fake_tensor")
    before, logger.disabled = logger.disabled, True
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("ignore")
            warnings.filterwarnings("always", message=OF)
            # An error where the variable CI is set, a warning for everybody else.
            with functorch.patch(error_on_custom_op_aliasing=False):
                yield heard
    finally:
        logger.disabled = before
