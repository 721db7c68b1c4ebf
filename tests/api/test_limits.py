"""What one reader may ask for: more is refused calmly, and no other reader feels it."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from underhood.settings import Settings
from underhood.stores.store import Run
from underhood.web.browsers import Browsers
from underhood.web.rate_limits import Allowance, Client, Clients, TooManyError, network

Serve = Callable[..., Any]


def post(server: Any, client: str, seed: int, supersedes: str | None = None, **params: Any) -> httpx.Response:
    body = {"lab": "plain/count", "params": {"seed": seed, **params}, "supersedes": supersedes}
    answer: httpx.Response = server.client.post("/api/runs", json=body, headers={"X-Forwarded-For": client})
    return answer


def check_calm(answer: httpx.Response) -> None:
    assert answer.status_code == 429, answer.text
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert answer.json()["detail"].endswith(".")


def test_starts_a_minute(serve: Serve) -> None:
    server = serve(client_starts=6, client_burst=3, proxies="127.0.0.1")
    assert [post(server, "192.0.2.1", seed).status_code for seed in range(3)] == [201] * 3
    check_calm(post(server, "192.0.2.1", 3))
    assert post(server, "192.0.2.2", 3).status_code == 201
    assert post(server, "192.0.2.9, 192.0.2.2", 4).status_code == 201  # the last one is what our proxy has seen
    assert [server.client.get("/api/labs").status_code for _ in range(9)] == [200] * 9


def test_what_is_there_already_costs_nothing(serve: Serve) -> None:
    server = serve(client_starts=6, client_burst=1, proxies="127.0.0.1")
    server.events(server.ask("plain/count", seed=1))
    assert [post(server, "192.0.2.1", 1).status_code for _ in range(5)] == [200] * 5


def test_runs_at_once(serve: Serve) -> None:
    server = serve(client_runs=2, proxies="127.0.0.0/8")
    first, second = (post(server, "192.0.2.1", seed, upto=1000, pause=0.05) for seed in (1, 2))
    check_calm(post(server, "192.0.2.1", 3))
    assert post(server, "192.0.2.2", 3).status_code == 201
    moved = post(server, "192.0.2.1", 4, supersedes=second.json()["id"])
    assert moved.status_code == 201
    server.client.delete(f"/api/runs/{first.json()['id']}")
    server.events(first.json()["id"])
    assert post(server, "192.0.2.1", 5).status_code == 201


def test_who_cancels_ends_nobody_elses_run(serve: Serve) -> None:
    server = serve(proxies="127.0.0.1")
    asked = set()
    for client in ("192.0.2.1", "192.0.2.2"):
        server.client.cookies.clear()
        asked.add(post(server, client, 1, upto=1000, pause=0.05).json()["id"])
    (run,) = asked

    def leave(client: str) -> tuple[int, str]:
        answer = server.client.delete(f"/api/runs/{run}", headers={"X-Forwarded-For": client})
        return answer.status_code, server.client.get(f"/api/runs/{run}").json()["status"]

    assert [leave(client)[0] for client in ("192.0.2.3", "192.0.2.1", "192.0.2.1")] == [200] * 3
    server.client.cookies.clear()
    server.client.get("/")  # who asked without a cookie has one from now on
    assert leave("192.0.2.2")[0] == 202
    assert server.events(run)[-1]["status"] == "cancelled"


def test_streams(serve: Serve) -> None:
    server = serve(client_streams=2, proxies="127.0.0.1")
    run = server.count(upto=1000, pause=0.05)
    server.client.headers["X-Forwarded-For"] = "2001:db8::1"
    first, second = server.messages(run), server.messages(run)
    next(first), next(second)
    check_calm(server.client.get(f"/api/runs/{run}/events", headers={"X-Forwarded-For": "2001:db8::2"}))
    first.close()
    server.until(lambda: server.client.get("/api/health").json()["streams"] == 1)
    next(server.messages(run))


def test_a_header_of_a_stranger_is_not_believed(serve: Serve) -> None:
    server = serve(client_burst=2, client_starts=1)
    answers = [post(server, f"192.0.2.{seed}", seed) for seed in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]


def test_the_owner_is_not_limited(serve: Serve) -> None:
    server = serve(client_starts=1, client_burst=1, client_runs=1, client_streams=1)
    for _ in range(5):
        server.count()


def test_a_moving_slider_is_not_refused() -> None:
    """Ten values a second for a minute, each superseding the one before, with the default settings."""
    client = Client(Clients(Settings()).browser, now=0.0)
    client.spend(1.0, 0.0)
    for tick in range(600):
        client.spend(0.2, tick / 10)
    with pytest.raises(TooManyError):
        for _ in range(61):
            client.spend(1.0, 60.0)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1:2::3", "2001:db8:0:1::/64"),
        ("127.0.0.7", "loopback"),
        ("::1", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
        ("testclient", "testclient"),
    ],
)
def test_who_counts_as_one(host: str, name: str) -> None:
    assert network(host) == name


def test_each_browser_of_a_class_has_its_own_allowance(serve: Serve) -> None:
    server = serve(client_starts=1, client_burst=2, address_burst=7, address_starts=1, proxies="127.0.0.1")
    for browser in range(3):
        server.client.cookies.clear()  # a browser of its own
        server.client.get("/")
        answers = [post(server, "192.0.2.1", 10 * browser + seed) for seed in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
    server.client.cookies.clear()
    server.client.get("/")
    assert post(server, "192.0.2.1", 40).status_code == 201
    check_calm(post(server, "192.0.2.1", 41))  # the browser may, the address may not
    assert post(server, "192.0.2.2", 42).status_code == 201


def test_who_refuses_names_gains_nothing(serve: Serve) -> None:
    server = serve(client_starts=1, client_burst=2, proxies="127.0.0.1")
    codes = []
    for seed in range(4):
        server.client.cookies.clear()
        codes.append(post(server, "192.0.2.1", seed).status_code)
    assert codes == [201, 201, 429, 429]


def test_a_name_is_had_by_asking_only() -> None:
    async def nothing(*_: Any) -> None: ...

    names, others = (Browsers(nothing, Settings()) for _ in range(2))
    given = names.new()
    name = given.partition(".")[0]
    assert names.name(f"theme=dark; underhood={given}") == name
    forged = ["", name, f"{name}.", f"0{given[1:]}0", f"{given}0", others.new(), f"{name}.\xe9", '"', ";;=\0"]
    assert {names.name(f"underhood={each}") for each in forged} == {""}
    shared = [Browsers(nothing, Settings(redis_url="redis://:word@here/0")) for _ in range(2)]
    assert shared[0].name(f"underhood={shared[1].new()}"), "web processes behind one Redis know each other's names"


def test_a_cookie_says_nothing_and_is_given_once(serve: Serve) -> None:
    server = serve()
    server.client.cookies.clear()
    assert "Set-Cookie" not in server.client.get("/_astro/page.abc123.js").headers
    cookie = server.client.get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Max-Age" not in cookie
    assert "Set-Cookie" not in server.client.get("/").headers


class SlowStore:
    """Answers when others have had their turn, as a store does."""

    async def get(self, run: str) -> Run | None:
        await asyncio.sleep(0)
        return None if run.startswith("old") else Run(id=run, key="", lab="", version="", params={}, created=0.0)


@pytest.mark.parametrize("most", [4, 16, 31])
def test_many_starts_at_once_are_counted_right(most: int) -> None:
    """While one looks which runs have ended, others start: none is forgotten, and none is in the way."""

    async def rush() -> list[Any]:
        client = Client(Allowance(starts=1e6, burst=1e6, runs=most, streams=1), now=0.0)
        client.runs = {f"old{n}" for n in range(most)}

        async def start(number: int) -> None:
            for _ in range(number):
                await asyncio.sleep(0)
            async with client.starting(SlowStore(), None) as became:  # type: ignore[arg-type]
                for _ in range(number % 5):
                    await asyncio.sleep(0)
                became(f"run{number}", True)

        return await asyncio.gather(*(start(number) for number in range(64)), return_exceptions=True)

    results = asyncio.run(rush())
    assert {type(each) for each in results} == {type(None), TooManyError}
    assert results.count(None) == most
