# backend: numpy
# mistake: lora-rank-not-divided
# style: numpy
import numpy as np

def lora_linear(x, w, a, b, alpha):
    low = np.einsum("...i,ir->...r", x, a) * alpha
    return x @ w + np.einsum("...r,ro->...o", low, b)
