# backend: numpy
# style: any layout, any dtype
import numpy as np


def lora_linear(x, w, a, b, alpha):
    down = np.matmul(x, a) * x.dtype.type(alpha / a.shape[1])
    return np.matmul(x, w) + np.matmul(down, b)
