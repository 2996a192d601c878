# backend: numpy
# style: a loop over all entries
import numpy as np


def adamw_step(
    weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01
):
    out = tuple(np.empty_like(each) for each in (weights, mean, square))
    for at in np.ndindex(weights.shape):
        m = mean[at] + (1 - beta_1) * (gradient[at] - mean[at])
        s = square[at] + (1 - beta_2) * (gradient[at] ** 2 - square[at])
        root = np.sqrt(s / (1 - beta_2**step))
        kept = weights[at] - rate * decay * weights[at]
        out[0][at] = kept - rate * (m / (1 - beta_1**step)) / (root + epsilon)
        out[1][at], out[2][at] = m, s
    return out
