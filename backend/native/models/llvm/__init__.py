"""What labs need beside LLVM: `targets` names machines, `assembly` finds instructions and their bytes, `wasm` cuts
and links WebAssembly.
"""
