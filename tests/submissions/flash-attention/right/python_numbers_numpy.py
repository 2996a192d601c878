# backend: numpy
import math

import numpy as np


def flash_attention(q, k, v, block_size):
    """The three numbers of a query are Python's own; one block of scores is, too."""
    lead, m, d_v = q.shape[:-2], q.shape[-2], v.shape[-1]
    result = np.empty((*lead, m, d_v), q.dtype)
    for at in np.ndindex(*lead):
        state = [(-math.inf, 0.0, [0.0] * d_v) for _ in range(m)]
        for start in range(0, k.shape[-2], block_size):
            keys, values = k[at][start : start + block_size], v[at][start : start + block_size].astype(float).tolist()
            scores = (q[at].astype(float) @ keys.astype(float).T / math.sqrt(q.shape[-1])).tolist()
            for i, row in enumerate(scores):
                top, total, mixed = state[i]
                new = max(top, *row)
                factor = math.exp(top - new)
                powers = [math.exp(each - new) for each in row]
                mixed = [
                    old * factor + sum(p * value[j] for p, value in zip(powers, values))
                    for j, old in enumerate(mixed)
                ]
                state[i] = new, total * factor + sum(powers), mixed
        result[at] = [[each / total for each in mixed] for _, total, mixed in state]
    return result
