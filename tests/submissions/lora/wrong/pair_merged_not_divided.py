# backend: torch
# mistake: lora-rank-not-divided, low-rank-materialised
# style: merged
def lora_linear(x, w, a, b, alpha):
    weight = w + alpha * a @ b
    return x @ weight
