"""A PyTorch program lowered through MLIR, by the compilers of the torch-mlir wheel.

Reading order: `programs` is what is lowered, `road` says by which passes, `worker` takes it there in a process of
its own, `bench` runs and times what it is on the way, `ptx` makes code for a GPU of where it ends. `nest` reads
loops and what they access off the text, with `bounds` and `operands`; `count` says how often all of it happens,
`jumps` what became of loops, `changes` what a pass did to the lines. `pictures` shows it, and `tell` says it.
"""
