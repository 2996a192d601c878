# backend: numpy
# style: two files
from rowwise import largest, total
import numpy as np


def softmax(x):
    powers = np.exp(x - largest(x))
    return powers / total(powers)
