"""Labs of the series on tensor compilers that need a server."""
