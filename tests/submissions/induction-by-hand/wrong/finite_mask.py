# backend: torch
# mistake: none
# Hidden scores of -10,000 are larger than the visible ones.
import torch

def two_layers(x, qk_1, ov_1, qk_2, ov_2):
    for qk, ov in ((qk_1, ov_1), (qk_2, ov_2)):
        s = x @ qk @ x.T
        n = x.shape[0]
        s = s.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -1e4)
        x = x + torch.softmax(s, -1) @ x @ ov
    return x

def weights(x, v, B=200.0, C=200.0):
    n, d = x.shape
    z = lambda: x.new_zeros(d, d)
    qk1, ov1, qk2, ov2 = z(), z(), z(), z()
    for i in range(1, n):
        qk1[v + i, v + i - 1] = B
    for t in range(v):
        ov1[t, v + n + t] = 1
        qk2[t, v + n + t] = C
        qk2[t, v] = C / 2
        ov2[t, 2 * v + n + t] = 1
    return qk1, ov1, qk2, ov2

def induction_weights(x, vocabulary):
    return weights(x, vocabulary)
