"""What race_real measures, as a program of its own: each run begins with memory that nobody has touched."""

from native.models.kernel import PROGRAM, Kernel

RACE = Kernel("race.c", ("-O2", "-pthread", *PROGRAM))
