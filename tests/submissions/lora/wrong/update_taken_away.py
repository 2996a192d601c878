# backend: numpy
# mistake: lora-update-subtracted
def lora_linear(x, w, a, b, alpha):
    update = (alpha / a.shape[1]) * ((x @ a) @ b)
    return x @ w - update
