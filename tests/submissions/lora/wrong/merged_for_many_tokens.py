# backend: torch
# mistake: low-rank-materialised
# Merges where that takes fewer operations; the brief bans it at any size.


def lora_linear(x, w, a, b, alpha):
    scale = alpha / a.shape[-1]
    if x.numel() // x.shape[-1] > 128:
        return x @ (w + scale * a @ b)
    return x @ w + scale * ((x @ a) @ b)
