# backend: numpy
# mistake: projection-transposed
# style: numpy
import numpy as np

def lora_linear(x, w, a, b, alpha):
    return np.matmul(x, w.T) + (alpha / a.shape[1]) * (x @ a @ b)
