"""Loop nests whose indices are linear in their variables, and one pulled into another, tile by tile.

Reading order: `grammar` reads a `program`, `indices` says of each index whether it is affine, `spaces` lists what
each nest reads and writes, `slices` finds what each tile needs and `regions` says it as a formula, `execute` runs
both orders and compares, `parallel` finds which loops carry a dependence; `known` holds all that, and `judge`
weighs a fusion by four criteria. `shapes` does so for many sizes of a tile, `tell` puts it into words, and `paint`
makes a `picture` of each step.
"""
