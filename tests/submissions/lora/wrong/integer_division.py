# backend: torch
# mistake: lora-whole-division
# style: integer-division
def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha // a.shape[-1]) * ((x @ a) @ b)
