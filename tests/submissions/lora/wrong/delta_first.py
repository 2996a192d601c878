# backend: torch
# mistake: low-rank-materialised
# breaks: update-as-a-matrix
# style: matmul
def lora_linear(x, w, a, b, alpha):
    delta = a @ b
    return x @ w + (alpha / a.shape[1]) * (x @ delta)
