"""Labs of the series on tools that need a server."""
