# backend: torch
# mistake: not-differentiable
# style: detach
def lora_linear(x, w, a, b, alpha):
    update = ((x @ a) @ b).detach()
    return x @ w + (alpha / a.shape[-1]) * update
