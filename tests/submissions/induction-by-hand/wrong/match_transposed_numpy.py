# backend: numpy
# mistake: induction-roles-swapped
# breaks: what-followed
# style: rows and columns of the second
import numpy as np


def layer(x, qk, ov):
    scores = np.where(np.tri(len(x), dtype=bool), x @ qk @ x.T, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return x + e / e.sum(-1, keepdims=True) @ x @ ov


def two_layers(x, qk_1, ov_1, qk_2, ov_2):
    return layer(layer(x, qk_1, ov_1), qk_2, ov_2)


def induction_weights(x, vocabulary):
    v, (n, d) = vocabulary, x.shape
    qk_1, ov_1, qk_2, ov_2 = np.zeros((4, d, d), dtype=x.dtype)
    for p in range(1, n):
        qk_1[v + p, v + p - 1] = 100.0
    qk_2[:v, v] = 50.0
    for t in range(v):
        ov_1[t, v + n + t] = 1.0
        qk_2[v + n + t, t] = 100.0
        ov_2[t, 2 * v + n + t] = 1.0
    return qk_1, ov_1, qk_2, ov_2
