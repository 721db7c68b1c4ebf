"""Labs of the way down that need a server."""
