"""Programs to begin with, each of them for one question that a compiler has to answer."""

PROGRAMS = {
    # One pass over memory instead of six.
    "chain": """\
def chain(x: f32[4096, 1024], y: f32[4096, 1024]):
    t = x * y + x
    t = tanh(t) - 0.5 * y
    return t * t
""",
    # Softmax by hand: two reductions that every element waits for.
    "softmax": """\
def softmax(x: f32[1024, 4096]):
    e = exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
""",
    # If each use computes its input again, one exp becomes sixteen.
    "squares": """\
def squares(a: f32[1048576]):
    e = exp(a)
    for _ in range(4):
        e *= e
    return e
""",
    # An elementwise producer, and a reduction to one number.
    "neuron": """\
def neuron(w: f32[1048576], x: f32[1048576], b: f32):
    return (w * x + b).relu().sum()
""",
    # The sum over rows: its result has as many elements as there are columns.
    "columns": """\
def columns(x: f32[4096, 512]):
    return x.sum(axis=0)
""",
    # Two ways to the same curve, and what they cost.
    "gelu-tanh": """\
def gelu_tanh(x: f32[2048, 1024]):
    inner = 0.7978845608028654 * (x + 0.044715 * x ** 3)
    return 0.5 * x * (1 + tanh(inner))
""",
    "gelu-erf": """\
def gelu_erf(x: f32[2048, 1024]):
    return x * 0.5 * (1 + erf(x / sqrt(2)))
""",
    # Mean and variance in one pass over each row.
    "layer-norm": """\
def norm(x: f32[2048, 1024], w: f32[1024], b: f32[1024]):
    far = x - x.mean(-1, keepdims=True)
    spread = (far * far).mean(-1, keepdims=True)
    return far / sqrt(spread + 1e-5) * w + b
""",
    # What follows a product is done while its block is still in the cache.
    "linear-gelu": """\
def layer(x: f32[512, 768], w: f32[768, 3072], b: f32[3072]):
    return gelu(x @ w + b)
""",
    # The scores of all pairs never have to exist at once.
    "attention": """\
def attention(q: f32[8, 512, 64], k: f32[8, 512, 64], v: f32[8, 512, 64]):
    scores = q @ k.transpose(-1, -2) / sqrt(64)
    return softmax(scores, -1) @ v
""",
    # A loss; switch on "Backward" for its gradients.
    "mlp-step": """\
def dense(h, w, b):
    return h @ w + b

def step(x: f32[256, 784], t: f32[256, 10], w1: f32[784, 128], b1: f32[128], w2: f32[128, 10], b2: f32[10]):
    h = relu(dense(x, w1, b1))
    logits = dense(h, w2, b2)
    loss = -(t * log_softmax(logits, -1)).sum(-1).mean()
    return loss
""",
    # The two inputs lie in memory in different orders.
    "transposed": """\
def crossed(x: f32[2048, 2048], y: f32[2048, 2048]):
    return x + y.T
""",
    # int8 inside, float32 outside.
    "int8-linear": """\
def quantised(x: f32[512, 512], w: i8[512, 512], b: f32[512]):
    scale = 0.02
    q = clamp(round(x / scale), -128, 127).to(i8)
    return (q @ w).to(f32) * (scale * 0.01) + b
""",
    # Half of the bytes; the sums stay in float32.
    "bf16-chain": """\
def half(x: bf16[4096, 1024], y: bf16[4096, 1024]):
    t = x.to(f32) * 1.5 + y.to(f32)
    return (t * sigmoid(t)).to(bf16)
""",
    # Fusing them would compute the first product again for every block of the second.
    "two-matmuls": """\
def two(x: f32[512, 1024], a: f32[1024, 4096], b: f32[4096, 1024]):
    h = relu(x @ a)
    return h @ b
""",
    # Nothing here is written as a compiler would leave it.
    "untidy": """\
def untidy(x: f32[1024, 256], w: f32[256, 256]):
    unused = exp(x) + 1
    a = (x.T).T * 1 + 0
    b = -(-(x * 2.0)) / 4
    c = x * 2.0
    d = (w.to(f64).to(f32) @ (2 ** 0.5 * 2 ** 0.5 * w)).T
    return (a + b - c) @ d
""",
}
