"""Which networks a run trains: one for each number of bits and each seed."""

BITS = (8, 7, 6, 5, 4, 3, 2)
WIDTHS = tuple(f"{bits} bits" for bits in BITS)
SEEDS = 5
SPREAD = ("least", "mean", "most")
"""What is told of the seeds."""
