"""Small programs on tensors: `accept` says which are taken, `trouble` what is wrong with one.

Nothing that a reader typed is ever executed by Python.
"""
