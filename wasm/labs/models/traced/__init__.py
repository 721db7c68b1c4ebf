"""Programs of a few lines that compute with our tensors, and what each line does to the tape.

Reading order: `accept` says which programs are taken, `values` what a name can stand for and how large it may be,
`functions` and `methods` what can be called, `machine` runs a program, line by line; `memory` finds who keeps which
bytes alive, `portrait` draws the tape at one moment, `tell` says it in words, `compare` moves every weight a little
and looks what becomes of the result. Nothing that a reader typed is ever executed by Python.
"""
