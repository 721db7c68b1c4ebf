"""Register allocation by colouring a graph, after Chaitin and Briggs.

Reading order: `flat` turns SSA form into code with moves, `liveness` finds who is needed where, `interference` who
must not share a register, and joins what a move connects; `colour` hands out registers, `spill` rewrites the code
for those that got none, `execute` runs the code before and after.
"""
