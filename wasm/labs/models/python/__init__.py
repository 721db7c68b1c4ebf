"""CPython's bytecode, stepped by a small machine of ours: nothing that a reader typed is ever executed by Python.

Reading order: `accept` says which programs are taken, `listing` disassembles what the running interpreter's
compiler makes of one, `limits` bounds every value, `hosted` holds the built-in functions and methods that may be
called, `machine` executes one instruction after the other; what each of them does stands in `variables`, `compute`
and `flow`.
"""
