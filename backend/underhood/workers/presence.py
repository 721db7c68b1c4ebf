"""Who is alive, by heartbeats and by no clock but the watcher's own, which nobody can set.

Each member of a group says again and again that it is there, each time with another word. Who watches holds it for
gone once the word has been the same for ``ALIVE`` seconds of its own; at first sight a member counts as alive.
"""

from __future__ import annotations

import json
import secrets
import time
from typing import Any

from underhood.stores.redis_connection import RedisClient

HEARTBEAT = 5.0  # seconds between two words
ALIVE = 15  # seconds without another word
FORGOTTEN = 60  # seconds after which a member is struck off


class Presence:
    def __init__(self, client: RedisClient, group: str) -> None:
        self._client, self._group = client, group  # a hash in Redis, from name to what it says
        self._heard: dict[str, tuple[str, float]] = {}  # the word of each, and when it came

    async def say(self, name: str, facts: dict[str, Any]) -> None:
        """It is alive, and this is what it is and does."""
        said = json.dumps(facts | {"word": secrets.token_hex(4)})
        await self._client.call(lambda redis: redis.hset(self._group, {name: said}))

    async def leave(self, *names: str) -> None:
        await self._client.call(lambda redis: redis.hdel(self._group, names))

    async def alive(self) -> dict[str, dict[str, Any]]:
        """What each said last that is alive, by name."""
        found = await self._client.call(lambda redis: redis.hgetall(self._group))
        said = {str(name): json.loads(facts) for name, facts in sorted(found.items())}
        now = time.monotonic()
        words = {name: str(facts.pop("word")) for name, facts in said.items()}
        known = self._heard
        self._heard = {
            name: known[name] if name in known and known[name][0] == word else (word, now)
            for name, word in words.items()
        }
        silent = {name: now - since for name, (_, since) in self._heard.items()}
        if gone := [name for name, seconds in silent.items() if seconds > FORGOTTEN]:
            await self.leave(*gone)
        return {name: facts for name, facts in said.items() if silent[name] <= ALIVE}
