# backend: numpy
# mistake: variance-unbiased
# style: ddof=1
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        var = x.var(axis=-1, ddof=1, keepdims=True)
    return (x - mean) / np.sqrt(var + eps) * gain + bias
