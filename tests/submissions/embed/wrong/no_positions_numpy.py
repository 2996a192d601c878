# backend: numpy
# mistake: positions-missing
# style: left out
import numpy as np


def embed(tokens, table, positions, start=0):
    return np.take(table, tokens, axis=0)
