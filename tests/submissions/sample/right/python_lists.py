# backend: numpy
import math
import numpy as np

def _row(z, t, k, p):
    top = max(z)
    order = sorted(range(len(z)), key=lambda i: (-z[i], i))[:k]
    w = {i: math.exp((z[i] - top) / t) for i in order}
    if p is not None:
        whole, so_far, kept = math.fsum(w.values()), 0.0, []
        for i in order:
            kept.append(i)
            so_far += w[i]
            if so_far >= p * whole * (1 - 1e-12):
                break
        w = {i: w[i] for i in kept}
    whole = math.fsum(w.values())
    return [w.get(i, 0.0) / whole for i in range(len(z))]
def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    flat = logits.reshape(-1, logits.shape[-1]).astype(float).tolist()
    return np.array([_row(z, temperature, top_k, top_p) for z in flat]).reshape(logits.shape).astype(logits.dtype)
def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    p = next_probabilities(logits.astype(float), temperature, top_k, top_p)
    return int(np.searchsorted(np.cumsum(p), uniform, side="right"))
