# backend: torch
# mistake: forbidden-call
# breaks: library-softmax
# style: two files
from utils import normalise


def softmax(x):
    return normalise(x)
