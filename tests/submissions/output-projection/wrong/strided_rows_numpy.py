# backend: numpy
# mistake: output-rows-interleaved
# style: numpy
import numpy as np

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    blocks = w_o.reshape(d, h, -1).swapaxes(0, 1)
    return heads @ blocks
