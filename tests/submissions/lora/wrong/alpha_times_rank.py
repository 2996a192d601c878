# backend: torch
# mistake: lora-multiplied-by-rank
# style: multiplied
def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha * a.shape[-1]) * ((x @ a) @ b)
