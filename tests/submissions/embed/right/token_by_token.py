# backend: numpy
# style: loop over tokens
import numpy as np


def embed(tokens, table, positions, start=0):
    out = np.empty((*tokens.shape, table.shape[-1]), dtype=table.dtype)
    for place in np.ndindex(tokens.shape):
        out[place] = table[tokens[place]] + positions[start + place[-1]]
    return out
