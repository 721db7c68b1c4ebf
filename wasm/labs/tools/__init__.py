"""Labs of the series on tools that run in a browser, too."""
