# backend: numpy
# mistake: scale-by-keys
# Divides by the root of the number of keys, not by the root of the width.
import numpy as np

def attend(q, k, v):
    scores = k @ q / np.sqrt(len(k))
    scores = scores - scores.max()
    w = np.exp(scores)
    return (w / w.sum()) @ v
