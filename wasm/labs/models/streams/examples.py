"""Programs to begin with."""

EXAMPLES = {
    "benchmark": """\
before = Event()
after = Event()
a = to_device(150)
warm = kernel(300, a)
before.record()
start = time()
c = kernel(900, a)
print(time() - start)
after.record()
synchronize()
print(time() - start)
print(before.elapsed_time(after))
""",
    "missing_wait": """\
copies = Stream()
model = empty()
with stream(copies):
    batch = to_device(80, pinned=True, non_blocking=True)
loss = kernel(60, model, batch)
synchronize()
""",
    "lucky": """\
copies = Stream()
model = empty()
with stream(copies):
    batch = to_device(10, pinned=True, non_blocking=True)
loss = kernel(60, model, batch)
synchronize()
""",
    "with_wait": """\
copies = Stream()
arrived = Event()
model = empty()
with stream(copies):
    batch = to_device(80, pinned=True, non_blocking=True)
    arrived.record()
default.wait_event(arrived)
loss = kernel(60, model, batch)
synchronize()
""",
    "prefetch": """\
copies = Stream()
with stream(copies):
    batch = to_device(80, pinned=True, non_blocking=True)
for _ in range(3):
    default.wait_stream(copies)
    now = batch
    now.record_stream(default)
    with stream(copies):
        batch = to_device(80, pinned=True, non_blocking=True)
    loss = kernel(100, now)
synchronize()
""",
    "pageable": """\
copies = Stream()
with stream(copies):
    batch = to_device(80)
for _ in range(3):
    default.wait_stream(copies)
    now = batch
    now.record_stream(default)
    with stream(copies):
        batch = to_device(80, non_blocking=True)
    loss = kernel(100, now)
synchronize()
""",
    "reused_too_early": """\
side = Stream()
x = kernel(30)
side.wait_stream(default)
with stream(side):
    total = kernel(120, x, share=50)
del x
y = kernel(30, share=50)
synchronize()
""",
    "record_stream": """\
side = Stream()
x = kernel(30)
side.wait_stream(default)
with stream(side):
    total = kernel(120, x, share=50)
x.record_stream(side)
del x
y = kernel(30, share=50)
synchronize()
""",
    "two_kernels": """\
left = Stream()
right = Stream()
with stream(left):
    a = kernel(100, share=60)
    b = kernel(100, share=60)
with stream(right):
    c = kernel(100, share=40)
    d = kernel(100, share=60)
synchronize()
""",
    "default_between": """\
left = Stream()
right = Stream()
with stream(left):
    a = kernel(100, share=30)
b = kernel(40, share=30)
with stream(right):
    c = kernel(100, share=30)
synchronize()
""",
    "read_too_early": """\
x = kernel(100)
answer = to_host(30, x, pinned=True, non_blocking=True)
print(answer)
synchronize()
print(answer)
""",
    "not_ready": """\
before = Event()
after = Event()
before.record()
c = kernel(300)
after.record()
print(before.elapsed_time(after))
""",
}
