# backend: numpy
# mistake: softmax-unstable
# breaks: large-scores
# style: numpy
import numpy as np

def softmax(x):
    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)
