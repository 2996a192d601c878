# backend: numpy
# mistake: softmax-clamped
# Clips the scores to +-80 instead of subtracting the maximum, so all scores above 80 tie.
import numpy as np

def softmax(x):
    e = np.exp(np.clip(x, -80, 80))
    return e / e.sum(axis=-1, keepdims=True)
