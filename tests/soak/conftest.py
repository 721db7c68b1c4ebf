"""The fixtures of all tests of scaling out."""

from private_redis import start_redis  # noqa: F401, a fixture
from scaled import new_cluster  # noqa: F401, a fixture
