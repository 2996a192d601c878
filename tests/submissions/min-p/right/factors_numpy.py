# backend: numpy
import numpy as np


def min_p(logits, p):
    e = np.exp(logits - logits.max(-1, keepdims=True))  # relative to the likeliest
    e = e * (e >= p)
    return e / e.sum(-1, keepdims=True)


def repetition_penalty(logits, tokens, penalty):
    factors = np.ones_like(logits)
    factors[tokens] = penalty
    return logits * np.where(logits > 0, 1 / factors, factors)
