# backend: numpy
# style: einsum
import numpy as np


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    hidden = np.einsum("...d,df->...f", x, w_1) + b_1
    cubic = hidden + 0.044715 * np.power(hidden, 3)
    share = (1 + np.tanh(np.sqrt(2 / np.pi) * cubic)) / 2
    return (np.einsum("...f,fd->...d", hidden * share, w_2) + b_2).astype(x.dtype)
