"""The fusing compiler's way to machine code: loops in, LLVM through llvmlite, threads out.

Reading order: `writer` writes LLVM IR a value at a time, `maths` holds the polynomials, `scalars` writes
expressions, `lanes` decides how many numbers are computed at once, `loops` writes loops and what is in them, `sums`
keeps accumulators, `products` calls the packed kernel, `work` says what is worth a second thread, `phases` cuts a
kernel into what threads share, `machine` asks LLVM for code, `run` calls it. `build` is the whole way from text,
with switches; `contest`, `inductor` and `listing` are for the lab that compares.
"""
