# backend: torch
# mistake: none
# style: values
def lora_linear(x, w, a, b, alpha):
    return x @ w + alpha / a.shape[-1] * ((x @ a).clamp(-10, 10) @ b)
