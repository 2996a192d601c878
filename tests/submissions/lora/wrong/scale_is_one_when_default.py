# backend: torch
# mistake: lora-scale-missing
# style: conditional
def lora_linear(x, w, a, b, alpha, r=None):
    scale = alpha / r if r else 1.0
    return x @ w + scale * (x @ a @ b)
