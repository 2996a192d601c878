# backend: numpy
# mistake: swiglu-other-activation
# breaks: silu
# style: ReLU
import numpy as np


def swiglu(x, w_gate, w_up, w_down):
    return (np.maximum(x @ w_gate, 0) * (x @ w_up)) @ w_down
