# backend: torch
# mistake: lora-update-subtracted
# style: sign
def lora_linear(x, w, a, b, alpha):
    return x @ w - (alpha / a.shape[-1]) * ((x @ a) @ b)
