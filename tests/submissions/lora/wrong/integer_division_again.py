# backend: numpy
# mistake: lora-whole-division
# Divides alpha by the rank with //, which is wrong when the rank does not divide alpha.
import numpy as np

def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha // a.shape[-1]) * ((x @ a) @ b)
