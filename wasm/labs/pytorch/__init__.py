"""Labs of the series on PyTorch internals that run in a browser, too."""
