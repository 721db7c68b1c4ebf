"""Programs of a few lines that compute with our tensors, and what each line does to the tape.

Reading order: `accept` says which programs are taken, `values` what a name can stand for and how large
it may become, `functions` and `expressions` what can be called, `bind` with what; `evaluate`, `walks` and `machine`
run a program. `memory` finds who keeps which bytes alive, `portrait` draws the tape at one moment, `reasons` and
`tell` say it in words, `tracer` puts them together while a program runs; `compare` moves every weight a little and
looks what becomes of the result. Nothing that a reader typed is ever executed by Python.
"""
