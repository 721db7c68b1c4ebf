"""The back half of the C compiler: LLVM's text from three-address code, LLVM itself, an assembler and a linker.

Reading order: `text` writes LLVM IR, `worker` runs LLVM in a process of its own, `dumps` reads what it prints on
the way, `assembly` finds instructions and their bytes, `wasm` cuts and links WebAssembly, `pictures` shows it all.
The IR that reaches LLVM is always our own front end's.
"""
