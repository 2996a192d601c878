# backend: numpy
# style: lexsort, argmax of a comparison
import numpy as np


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    out = np.zeros_like(logits)
    for place in np.ndindex(logits.shape[:-1]):
        z = logits[place] / temperature
        order = np.lexsort((np.arange(len(z)), -z))[:top_k]
        shares = np.exp(z[order] - z[order[0]])
        shares /= shares.sum()
        if top_p is not None:
            number = int(np.argmax(np.cumsum(shares) >= top_p)) + 1
            order, shares = order[:number], shares[:number] / shares[:number].sum()
        out[(*place, order)] = shares
    return out


def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    shares = next_probabilities(logits, temperature, top_k, top_p)
    above = np.flatnonzero(np.cumsum(shares) > uniform)
    return int(above[0] if above.size else np.flatnonzero(shares)[-1])
