"""What is called, and how large the tensors are whose calls are compared."""

SIGNS = {"add": "x + y", "mul": "x * y", "neg": "-x"}

SIZES = tuple(4**n for n in range(0, 11, 2))
COUNT = 64
"""Small tensors beside a large one that holds the numbers of all of them."""
