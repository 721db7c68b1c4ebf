"""The circle in C, compiled."""

from native.models.kernel import LIBRARY, Kernel

CIRCLE = Kernel("circle.c", ("-O2", *LIBRARY))
