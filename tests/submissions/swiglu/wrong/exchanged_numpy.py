# backend: numpy
# mistake: swiglu-exchanged
# breaks: gate-activated
# style: names exchanged
import numpy as np


def swiglu(x, w_gate, w_up, w_down):
    up, gate = x @ w_gate, x @ w_up
    return (gate * (1 + np.tanh(gate / 2)) / 2 * up) @ w_down
