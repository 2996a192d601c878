# backend: numpy
# mistake: activation-misplaced
# breaks: between-the-layers
# style: after each layer
import numpy as np


def gelu(z):
    return 0.5 * z * (1 + np.tanh(0.7978845608028654 * (z + 0.044715 * z**3)))


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    for w, b in ((w_1, b_1), (w_2, b_2)):
        x = gelu(x @ w + b)
    return x
