"""The fixtures of the long tests."""

from private_redis import start_redis  # noqa: F401, a fixture
from scaled import new_cluster  # noqa: F401, a fixture
from served import serve, site  # noqa: F401, fixtures
