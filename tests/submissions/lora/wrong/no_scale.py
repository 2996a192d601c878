# backend: torch
# mistake: lora-scale-missing
# breaks: alpha-over-rank
# style: matmul
def lora_linear(x, w, a, b, alpha):
    return x @ w + x @ a @ b
