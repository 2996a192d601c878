# backend: numpy
# mistake: lora-base-scaled
def lora_linear(x, w, a, b, alpha):
    return alpha / a.shape[-1] * (x @ w) + (x @ a) @ b
