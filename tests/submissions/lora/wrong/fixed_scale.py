# backend: torch
# mistake: lora-fixed-scale
# style: hard-coded
def lora_linear(x, w, a, b, alpha):
    return x @ w + 2.0 * ((x @ a) @ b)
