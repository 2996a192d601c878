# backend: numpy
# mistake: forbidden-call
# breaks: library-softmax
# style: library
from scipy.special import softmax as rows


def softmax(x):
    return rows(x, axis=-1)
