# backend: numpy
# style: numpy
import numpy as np

def lora_linear(x, w, a, b, alpha):
    rank = float(a.shape[1])
    out = np.matmul(x, w)
    out += np.matmul(np.matmul(x, a), b) * (alpha / rank)
    return out
