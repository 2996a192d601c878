# backend: numpy
# mistake: softmax-sigmoid
import numpy as np


def softmax(x):
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))
