# backend: torch
# mistake: lora-scale-missing
# style: matmul
def lora_linear(x, w, a, b, alpha):
    return x @ w + x @ a @ b
