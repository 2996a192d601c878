# backend: numpy
# mistake: none
# Calls the parameter scale, so the brief's own call with alpha=2.0 raises.
import numpy as np

def lora_linear(x, w, a, b, scale):
    return x @ w + scale / a.shape[1] * (x @ a @ b)
