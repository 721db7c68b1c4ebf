"""The lanes on a processor, compiled; a team of threads takes one slice after the other."""

from native.models.kernel import LIBRARY, Kernel

SPLIT_K = Kernel("split_k.c", ("-O3", "-mcpu=native", *LIBRARY))
