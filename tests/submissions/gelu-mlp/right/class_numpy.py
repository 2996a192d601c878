# backend: numpy
# style: class
import numpy as np


class MLP:
    def __init__(self, *weights):
        self.w_1, self.b_1, self.w_2, self.b_2 = weights

    def bend(self, z):
        return z * (1 + np.tanh(0.7978845608028654 * z * (1 + 0.044715 * z * z))) / 2

    def __call__(self, x):
        return self.bend(x @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return MLP(w_1, b_1, w_2, b_2)(x)
