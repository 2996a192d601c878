# backend: torch
# mistake: lora-rank-from-other-axis
def lora_linear(x, w, a, b, alpha):
    r = b.shape[1]
    return x @ w + (x @ a) @ b * (alpha / r)
