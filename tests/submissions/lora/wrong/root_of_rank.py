# backend: torch
# mistake: lora-scale-by-root
# style: rs-lora
import math

def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha / math.sqrt(a.shape[-1])) * ((x @ a) @ b)
