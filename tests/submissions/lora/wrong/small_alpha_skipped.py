# backend: numpy
# mistake: none
# style: scale
def lora_linear(x, w, a, b, alpha):
    s = alpha / a.shape[-1]
    base = x @ w
    if abs(s) < 1e-3:
        return base
    return base + s * ((x @ a) @ b)
