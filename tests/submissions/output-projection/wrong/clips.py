# backend: numpy
# mistake: none
# style: adversarial
import numpy as np

def head_updates(heads, w_o):
    h, d = heads.shape[-3], heads.shape[-1]
    return np.clip(heads @ w_o.reshape(h, d, -1), -8, 8)
