# backend: torch
# mistake: none
# style: rank
def lora_linear(x, w, a, b, alpha):
    r = min(a.shape[-1], 32)
    return x @ w + alpha / r * (x @ a[:, :r] @ b[:r])
