"""A fusing tensor compiler, small enough to read: from tensor code to loops.

In reading order: `graph` (what is computed), `loops` (how, as loops over elements).
"""
