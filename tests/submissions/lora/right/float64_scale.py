# backend: numpy
# style: dtype
import numpy as np

def lora_linear(x, w, a, b, alpha):
    return x @ w + np.float64(alpha / a.shape[1]) * (x @ a @ b)
