"""Expressions to begin with: each shows one thing that gradients do."""

EXAMPLES = {
    "one_neuron": """\
x1 = 2
x2 = 0.5
w1 = -3
w2 = 1
b = 6.2
out = tanh(w1*x1 + w2*x2 + b)
""",
    "used_twice": """\
# h is used by two others: it gets two shares
x = 1.5
w = 0.4
u = 2
v = -1
h = tanh(w*x)
out = u*h + v*h**2
""",
    "a_line_and_its_error": """\
x = 1.5   # what is known
y = 2
w = 0.3   # what is learned
b = 0.1
loss = (w*x + b - y)**2
""",
    "a_network_on_XOR": """\
x1 = 1    # the inputs, and what should come out
x2 = 0
t = 1
a1 = 0.8  # two hidden neurons
a2 = -0.6
b1 = 0.1
c1 = -0.5
c2 = 0.9
b2 = -0.2
v1 = 0.7  # one neuron behind them
v2 = -1.1
h1 = tanh(a1*x1 + a2*x2 + b1)
h2 = tanh(c1*x1 + c2*x2 + b2)
y = sigmoid(v1*h1 + v2*h2)
loss = (y - t)**2
""",
    "softmax_and_cross_entropy": """\
# three scores; the first is of the right class
a = 2
b = 1
c = -0.5
total = exp(a) + exp(b) + exp(c)
loss = log(total) - a
""",
    "a_gradient_that_vanishes": """\
# each sigmoid passes on a quarter at most
x = 0.5
h1 = sigmoid(x)
h2 = sigmoid(h1)
h3 = sigmoid(h2)
h4 = sigmoid(h3)
h5 = sigmoid(h4)
out = sigmoid(h5)
""",
    "a_dead_relu": """\
# below 0 it passes nothing on: drag b up
x = 2
w = -1.5
b = 1
y = 3
h = relu(w*x + b)
loss = (2*h - y)**2
""",
    "the_larger_wins": """\
a = 1.2
b = 0.9
out = max(a**2, 3*b - 1) / (1 + abs(a))
""",
}
