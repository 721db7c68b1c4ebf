"""What alloc_cost measures, as a program of its own: no other heap is measured, and none that another left."""

from native.models.kernel import PROGRAM, Kernel

ALLOC = Kernel("alloc.c", ("-O2", *PROGRAM))
