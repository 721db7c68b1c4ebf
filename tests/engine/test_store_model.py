"""Every store against a model of it."""

import asyncio
import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stores import DONE, a_run, opened, told
from underhood.stores.store import FencedError, Store


class Model:
    """A store of one run, as simple as can be said."""

    def __init__(self) -> None:
        self.attempt, self.ended, self.log = 0, False, [0]

    def write(self, attempt: int, n: int) -> bool:
        if self.ended or attempt != self.attempt:
            return False
        self.log.append(n)
        return True


STEPS = st.lists(
    st.tuples(st.sampled_from(["begin", "append", "end"]), st.integers(min_value=-1, max_value=0)), max_size=12
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_sequence_of_writes_leaves_the_log_of_the_model(
    steps: list[tuple[str, int]], kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """A writer names the current attempt (0) or the one before (-1)."""

    async def follow() -> None:
        async with opened(kind, tmp_path, request) as store:
            await go(store)

    async def go(store: Store) -> None:
        model = Model()
        name = f"run{time.monotonic_ns()}"
        await store.create(a_run(name, key=name), DONE, told(0))
        for n, (step, back) in enumerate(steps, 1):
            attempt = model.attempt + back
            try:
                if step == "begin":
                    model.attempt = await store.begin(name)
                elif step == "append":
                    await store.append(name, attempt, told(n))
                else:
                    await store.end(name, attempt, "ok", str(n))
                refused = False
            except FencedError:
                refused = True
            if step == "begin":
                assert refused == model.ended
            else:
                assert refused != model.write(attempt, n)
                model.ended |= step == "end" and not refused
        events = [json.loads(event.data) for event in await store.read(name, 0)]
        assert [event["n"] if event["kind"] == "told" else int(event["reason"]) for event in events] == model.log

    asyncio.run(follow())
