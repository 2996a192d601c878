# backend: torch
# mistake: lora-sum-scaled
# style: scope
def lora_linear(x, w, a, b, alpha):
    return (x @ w + (x @ a) @ b) * (alpha / a.shape[-1])
