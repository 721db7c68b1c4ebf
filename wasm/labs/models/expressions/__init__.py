"""Expressions that a reader types, as graphs of operations on the tape of `labs.models.tensor`.

Reading order: `operations` says what can be computed and how steep it is, `grammar` reads a text into a `Graph`,
`trace` runs that forwards and back, `layers` finds every node a place on paper.
"""
