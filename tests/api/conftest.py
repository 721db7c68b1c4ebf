"""The fixtures of all tests over HTTP."""

from served import serve, server, site  # noqa: F401, fixtures
