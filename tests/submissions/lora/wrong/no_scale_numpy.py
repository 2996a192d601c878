# backend: numpy
# mistake: lora-scale-missing
# style: numpy
import numpy as np

def lora_linear(x, w, a, b, alpha):
    scaling = alpha / a.shape[-1]
    delta = np.matmul(np.matmul(x, a), b)
    return np.matmul(x, w) + delta
