# backend: numpy
# style: negative scores for all but the match
import numpy as np


def layer(x, qk, ov):
    scores = np.where(np.tri(len(x), dtype=bool), x @ qk @ x.T, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return x + e / e.sum(-1, keepdims=True) @ x @ ov


def two_layers(x, qk_1, ov_1, qk_2, ov_2):
    return layer(layer(x, qk_1, ov_1), qk_2, ov_2)


def induction_weights(x, vocabulary):
    v, (n, d) = vocabulary, x.shape
    place = np.arange(n)
    qk_1, ov_1, qk_2, ov_2 = np.zeros((4, d, d), dtype=x.dtype)
    qk_1[v : v + n, v : v + n] = -90.0 * abs(place[:, None] - 1 - place)
    ov_1[:v, v + n : 2 * v + n] = np.eye(v)
    qk_2[:v, v + n : 2 * v + n] = -90.0 * (1 - np.eye(v))
    qk_2[:v, v] = 45.0
    ov_2[:v, 2 * v + n :] = np.eye(v)
    return qk_1, ov_1, qk_2, ov_2
