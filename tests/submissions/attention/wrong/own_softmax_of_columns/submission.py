# backend: numpy
# mistake: softmax-wrong-axis
# style: two files
import numpy as np
from my_softmax import softmax


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    return softmax(scores) @ v
