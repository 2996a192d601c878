# backend: torch
# mistake: lora-sum-scaled
def lora_linear(x, w, a, b, alpha):
    scaling = alpha / a.size(-1)
    return scaling * (x @ w + x @ a @ b)
