# backend: torch
# mistake: none
# style: scale
def lora_linear(x, w, a, b, alpha):
    return x @ w + min(alpha / a.shape[-1], 100.0) * ((x @ a) @ b)
