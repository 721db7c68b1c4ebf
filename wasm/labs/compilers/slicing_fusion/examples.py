"""Programs to begin with."""

EXAMPLES = {
    "neighbours": """\
# each consumer reads a producer and its neighbour
for i in 0..25: A[i] = X[i] + X[i+1]
for i in 0..24: B[i] = A[i] + A[i+1]
""",
    "pointwise": """\
for i in 0..24: A[i] = X[i] * 2
for i in 0..24: B[i] = A[i] + 1
""",
    "three_stencils": """\
n = 32
for i in 1..n-1: A[i] = X[i-1] + X[i] + X[i+1]
for i in 2..n-2: B[i] = A[i-1] + A[i] + A[i+1]
for i in 3..n-3: C[i] = B[i-1] + B[i] + B[i+1]
""",
    "blur": """\
# a blur of an image in two passes: along the rows, then along the columns
for y in 0..16, x in 1..15: R[y, x] = (I[y, x-1] + I[y, x] + I[y, x+1]) / 4
for y in 1..15, x in 1..15: B[y, x] = (R[y-1, x] + R[y, x] + R[y+1, x]) / 4
""",
    "pooling": """\
for y in 0..16, x in 0..16: A[y, x] = relu(X[y, x] + 1)
for y in 0..8, x in 0..8: P[y, x] = max(max(A[2*y, 2*x], A[2*y, 2*x+1]), max(A[2*y+1, 2*x], A[2*y+1, 2*x+1]))
""",
    "upsampling": """\
# y // 2 and x // 2 are quasi-affine
for y in 0..8, x in 0..8: S[y, x] = tanh(X[y, x])
for y in 0..16, x in 0..16: U[y, x] = S[y // 2, x // 2] + B[y, x]
""",
    "matmul_and_bias": """\
for i in 0..8, k in 0..8, j in 0..16: C[i, j] += X[i, k] * W[k, j]
for i in 0..8, j in 0..16: Y[i, j] = relu(C[i, j] + b[j])
""",
    "two_matmuls": """\
for i in 0..8, k in 0..8, j in 0..8: C[i, j] += X[i, k] * W[k, j]
for i in 0..8, k in 0..8, j in 0..8: Y[i, j] += C[i, k] * V[k, j]
""",
    "softmax": """\
# a largest and a sum for each row, both read by the whole row
for i in 0..8, j in 0..16: M[i] max= X[i, j]
for i in 0..8, j in 0..16: S[i] += exp(X[i, j] - M[i])
for i in 0..8, j in 0..16: Y[i, j] = exp(X[i, j] - M[i]) / S[i]
""",
    "transposed": """\
for i in 0..16, j in 0..16: A[i, j] = X[i, j] * 2
for i in 0..16, j in 0..16: B[i, j] = A[j, i] + 1
""",
    "running_sum": """\
# each element of S needs all before it
for i in 1..24: S[i] = S[i-1] + X[i]
for i in 1..24: B[i] = S[i] * 2
""",
    "in_place": """\
# X is overwritten while A still has to be read from it
for i in 1..24: A[i] = X[i-1] + X[i+1]
for i in 1..24: X[i] = A[i] / 2
""",
    "wanted_later": """\
for i in 0..24: A[i] = X[i] * 2
for i in 0..24: B[i] = A[i] + 1
keep A
""",
    "squares": """\
for i in 0..26: A[i] = X[i] + 1
for i in 0..6: B[i] = A[i*i]
""",
    "looked_up": """\
# which element is read is known only when the program runs
for i in 0..16: A[i] = X[i] * X[i]
for i in 0..16: B[i] = A[idx[i]] + 1
""",
    "symbol": """\
# with n = 4 in place of symbol n = 4 this is affine
symbol n = 4
for i in 0..16: A[i] = X[i] * 2
for y in 0..4, x in 0..4: B[y, x] = A[y*n + x] + 1
""",
    "remainder": """\
for i in 0..4: A[i] = exp(X[i])
for i in 0..24: B[i] = A[i % 4] * Y[i]
""",
}
