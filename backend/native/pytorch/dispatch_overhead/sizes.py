"""How large the tensors are whose calls are compared."""

SIZES = tuple(4**n for n in range(0, 11, 2))
COUNT = 64
"""Small tensors beside a large one that holds the numbers of all of them."""
