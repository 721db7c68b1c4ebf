"""Labs of the series on PyTorch internals that need a server."""
