# backend: torch
# mistake: lora-rank-not-divided
# breaks: alpha-over-rank
# style: matmul
def lora_linear(x, w, a, b, alpha):
    return x @ w + alpha * ((x @ a) @ b)
