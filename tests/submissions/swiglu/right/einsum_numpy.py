# backend: numpy
# style: einsum, and a logistic function of tanh
import numpy as np


def swiglu(x, w_gate, w_up, w_down):
    gate = np.einsum("...d,df->...f", x, w_gate)
    up = np.einsum("...d,df->...f", x, w_up)
    return np.einsum("...f,...f,fd->...d", gate * (1 + np.tanh(gate / 2)) / 2, up, w_down)
