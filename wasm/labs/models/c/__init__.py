"""A C subset, from text to three-address code: the one front end of every lab that takes C.

Reading order: `tokens` cuts the text, `parse` and `declare` build the `tree`, `types` knows sizes and layouts of
x86-64 System V, `lower` checks types and writes `code`. What the subset does not take is refused by name, with line
and column.
"""
