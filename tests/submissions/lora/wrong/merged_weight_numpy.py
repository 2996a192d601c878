# backend: numpy
# mistake: low-rank-materialised
# style: numpy
import numpy as np

def lora_linear(x, w, a, b, alpha):
    merged = w + np.matmul(a, b) * (alpha / a.shape[1])
    return np.matmul(x, merged)
