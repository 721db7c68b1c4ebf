"""Small programs on torch's own tensors, statement by statement.

`words` says what a program may call and with what, `machine` runs it. Nothing that a reader typed is executed by
Python: a syntax tree that ``labs.models.programs.accept`` has taken is walked, and each call is looked up here.
"""
