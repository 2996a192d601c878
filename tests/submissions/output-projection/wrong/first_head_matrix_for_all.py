# backend: numpy
# mistake: output-first-rows
# Gives each head the rows of the first head.
import numpy as np

def head_updates(heads, w_o):
    return heads @ w_o[: heads.shape[-1]]
