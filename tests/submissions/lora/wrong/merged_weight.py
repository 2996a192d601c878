# backend: torch
# mistake: low-rank-materialised
# breaks: update-as-a-matrix
# style: merged
def lora_linear(x, w, a, b, alpha):
    return x @ (w + alpha / a.shape[1] * (a @ b))
