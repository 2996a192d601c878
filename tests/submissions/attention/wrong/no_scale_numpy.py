# backend: numpy
# mistake: scale-missing
# style: numpy
import numpy as np

def attention(Q, K, V):
    logits = np.einsum("...md,...nd->...mn", Q, K)
    logits = logits - logits.max(axis=-1, keepdims=True)
    p = np.exp(logits)
    p = p / p.sum(axis=-1, keepdims=True)
    return p @ V
