"""What the article on an inference server says, asked of its lab, of a recording, and of arithmetic."""

from __future__ import annotations

import timeit

import numpy as np
from article import Article, recorded
from labs.speed import request_scheduler
from native.models.transformer import weights
from native.models.transformer.shape import BLOCKS, CONTEXT, LAYERS, VOCABULARY, WIDTH
from native.models.transformer.step_kernel import Machine, packed
from native.speed.inference_server import Params
from native.speed.inference_server.serve import Server, Way, serve
from native.speed.inference_server.workload import PREAMBLE, ask
from native.speed.prefill_decode import counted

says = Article("speed/04-an-inference-server.mdx").says


def test_what_a_token_leaves_behind() -> None:
    says(
        "three layers: 3,072 bytes",
        "256 positions. Its keys and values take 768 KiB, almost a third of what all weights take",
    )
    cache = Machine(packed(weights.matrices(weights.read())), BLOCKS, 1).cache
    assert LAYERS == 3 and cache.nbytes == 768 * 1024 and cache.nbytes // CONTEXT == 3072
    total = sum(matrix.nbytes for matrix in weights.matrices(weights.read()).values())
    assert 0.28 < cache.nbytes / total < 0.36
    says("It has 640,000 weights")
    assert round(total / 4, -4) == 640_000 and WIDTH == 128
    says("32 · 2 · 1,024 · 2 = 131,072 bytes")
    assert 32 * 2 * 1024 * 2 == 131072 == 16 * 1024**3 // 131072 == 16 * 8192


def test_it_was_trained_on_the_book() -> None:
    says("trained on the articles of this book")
    assert "articles of this book" in weights.provenance()["text"]
    says("All our prompts begin with the same sentence")
    assert len({tuple(each.prompt[: len(PREAMBLE)]) for each in ask("A", 16, 0, 0).requests}) == 1


def test_the_recorded_run() -> None:
    shown = recorded("speed/inference_server")
    last = shown[-1]
    one, static, continuous, paged = last["gain"]
    says("no character is different", "three times as fast", "The paged server reaches … times the speed")
    assert one == 1 < static < continuous < paged
    says("Both aims are met here")
    assert paged > 3 and last["gaps"][3, 1] < 2 * last["gaps"][0, 1]
    says("Each reader gets tokens more slowly")
    assert last["gaps"][3, 0] > last["gaps"][0, 0]
    says("six such reservations", "twelve requests fit where six did", "Here the budget is 12")
    assert Params().blocks // BLOCKS == 6 and Params().lanes == Params().rows == 12
    assert max(np.isin(event["state"], (2, 3)).sum() for event in shown) > 6
    assert last["unused"][3] < 0.2 < 0.4 < last["unused"][2] and last["idle"][1] > 0.4 > last["idle"][2]
    says("shares a block between requests whose tokens agree")
    assert (shown[5]["holders"] > 1).sum() >= 3


def test_too_few_blocks_and_a_larger_piece() -> None:
    says("Try it with 24 blocks: you will see requests leave a lane and return")
    params = Params(blocks=24)
    dice = params.temperature * np.random.default_rng(params.seed).gumbel(size=(CONTEXT, VOCABULARY))
    asked = ask(params.prompt, params.readers, params.gap * 1e-6, params.seed)
    way = Way("paged", params.lanes, refill=True, paged=True, shared=True, rows=params.rows)
    server = Server(way, packed(weights.matrices(weights.read())), params.blocks, dice.astype(np.float32))
    served, _ = serve(asked.requests, server)
    assert any(each.evicted for each in served)
    says("At temperature 0 a model this small repeats itself")
    greedy = Server(way, server.machine.weights, 96, np.zeros((CONTEXT, VOCABULARY), np.float32))
    (longest, *_) = sorted(serve(asked.requests, greedy)[0], key=lambda each: -len(each.given))
    text = bytes(longest.tokens[len(longest.request.prompt) :]).decode()
    assert any(text.count(text[at : at + 8]) > 2 for at in range(len(text) - 8))


def test_what_slows_the_server_without_pages() -> None:
    """Counted in steps and rows, which no other program slows down."""
    params = Params()
    asked = ask(params.prompt, params.readers, 0, params.seed)
    model, dice = packed(weights.matrices(weights.read())), np.zeros((CONTEXT, VOCABULARY), np.float32)

    def steps_and_rows(lanes: int, paged: bool, shared: bool) -> tuple[int, int]:
        way = Way("any", lanes, refill=True, paged=paged, shared=shared, rows=params.rows)
        glances = serve(asked.requests, Server(way, model, params.blocks, dice))[1]
        return len(glances), sum(glance.rows for glance in glances)

    says("It computes 2,053 rows in 264 steps", "just as many rows, in 249 steps")
    assert steps_and_rows(6, paged=False, shared=False) == (264, 2053)
    assert steps_and_rows(12, paged=True, shared=False) == (249, 2053)
    says("Sharing leaves 1,253 rows, in 165 steps", "computed once instead of sixteen times")
    assert steps_and_rows(12, paged=True, shared=True) == (165, 1253)
    assert 15 * len(PREAMBLE) * 0.9 < 2053 - 1253
    says("its prompt twelve tokens at a time")
    assert params.rows == 12


