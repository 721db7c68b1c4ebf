"""A fusing tensor compiler, small enough to read: from tensor code to loops.

In reading order: `graph` (what is computed), `ops` (how its nodes are made and refused), `evaluate` (what they
mean). A reader's program becomes a graph by `syntax` (which are taken), `functions` and `operators` (what can be
called) and `read` (line by line). `rewrite` makes it better by `rules` and `formulas`, with what `patterns` knows
by name. Then come `loops` (how, as loops over elements).
"""
