# backend: numpy
# mistake: activation-other
# style: ReLU
import numpy as np


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return np.maximum(x @ w_1 + b_1, 0) @ w_2 + b_2
