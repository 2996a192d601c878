# backend: numpy
# style: two files
import numpy as np
import softmax


def attend(q, k, v):
    return softmax.softmax(k @ q / np.sqrt(len(q))) @ v
