"""Functions on tensors, and four ways in which PyTorch writes one down to run it without Python.

Reading order: `functions` is what is written down, `ways` is how, `answers` compares what comes out.
"""
