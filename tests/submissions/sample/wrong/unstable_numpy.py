# backend: numpy
# mistake: none
# A sort that does not keep equal logits in order, which shows among many.
import numpy as np

def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    z = (logits - logits.max(-1, keepdims=True)) / temperature
    order = np.argsort(-z, axis=-1)
    rank = np.argsort(order, axis=-1)
    if top_k is not None:
        z = np.where(rank >= top_k, -np.inf, z)
    e = np.exp(z); p = e / e.sum(-1, keepdims=True)
    if top_p is not None:
        s = np.take_along_axis(p, order, -1)
        before = np.take_along_axis(np.cumsum(s, -1) - s, rank, -1)
        e = np.where(before >= top_p, 0, e); p = e / e.sum(-1, keepdims=True)
    return p
def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    return int(np.searchsorted(np.cumsum(next_probabilities(logits, temperature, top_k, top_p)), uniform, side="right"))
