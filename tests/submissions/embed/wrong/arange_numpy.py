# backend: numpy
# mistake: start-unused
# breaks: position-from-start
# style: arange
import numpy as np


def embed(tokens, table, positions, start=0):
    return table[tokens] + positions[np.arange(tokens.shape[-1])]
