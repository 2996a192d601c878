# backend: numpy
# mistake: none
# style: numpy
import numpy as np

def softmax(x):
    # one over the sum of exp(x_j - x_i): overflow to inf gives the share 0
    with np.errstate(over="ignore"):
        return (1 / np.exp(x[..., None, :] - x[..., :, None]).sum(-1)).astype(x.dtype)
