# backend: torch
# mistake: lora-scale-squared
def lora_linear(x, w, a, b, alpha):
    s = alpha / a.shape[-1]
    down = s * (x @ a)
    return x @ w + s * (down @ b)
