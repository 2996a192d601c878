# backend: numpy
# mistake: output-rows-interleaved
# Cuts w_o so that head i owns rows i, i + h, i + 2h, ... instead of a block of rows.
import numpy as np

def head_updates(heads, w_o):
    h, d = heads.shape[-3], heads.shape[-1]
    blocks = w_o.reshape(d, h, -1).swapaxes(0, 1)
    return np.einsum("...hnd,hdm->...hnm", heads, blocks)
