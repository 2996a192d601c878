# backend: numpy
# mistake: none
# style: exponentials as they are
import numpy as np


def route(logits, top_k, capacity):
    t, e = logits.shape
    order = np.argsort(-logits, axis=1)[:, :top_k]
    picked = np.take_along_axis(logits, order, 1)
    w = np.exp(picked)
    w /= w.sum(1, keepdims=True)
    flat = order.T.ravel()  # all first choices, then all second ones
    one_hot = flat[:, None] == np.arange(e)
    place = (np.cumsum(one_hot, 0) - 1)[np.arange(flat.size), flat]
    out = np.zeros_like(logits)
    keep = place < capacity
    out[np.tile(np.arange(t), top_k)[keep], flat[keep]] = w.T.ravel()[keep]
    return out


def balance_loss(logits, top_k):
    t, e = logits.shape
    order = np.argsort(-logits, axis=1)[:, :top_k]
    f = (order[:, :, None] == np.arange(e)).mean((0, 1))
    p = np.exp(logits)
    p = (p / p.sum(1, keepdims=True)).mean(0)
    return np.asarray(e * f @ p, dtype=logits.dtype)
