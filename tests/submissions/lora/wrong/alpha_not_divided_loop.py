# backend: torch
# mistake: lora-rank-not-divided
# style: loops
def lora_linear(x, w, a, b, alpha):
    y = x @ w
    for i in range(a.shape[1]):
        y = y + alpha * (x @ a[:, i:i + 1]) * b[i]
    return y