def test_who_is_served_next() -> None:
    says("B3 has just been taken, ahead of A9", "B3 came more than four seconds earlier", "and A9 goes first")
    shown = recorded("speed/request_scheduler", "ageing")[13 - 1]
    b3, a9 = 3 - 1, 9 - 1
    assert shown["next"] == b3 and a9 in shown["queue"] and shown["classes"][[b3, a9]].tolist() == [1, 0]
    assert shown["arrived"][a9] - shown["arrived"][b3] > 4
    written = " ".join(request_scheduler.WRITTEN.split()[:9])
    for params in ({"rate": 0.0}, {"whole": True}):
        asked = request_scheduler.Params(policy="ageing", arrivals="written", written=written, **params)  # type: ignore[arg-type]
        assert [*request_scheduler.run(asked)][13 - 1].next == a9
    says("and it gives the same order")
    static = request_scheduler.Params(policy="ageing", arrivals="written", written=written, rebuilt=False)
    assert [*request_scheduler.run(static)][13 - 1].next == b3


def test_eight_rows_take_less_than_eight_times_as_long() -> None:
    says("The step takes longer, but not eight times as long")
    machine = Machine(packed(weights.matrices(weights.read())), 8 * BLOCKS, 8)
    machine.tables[:] = np.arange(8 * BLOCKS).reshape(8, -1)
    one, eight = ([(65, 64, lane, True) for lane in range(many)] for many in (1, 8))
    took = [min(timeit.repeat(lambda rows=rows: machine.step(rows), number=10, repeat=20)) for rows in (one, eight)]
    assert took[1] < 5 * took[0]


def test_weights_in_memory_and_in_the_cache() -> None:
    says("A step of ours reads only 2.4 MB", "43 copies of these weights, 100 MB together")
    kept = packed(weights.matrices(weights.read()))
    copied = packed(weights.matrices(weights.read()), cached=False)
    assert round(copied.read / 1e6, 1) == 2.4 and len(copied.layers) == 43
    assert 95e6 < copied.layers.nbytes < 105e6 and (copied.layers == kept.layers).all()
    says("every step reads the next copy", "The arithmetic and the tokens are the same")
    machines = [Machine(each, BLOCKS, 1) for each in (kept, copied)]
    for at in range(8):
        first, second = (machine.step([(65 + at, at, 0, True)]) for machine in machines)
        np.testing.assert_array_equal(first, second)
    says("A lone request becomes much faster", "The batch is hardly faster")
    one, twelve = ([(65, 0, lane, True) for lane in range(many)] for many in (1, 12))
    gain = []
    for each in (kept, copied):
        machine = Machine(each, 12, 12)
        machine.tables[:, 0] = np.arange(12)
        took = [
            min(timeit.repeat(lambda m=machine, r=rows: m.step(r), number=5, repeat=20)) for rows in (one, twelve)
        ]
        gain.append(12 * took[0] / took[1])
    assert gain[1] > gain[0]


def test_prefill_and_decode() -> None:
    last = recorded("speed/prefill_decode")[-1]
    decode, prefill = last["gain"]
    says("Both start far to the left", "A lone token of a prompt does half an operation for each byte")
    assert abs(last["intensity"][1, 0] - 0.5) < 0.005 and last["intensity"][1, 0] < last["ridge"] / 4
    says("each with 160 tokens behind it", "decode stays below … operations for each byte", "From 16 answers to 64")
    assert last["past"] == 160 and last["intensity"][0].max() < last["limit"] < last["ridge"]
    assert last["intensity"][1, -1] > last["ridge"] and prefill[-1] > 2 * decode[-1] > decode[4]
    says("reaches … of the peak, and computes", "Decode also stays further below its roof")
    assert last["share"][0, -1] < 0.8 * last["share"][1, -1]
    says("With a shorter past the line moves to the right")
    model = packed(weights.matrices(weights.read()))
    one, two = (np.array(counted(model, "decode", many, 16), float) for many in (1, 2))
    assert np.divide(*(two - one)) > last["limit"]
    # A token without a past: within 1.3 of the time that the reading of its weights takes.
    assert 1 / 1.3 < last["share"][1, 0] < 1


def test_workers_and_threads() -> None:
    usual, sleep = (recorded("speed/workers_and_threads", name)[-1] for name in ("default", "sleep"))
    one, two, four = range(3)
    says("this machine has two", "one, two and four workers")
    assert usual["cores"] == sleep["cores"] == 2 and usual["counts"] == ["1", "2", "4"]
    rate, busy = usual["rate"][..., 1], usual["busy"]
    says("Two workers with one thread each serve …", "instead of …. The difference is waiting")
    assert rate[two, one] > 1.7 * rate[one, one] > 1.7 * rate[two, two] and busy[two, two] > 3 * busy[two, one]
    says("more threads are not always worse")
    assert rate[four, four] > 2 * rate[two, two] and rate[four, four] < rate[two, one]
    says("requests a second: more than with one thread, and far fewer than two workers")
    assert 1.1 * rate[one, one] < rate[one, two] < 0.8 * rate[two, one]
    says("better, but below two workers with one thread")
    assert rate[two, two] < sleep["rate"][two, two, 1] < sleep["rate"][two, one, 1]
    says("workers times threads should equal the number of cores")
    shares = [each["share"][two, one] for each in (usual, sleep)]
    assert min(shares) > 0.9
    says("spins three thousand times less")  # 300,000 times and 100 times, by its manual
    assert 300_000 / 100 == 3000
    says("8 · 16 = 128 threads on 16 cores", "8 · 2 = 16")
    assert 8 * 16 == 128 and 8 * 2 == 16
