"""The back end of our compiler: a fused program becomes machine code by LLVM, and runs on tensors.

Reading order: `writer` writes LLVM IR a value at a time, `maths` holds the polynomials, `scalars` writes
expressions, `lanes` decides how many numbers are computed at once, `loops` writes loops and what is in them,
`sums` keeps accumulators, `products` calls the packed kernel, `work` says what is worth a second thread, `phases`
cuts a kernel into what threads share, `machine` asks LLVM for code, `compiled` calls it. `inductor` compares.
"""
