"""A small transformer that labs serve and measure: `shape` says its sizes, `weights` reads what it has learned, and
`step_kernel` computes it with a cache of keys and values.
"""
