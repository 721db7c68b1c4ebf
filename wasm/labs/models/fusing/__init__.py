"""A fusing tensor compiler, small enough to read: from tensor code to loops.

In reading order: `graph` (what is computed), `ops` (how its nodes are made and refused), `evaluate` (what they
mean), `loops` (how, as loops over elements).
"""
