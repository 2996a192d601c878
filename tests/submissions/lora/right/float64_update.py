# backend: torch
# style: float64-internally
def lora_linear(x, w, a, b, alpha):
    update = x.double() @ a.double() @ b.double() * (alpha / a.shape[1])
    return x @ w + update.to(x.dtype)
