# backend: numpy
# style: numpy-einsum
import numpy as np

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    return np.einsum("...hnd,hdm->...hnm", heads, np.reshape(w_o, (h, d, w_o.shape[1])))
