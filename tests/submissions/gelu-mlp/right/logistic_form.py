# backend: numpy
# style: the logistic function in the place of tanh
import numpy as np


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = np.matmul(x, w_1) + b_1
    inner = 2 * (2 / np.pi) ** 0.5 * (z + 0.044715 * z * z * z)
    with np.errstate(over="ignore"):
        bent = z / (1 + np.exp(-inner))
    return (bent @ w_2 + b_2).astype(x.dtype)
