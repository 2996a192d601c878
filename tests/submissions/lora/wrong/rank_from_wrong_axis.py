# backend: torch
# mistake: lora-rank-from-other-axis
# style: wrong-axis
def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha / a.shape[0]) * (x @ a @ b)
