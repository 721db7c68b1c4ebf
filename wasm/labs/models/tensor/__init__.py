"""A small library of tensors with gradients, after PyTorch.

Reading order: `layout` says which numbers in memory a tensor reads, `dtypes` what type a result has, `tape` how
operations are written down and walked back through; `elementwise`, `views`, `reductions` and `products` are the
operations; `tensor` puts them behind one class. Element by element NumPy computes; where to is ours.
"""
