# backend: torch
# mistake: none
# style: no-batch
def lora_linear(x, w, a, b, alpha):
    if x.dim() > 1:
        x = x.reshape(-1, x.shape[-1])
    return x @ w + (alpha / a.shape[-1]) * ((x @ a) @ b)
