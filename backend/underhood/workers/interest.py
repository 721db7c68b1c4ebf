"""Who wants a run: its askers, its readers, and whether it is to be cancelled. Shared through Redis.

Readers are counted by web process, and count for as long as that process lives: it may die with them.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Iterable

from underhood.stores.redis import RedisStore
from underhood.workers import scripts
from underhood.workers.presence import Presence


class Interest:
    def __init__(self, store: RedisStore, secret: str = "") -> None:
        self.store, self.client, self.prefix = store, store.client, store.prefix
        self.webs = Presence(store.client, f"{store.prefix}alive:webs")
        self.web = secrets.token_hex(8)  # this process
        self._secret = secret
        self._reading: Counter[tuple[str, str]] = Counter()  # here: run, name
        self._order = asyncio.Lock()  # counts reach Redis in the order in which they were taken

    async def join(self, run: str, name: str) -> None:
        """One more asks for the run, by that name."""
        key, field = f"{self.prefix}interest:{run}", f"ask {self.alias(name)}"
        await self.client.call(lambda redis: redis.hincrby(key, field, 1))
        await self.client.call(lambda redis: redis.expire(key, scripts.KEEP_INTEREST))

    async def leave(self, run: str, names: Iterable[str]) -> bool:
        """One asker has moved on, known by one of these names. Whether nobody else wants the run."""
        keys = [f"run:{run}", f"interest:{run}", f"readers:{run}"]
        aliases, webs = [self.alias(name) for name in names], await self.webs.alive()
        args = [len(aliases), *aliases, *webs.keys() | {self.web}]
        return bool(await self.store.do(scripts.LEAVE, keys, args))

    async def cancel(self, run: str, reason: str) -> tuple[str, int] | None:
        """Have the run cancelled. Its status and attempt, or None if it has ended or is being cancelled already."""
        found = await self.store.do(
            scripts.CANCEL, [f"run:{run}", f"interest:{run}", "notifications"], [run, reason]
        )
        return (str(found[0]), int(found[1])) if found else None

    async def cancelled(self, run: str) -> str | None:
        """The reason why the run is to be cancelled, if it is."""
        found = await self.client.call(lambda redis: redis.hget(f"{self.prefix}interest:{run}", "cancel"))
        return None if found is None else str(found)

    async def read(self, run: str, name: str, more: int) -> None:
        """So many more readers of that name read the run here, or fewer."""
        self._reading[run, self.alias(name)] += more
        await self._tell(run, self.alias(name))

    async def repeat(self) -> None:
        """Say again that this process lives, and who reads here: Redis may have lost it."""
        await self.webs.say(self.web, {})
        for run, alias in [*self._reading]:
            await self._tell(run, alias)

    async def readers(self, run: str) -> int:
        webs = await self.webs.alive() | {self.web: {}}
        found = await self.client.call(lambda redis: redis.hgetall(f"{self.prefix}readers:{run}"))
        return sum(int(count) for field, count in found.items() if str(field).partition(" ")[0] in webs)

    async def _tell(self, run: str, alias: str) -> None:
        key, field = f"{self.prefix}readers:{run}", f"{self.web} {alias}"
        async with self._order:
            if count := self._reading[run, alias]:
                await self.client.call(lambda redis: redis.hset(key, {field: count}))
                await self.client.call(lambda redis: redis.expire(key, scripts.KEEP_INTEREST))
            else:
                await self.client.call(lambda redis: redis.hdel(key, [field]))
                self._reading -= Counter()  # drops what is zero, now that Redis knows

    def alias(self, name: str) -> str:
        """A reader's name holds their address, which is nobody's business in Redis."""
        return hashlib.sha256(f"{self._secret} {name}".encode()).hexdigest()[:16] if name else ""
