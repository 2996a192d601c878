# backend: numpy
# style: loop over the features in between
import numpy as np


def swiglu(x, w_gate, w_up, w_down):
    out = np.zeros(x.shape[:-1] + (w_down.shape[-1],), dtype=x.dtype)
    for f in range(w_gate.shape[-1]):
        gate = x @ w_gate[:, f]
        opened = gate * (0.5 + 0.5 * np.tanh(0.5 * gate)) * (x @ w_up[:, f])
        out += opened[..., None] * w_down[f]
    return out
