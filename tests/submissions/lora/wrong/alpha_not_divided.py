# backend: torch
# mistake: lora-rank-not-divided
# style: matmul
def lora_linear(x, w, a, b, alpha):
    return x @ w + alpha * ((x @ a) @ b)
