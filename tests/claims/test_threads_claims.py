"""What content/speed/02-threads.mdx says, asked of the labs, of their recordings, and of Python itself.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

import dis
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from math import comb, factorial
from typing import Any

import article
import pytest
from article import Article
from labs.speed import race
from native.speed.threads_cpu.ways import gil

ARTICLE = Article("speed/02-threads.mdx")
says = ARTICLE.says


def walk(**params: Any) -> list[race.Picture]:
    return list(race.run(race.Params(**params)))


def way(lab: str, name: str) -> dict[str, Any]:
    """A way as it was recorded."""
    return next(each for each in article.recorded(f"speed/{lab}")[-1]["ways"] if each["name"] == name)


def test_the_opening() -> None:
    says("… of them are missing", "with a single thread not one addition is lost.")
    plain = way("race_real", "plain")
    assert plain["lost"] > 0.02 and plain["left"] < plain["made"]
    says("Only the first row loses anything.")
    assert [each["name"] for each in article.recorded("speed/race_real")[-1]["ways"] if each["lost"]] == ["plain"]


def test_two_threads_that_add_one() -> None:
    says("Only the two along the edges are right")
    first = walk()[0]
    assert first.total == comb(6, 3) and first.total - first.wrong == 2
    assert [walk(turns=turns)[-1].stage for turns in ("AAABBB", "BBBAAA")] == ["right", "right"]
    says("an update is lost whatever happens afterwards")
    poster = walk()[race.POSTER - 1]
    assert [(each.right, each.wrong > 0) for each in poster.threads] == [(1, False), (0, True)]


def test_three_threads() -> None:
    says("$9!/(3!)^3$ interleavings are possible, of which $3!$ are right")
    first = walk(threads=3)[0]
    assert first.total == factorial(9) / 6**3 == 1680 and first.total - first.wrong == 6


def test_six_additions_that_come_to_two() -> None:
    says("A reads 0, B adds twice, and A writes its 1.")
    says("Now B reads this 1 for its last addition, A finishes, and B writes 2.")
    last = walk(times=3, turns="A" + "BBBBBB" + "AA" + "B" + "AAAAAA" + "BB")[-1]
    assert (last.stage, last.hits, last.wanted) == ("lost", 2, 6)


def test_locks() -> None:
    says("All paths that remain are right.", "take it after reading, and the hole becomes too small.")
    assert walk(guard="lock")[0].wrong == 0 < walk(guard="lock", late=True)[0].wrong
    says("A lock that is never released stops everyone else.")
    assert walk(guard="lock", kept=True, turns="AAAA")[-1].stage == "stuck"
    says("if it admits two, it lets the race back in")
    assert walk(guard="semaphore", permits=1)[0].wrong == 0 < walk(guard="semaphore", permits=2)[0].wrong
    says("the path jumps back whenever a thread has lost")
    path = walk(guard="compare_and_swap", turns="AABBABBBB")[-1].path.tolist()
    assert any(after[1] < before[1] for before, after in pairwise(path))


def test_two_locks() -> None:
    says("it takes two turns")
    assert walk(guard="two_locks_crosswise", turns="AB")[-1].stage == "stuck"
    assert walk(guard="two_locks_in_order")[0].wrong == 0


def test_what_a_processor_charges() -> None:
    says("The fastest way is not to share.")
    fastest = min(article.recorded("speed/race_real")[-1]["ways"], key=lambda each: each["nanoseconds"])
    assert fastest["name"] == "one each, lines apart"
    says("This is false sharing.")
    assert way("race_real", "one each, side by side")["nanoseconds"] > 2 * fastest["nanoseconds"]
    says("A mutex, which is what C calls a lock, takes … ns.")
    assert way("race_real", "mutex")["nanoseconds"] > way("race_real", "atomic, relaxed")["nanoseconds"]


def test_store_buffers() -> None:
    says("Yet in … of several hundred thousand rounds both read 0.", "That never happened with a fence")
    last = article.recorded("speed/race_real")[-1]
    assert last["buffered"][0] > 0 == last["fenced"][0] and 200_000 < last["buffered"].sum() < 1_000_000


def test_threads_in_python() -> None:
    says("Two threads in Python take turns", "None of these reaches 2")
    ways = article.recorded("speed/threads_cpu")[-1]["ways"]
    assert all(each["speedup"] < 2 for each in ways)
    python = way("threads_cpu", "threads, Python")
    assert python["together"] < 0.05 and python["speedup"] < 1.2
    assert min(each["speedup"] for each in ways[1:]) > 1.3
    says(
        "the law allows …. It is a limit: "
        "in the lanes you can see that it takes the workers a while until both run."
    )
    threads = way("threads_cpu", "threads, C")
    began = [max(threads["begin"][threads["worker"] == n]) for n in (1, 2)]
    assert threads["speedup"] < threads["promised"] and max(began) > threads["serial"] * threads["one"] * 1.2


def one() -> int:
    return 1


def counted(called: bool) -> int:
    """What is left of 2 · 200,000 additions by two threads; ``called`` adds the result of a function."""
    hits = 0

    def plain() -> None:
        nonlocal hits
        for _ in range(200_000):
            hits += 1

    def calls() -> None:
        nonlocal hits
        for _ in range(200_000):
            hits += one()

    threads = [threading.Thread(target=calls if called else plain) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return hits


@pytest.fixture
def impatient() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_where_the_lock_of_the_interpreter_changes_hands(impatient: None) -> None:
    says(
        "a plain `hits += 1` is not interrupted",
        "`hits += one()` can be, because the old value is read before the call",
    )
    loses = {called: any(counted(called) < 400_000 for _ in range(20)) for called in (False, True)}
    assert loses == {False: not gil(), True: True}  # without a lock, both do
    names = [each.opname for each in dis.get_instructions("hits += one()")]
    assert names.index("LOAD_NAME") < max(n for n, name in enumerate(names) if name.startswith("CALL"))


def stretch(line: str) -> int:
    """How far another thread counts while this one executes ``line`` 60,000 times, without a loop."""
    space: dict[str, Any] = {"shared": [0], "one": 1}
    code = compile("a = shared[0]\n" + f"{line}\n" * 60_000 + "z = shared[0]\n", "straight", "exec")
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            space["shared"][0] += 1

    other = threading.Thread(target=count)
    other.start()
    exec(code, space)
    done.set()
    other.join()
    return int(space["z"] - space["a"])


def test_a_call_hands_the_lock_on(impatient: None) -> None:
    says("only where a loop jumps back, where a function begins and after a call")
    assert any(stretch("x = max(one, one)") for _ in range(10))
    assert not gil() or not any(stretch("x = one + one") for _ in range(3))


def test_the_default_interval() -> None:
    says("five milliseconds unless you change it")
    assert sys.getswitchinterval() == pytest.approx(0.005)


def test_exercises() -> None:
    says("all $\\binom{10}{5} = 252$ interleavings are possible")
    first = walk(guard="semaphore", permits=2)[0]
    assert (first.total, first.wrong) == (comb(10, 5), 200) == (252, 200)
    assert walk(threads=3)[0].every.nonzero()[0][0] == 1


def test_threads_that_wait() -> None:
    says("Below, ten requests go to a server")
    done = {each["way"]: each for each in article.recorded("speed/threads_io") if each["stage"] == "done"}
    last = article.recorded("speed/threads_io")[-1]
    assert len(last["delays"]) == 10
    assert list(done) == last["ways"] == ["one after another", "thread pool", "processes", "asyncio"]

    def of(way: str) -> list[list[float]]:
        n = last["named"].index(way)
        return [
            [value for by, value in zip(last["by"], last[name], strict=True) if by == n]
            for name in ("begin", "end", "worker")
        ]

    says("Of the rest, … s went into connections and handshakes, which every request makes again.")
    wall, model, waiting, shaking = (last[name] for name in ("wall", "model", "waiting", "shaking"))
    assert 0.5 < shaking[0] / (wall[0] - waiting[0]) < 1
    says("the total is the time of the thread that is busy longest")
    begin, end, worker = of("thread pool")
    busy = [sum(e - b for b, e, w in zip(begin, end, worker, strict=True) if w == each) for each in set(worker)]
    assert len(busy) == 4 and max(busy) == pytest.approx(wall[1], rel=0.1)
    says("Four processes share the requests in the same way.")
    assert model[1] == model[2]
    says("With asyncio all ten wait at once, in a single thread")
    begin, end, worker = of("asyncio")
    assert max(begin) < min(end) and wall[3] < 0.5 * min(wall[:3])
