# backend: numpy
# style: np.block and einsum
import numpy as np


def layer(x, qk, ov):
    scores = np.where(np.tri(len(x), dtype=bool), np.einsum("id,de,je->ij", x, qk, x), -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return x + e / e.sum(-1, keepdims=True) @ x @ ov


def two_layers(x, qk_1, ov_1, qk_2, ov_2):
    return layer(layer(x, qk_1, ov_1), qk_2, ov_2)


def blocks(sizes, at, block, dtype):
    rows = [[np.zeros((a, b)) for b in sizes] for a in sizes]
    for (row, column), part in zip(at, block, strict=True):
        rows[row][column] = part
    return np.block(rows).astype(dtype)


def induction_weights(x, vocabulary):
    sizes = [vocabulary, len(x), vocabulary, vocabulary]
    same = np.eye(vocabulary)
    first = np.zeros((vocabulary, len(x)))
    first[:, 0] = 60
    return (
        blocks(sizes, [(1, 1)], [120 * np.eye(len(x), k=-1)], x.dtype),
        blocks(sizes, [(0, 2)], [same], x.dtype),
        blocks(sizes, [(0, 2), (0, 1)], [120 * same, first], x.dtype),
        blocks(sizes, [(0, 3)], [same], x.dtype),
    )
