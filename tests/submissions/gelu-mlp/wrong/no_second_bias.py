# backend: numpy
# mistake: mlp-second-bias-missing
# breaks: both-biases
# style: left out
import numpy as np


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (0.5 * z * (1 + np.tanh(0.7978845608028654 * (z + 0.044715 * z**3)))) @ w_2
