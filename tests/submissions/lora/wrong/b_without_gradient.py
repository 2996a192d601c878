# backend: torch
# mistake: not-differentiable
# style: detached
def lora_linear(x, w, a, b, alpha):
    update = (x @ a) @ b.data
    return x @ w.detach() + alpha / a.shape[-1] * update
