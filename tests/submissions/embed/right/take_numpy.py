# backend: numpy
# style: np.take
import numpy as np


def embed(tokens, table, positions, start=0):
    places = np.arange(tokens.shape[-1]) + start
    return np.take(table, tokens, axis=0) + np.take(positions, places, axis=0)
